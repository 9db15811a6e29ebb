import AccountService
import AccountStore
import Testing

@Suite struct ConversationTableTests {
  private let login = PendingLogin(
    account: Account(id: 1, email: "ada@example.com", userName: "ada", createdMs: 0), passwordHash: "x",
    demand: .recoveryCode)
  private var account: Account { login.account }

  private func beginAttempts(_ attempts: ClosedRange<UInt64>, in table: inout Conversations, now: Int64 = 0) {
    for attempt in attempts {
      table.submitted(attempt)
      #expect(table.attemptFinished(attempt, login, now: now) == .recoveryCode())
    }
  }

  private func isThere(_ attempt: UInt64, in table: inout Conversations, now: Int64 = 0) -> Bool {
    if case .none = table.find(attempt, key: "new", now: now) { false } else { true }
  }

  @Test func `beyond the maximum the oldest go`() {
    var table = Conversations(maximum: 3)
    beginAttempts(1...10, in: &table)
    #expect(table.count == 3)
    for attempt: UInt64 in 1...10 { #expect(isThere(attempt, in: &table) == (attempt > 7)) }
  }

  @Test func `cancelled conversations make room, however many they are`() {
    var table = Conversations(maximum: 3)
    beginAttempts(1...2, in: &table)
    for attempt: UInt64 in 3...5_000 {
      beginAttempts(attempt...attempt, in: &table)
      table.cancelled(attempt, isWithdrawn: false)
    }
    #expect(table.count == 2)
    #expect(isThere(1, in: &table))
  }

  @Test func `each conversation ends at its own deadline, also after an answer`() {
    var table = Conversations()
    beginAttempts(1...1, in: &table, now: 0)
    beginAttempts(2...2, in: &table, now: 100_000)
    let right = CodeOutcome.accepted(account)
    guard case .accepted = table.settle(1, right, to: login, key: "run:3", now: 200_000) else {
      Issue.record("it is accepted")
      return
    }
    #expect(isThere(2, in: &table, now: 699_999))
    #expect(!isThere(2, in: &table, now: 700_000))
    // The retry of what was accepted is known for as long as another question would have waited.
    if case .answer(let again) = table.find(1, key: "run:3", now: 799_999) {
      #expect(again == login)
    } else {
      Issue.record("the retry is known")
    }
    #expect(!isThere(1, in: &table, now: 799_999))
    #expect(table.count == 1)
    if case .none = table.find(1, key: "run:3", now: 800_000) {} else { Issue.record("it is over") }
    #expect(table.count == 0)
  }

  @Test(arguments: [false, true]) func `a login that was cancelled while a worker checked it has no conversation`(
    isWithdrawn: Bool
  ) {
    var table = Conversations()
    table.submitted(1)
    table.cancelled(1, isWithdrawn: isWithdrawn)
    if !isWithdrawn { _ = table.attemptFinished(1, login, now: 0) }
    #expect(table.count == 0)
    // The number is free of that.
    beginAttempts(1...1, in: &table)
    #expect(table.count == 1)
  }

  @Test func `while an answer is checked a second one is refused, until the check has failed`() {
    var table = Conversations()
    beginAttempts(1...1, in: &table)
    table.checkStarted(1)
    guard case .busy = table.find(1, key: "run:2", now: 0) else {
      Issue.record("it is busy")
      return
    }
    table.checkEnded(1)
    #expect(isThere(1, in: &table))
    table.checkStarted(1)
    guard case .refused = table.settle(1, .rejected, to: login, key: "run:2", now: 0) else {
      Issue.record("the same question again")
      return
    }
    #expect(isThere(1, in: &table))
  }

  @Test func `the result of an answer after the end of the conversation is no challenge`() {
    for outcome in [CodeOutcome.rejected, .over, .pending(login)] {
      var table = Conversations()
      beginAttempts(1...1, in: &table)
      table.checkStarted(1)
      table.cancelled(1, isWithdrawn: false)
      guard case .ended = table.settle(1, outcome, to: login, key: "run:2", now: 0) else {
        Issue.record("\(outcome) has to end it")
        return
      }
      #expect(table.count == 0)
    }
  }
}
