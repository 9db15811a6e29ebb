import EngineEvents
import LoginProtocol
import Testing

@testable import EngineCore

@Suite("Conversations")
struct ConversationTableTests {
  private let sessions: TestSessions

  init() throws { sessions = try TestSessions() }

  private func open(_ name: String = "s") -> OpenConversation {
    OpenConversation(session: sessions.session(name), authenticator: .frontend)
  }

  @Test("a conversation is there from its beginning to its removal")
  func openness() {
    var table = ConversationTable()
    table.set(open("a"), conversation(3))
    #expect(table.count == 1)
    #expect(table[conversation(3)]?.session.id.bytes == Array("a".utf8))
    #expect(table.remove(conversation(3)) != nil)
    #expect(table[conversation(3)] == nil)
    #expect(table.remove(conversation(3)) == nil)
    #expect(table.count == 0)
  }

  @Test("conversations are listed in the order in which they began")
  func order() {
    var table = ConversationTable()
    for first: UInt64 in [4, 1, 3, 2] { table.set(open(), conversation(first)) }
    #expect(table.ids == [1, 2, 3, 4].map { conversation($0) })
  }

  @Test("a loss marks one conversation, and none that is not there")
  func losses() {
    var table = ConversationTable()
    table.set(open(), conversation(1))
    table.set(open(), conversation(2))
    table.lose(conversation(2))
    table.lose(conversation(9))
    #expect(table[conversation(1)]?.isLost == false)
    #expect(table[conversation(2)]?.isLost == true)
    #expect(table.count == 2)
  }

  @Test("a timer that has fired is forgotten, and the other one is not")
  func timers() {
    var time = EngineTime(manualStart: 0, at: .init(steady: 0, utc: 0))
    var table = ConversationTable()
    var entry = open()
    entry.pollTimer = time.schedule(after: 1, .poll(conversation(1)))
    entry.expiryTimer = time.schedule(after: 2, .expiry(conversation(1)))
    table.set(entry, conversation(1))
    table.pollTimerFired(conversation(1))
    #expect(table[conversation(1)]?.pollTimer == nil)
    #expect(table[conversation(1)]?.expiryTimer == entry.expiryTimer)
  }
}
