import LoginForms
import LoginMachine
import EngineEvents
import Testing

@testable import EngineCore

@Suite("Questions that were not answered")
struct QuestionTableTests {
  private let sessions: TestSessions
  private let accounts = AuthenticatorReference.process(AuthenticatorID(index: 0))
  private var time = EngineTime(manualStart: 0, at: .init(steady: 0, utc: 0))

  init() throws { sessions = try TestSessions() }

  private mutating func question(
    _ session: String = "s", to authenticator: AuthenticatorReference? = nil, of first: UInt64
  ) -> OpenQuestion {
    OpenQuestion(
      session: sessions.session(session),
      timeout: .running(time.schedule(after: 1, .poll(conversation(first))), deadline: 1),
      authenticator: authenticator ?? accounts, conversation: conversation(first), request: "login", start: 0)
  }

  @Test("numbers go up from 1, and none is used twice")
  mutating func numbers() {
    var table = QuestionTable()
    #expect(table.nextID == QuestionID(1))
    table.use(QuestionID(3))
    #expect(table.nextID == QuestionID(4))
    table.use(QuestionID(2))
    #expect(table.nextID == QuestionID(4))
    table.insert(question(of: 9), QuestionID(9))
    _ = table.remove(QuestionID(9))
    #expect(table.nextID == QuestionID(10))
  }

  @Test("a question is open from its insertion to its removal")
  mutating func openness() {
    var table = QuestionTable()
    #expect(table.isEmpty)
    table.insert(question(of: 1), QuestionID(1))
    #expect(!table.isEmpty)
    #expect(table[QuestionID(1)]?.conversation == conversation(1))
    #expect(table.remove(QuestionID(1)) != nil)
    #expect(table[QuestionID(1)] == nil)
    #expect(table.remove(QuestionID(1)) == nil)
    #expect(table.isEmpty)
  }

  @Test("questions are listed in their order, all or those to one authenticator")
  mutating func listing() {
    var table = QuestionTable()
    for number: UInt64 in [5, 1, 4, 2, 3] {
      table.insert(question(to: number % 2 == 0 ? .frontend : accounts, of: number), QuestionID(number: number))
    }
    #expect(table.ids.map(\.number) == [1, 2, 3, 4, 5])
    #expect(table.ids(to: .frontend).map(\.number) == [2, 4])
    #expect(table.ids(to: accounts).map(\.number) == [1, 3, 5])
    #expect(table.contains(to: .frontend))
    #expect(!table.contains(to: .process(AuthenticatorID(index: 1))))
  }

  @Test("only the question that a conversation has its number from is its first")
  func conversations() {
    #expect(key(7, of: 2).isFirst == false)
    #expect(key(2).isFirst)
  }

  @Test("losses are told in the order in which they happened, each once")
  func losses() {
    var table = QuestionTable()
    #expect(!table.hasLost)
    table.lose(.question(QuestionID(2)), .exited)
    table.lose(.conversation(conversation(1)), .timeout)
    #expect(table.hasLost)
    guard case (.question(let id), .exited)? = table.popLost() else {
      Issue.record("the question was first")
      return
    }
    #expect(id == QuestionID(2))
    guard case (.conversation(let first), .timeout)? = table.popLost() else {
      Issue.record("the conversation was second")
      return
    }
    #expect(first == conversation(1))
    #expect(table.popLost() == nil)
    #expect(!table.hasLost)
  }
}
