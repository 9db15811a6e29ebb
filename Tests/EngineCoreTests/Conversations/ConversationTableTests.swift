import LoginMachine
import LoginProtocol
import Testing

@testable import EngineCore

@Suite("Conversations")
struct ConversationTableTests {
  private let sessions: TestSessions

  init() throws { sessions = try TestSessions() }

  private var time = EngineTime(manualStart: 0, at: .init(steady: 0, utc: 0))

  /// A question that belongs to a conversation and that a test answers with a challenge.
  private func question(_ first: UInt64, of session: String = "s") -> OpenQuestion {
    OpenQuestion(
      session: sessions.session(session), authenticator: .frontend, conversation: conversation(first),
      request: "login", start: 0)
  }

  @Test("a conversation is in the table of conversations from its first challenge to its removal")
  mutating func openness() {
    var table = ConversationTable()
    table.noteChallenge(.init(isNew: true), to: question(3, of: "a"), &time)
    #expect(table.count == 1)
    #expect(table.session(of: conversation(3))?.id.bytes == Array("a".utf8))
    #expect(table.authenticator(of: conversation(3)) == .frontend)
    table.remove(conversation(3), &time)
    #expect(table.session(of: conversation(3)) == nil && table.authenticator(of: conversation(3)) == nil)
    table.remove(conversation(3), &time)
    #expect(table.count == 0)
  }

  @Test("conversations are listed in the order in which they began")
  mutating func order() {
    var table = ConversationTable()
    for first: UInt64 in [4, 1, 3, 2] { table.noteChallenge(.init(isNew: true), to: question(first), &time) }
    #expect(table.ids == [1, 2, 3, 4].map { conversation($0) })
  }

  @Test("marking a conversation as lost affects no other conversation, and marking an unknown one changes nothing")
  mutating func losses() {
    var table = ConversationTable()
    for first: UInt64 in [1, 2] { table.noteChallenge(.init(isNew: true), to: question(first), &time) }
    table.markFailed(conversation(2))
    table.markFailed(conversation(9))
    #expect(table.recipient(in: conversation(1)) == .frontend)
    #expect(table.recipient(in: conversation(2)) == nil && table.authenticator(of: conversation(2)) == .frontend)
    #expect(table.count == 2)
  }

  @Test("a challenge with a new screen restarts the timers, and one that keeps the screen keeps the time of expiry")
  mutating func timers() {
    var table = ConversationTable()
    table.noteChallenge(.init(isNew: true, pollAfter: 10, expiresIn: 20), to: question(1), &time)
    #expect(time.timerCount == 2)
    guard case .poll? = time.popTimer(until: 10) else { return #expect(Bool(false)) }
    table.notePoll(conversation(1))
    table.noteChallenge(.init(pollAfter: 30, expiresIn: 90), to: question(1), &time)
    #expect(time.timerCount == 2 && time.nextTimer == 20)
    table.noteChallenge(.init(isNew: true, expiresIn: 90), to: question(1), &time)
    #expect(time.timerCount == 1 && time.nextTimer == 90)
    table.remove(conversation(1), &time)
    #expect(time.timerCount == 0)
  }
}
