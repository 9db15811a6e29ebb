import LoginMachine
import LoginProtocol
import Testing

@testable import EngineCore

@Suite("Open questions")
struct QuestionTableTests {
  private let sessions: TestSessions
  private let accounts = AuthenticatorReference.process(AuthenticatorID(index: 0))
  private var time = EngineTime(manualStart: 0, at: .init(steady: 0, utc: 0))

  init() throws { sessions = try TestSessions() }

  private func question(
    _ session: String = "s", to authenticator: AuthenticatorReference? = nil, of first: UInt64
  ) -> OpenQuestion {
    OpenQuestion(
      session: sessions.session(session), authenticator: authenticator ?? accounts, conversation: conversation(first),
      request: "login", start: 0)
  }

  private mutating func insert(
    _ number: UInt64, to authenticator: AuthenticatorReference? = nil, isPaused: Bool = false,
    into table: inout QuestionTable
  ) {
    table.insert(
      question(to: authenticator, of: number), QuestionID(number: number), timeout: 100, isPaused: isPaused, &time)
  }

  @Test("the numbers of questions count up from 1, and none is used twice")
  mutating func numbers() {
    var table = QuestionTable()
    #expect(table.nextID == QuestionID(1))
    table.use(QuestionID(3))
    #expect(table.nextID == QuestionID(4))
    table.use(QuestionID(2))
    #expect(table.nextID == QuestionID(4))
    insert(9, into: &table)
    table.close(QuestionID(9), &time)
    #expect(table.nextID == QuestionID(10))
  }

  @Test("a question is open until it is closed, which cancels its timer")
  mutating func openness() {
    var table = QuestionTable()
    #expect(table.isEmpty)
    insert(1, into: &table)
    #expect(!table.isEmpty && time.timerCount == 1)
    #expect(table[QuestionID(1)]?.conversation == conversation(1))
    let closed = table.close(QuestionID(1), &time)
    #expect(closed != nil && table[QuestionID(1)] == nil)
    let closedAgain = table.close(QuestionID(1), &time)
    #expect(closedAgain == nil)
    #expect(table.isEmpty && time.timerCount == 0)
  }

  @Test("the timeout of a question does not run while it is paused")
  mutating func pauses() {
    var table = QuestionTable()
    insert(1, isPaused: true, into: &table)
    #expect(time.timerCount == 0)
    time.move(to: 40)
    table.setPaused(false, QuestionID(1), &time)
    #expect(time.nextTimer == 140)
    time.move(to: 70)
    table.setPaused(true, QuestionID(1), &time)
    table.setPaused(true, QuestionID(1), &time)
    #expect(time.timerCount == 0)
    time.move(to: 90)
    table.setPaused(false, QuestionID(1), &time)
    table.setPaused(false, QuestionID(1), &time)
    #expect(time.nextTimer == 160)
    table.setPaused(true, QuestionID(2), &time)
    #expect(time.timerCount == 1)
  }

  @Test("open questions are listed in the order of their numbers, all of them or those to one authenticator")
  mutating func listing() {
    var table = QuestionTable()
    for number: UInt64 in [5, 1, 4, 2, 3] {
      insert(number, to: number % 2 == 0 ? .frontend : accounts, into: &table)
    }
    #expect(table.ids.map(\.number) == [1, 2, 3, 4, 5])
    #expect(table.ids(to: .frontend).map(\.number) == [2, 4])
    #expect(table.ids(to: accounts).map(\.number) == [1, 3, 5])
    #expect(table.contains(to: .frontend))
    #expect(!table.contains(to: .process(AuthenticatorID(index: 1))))
  }

  @Test("the first question of a conversation is the one whose number is the conversation's number")
  func conversations() {
    #expect(key(7, of: 2).isFirst == false)
    #expect(key(2).isFirst)
  }

  @Test("failed questions and failed conversations are each returned once, in the order in which they failed")
  func losses() {
    var table = QuestionTable()
    #expect(!table.hasFailures)
    table.fail(.question(QuestionID(2)), .exited)
    table.fail(.conversation(conversation(1)), .timeout)
    #expect(table.hasFailures)
    guard case (.question(let id), .exited)? = table.popFailure() else {
      Issue.record("the question was first")
      return
    }
    #expect(id == QuestionID(2))
    guard case (.conversation(let first), .timeout)? = table.popFailure() else {
      Issue.record("the conversation was second")
      return
    }
    #expect(first == conversation(1))
    #expect(table.popFailure() == nil)
    #expect(!table.hasFailures)
  }
}
