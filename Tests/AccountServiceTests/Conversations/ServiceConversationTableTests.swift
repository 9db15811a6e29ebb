import AccountService
import Accounts
import Testing
import WebAuthn

@Suite struct ServiceConversationTableTests {
  private let login = PendingLogin(
    account: Account(id: 1, email: "ada@example.com", userName: "ada", createdMs: 0), passwordHash: "x",
    demand: .recoveryCode, passwordMs: 0)
  private var account: Account { login.account }

  private func beginAttempts(_ attempts: ClosedRange<UInt64>, in table: inout Conversations, now: Int64 = 0) {
    for attempt in attempts {
      table.submitted(attempt)
      #expect(table.attemptFinished(attempt, .demand(login), now: now) == .recoveryCode())
    }
  }

  @Test func `logins by passkey alone, which anyone can start, never displace logins whose password was right`() throws
  {
    var settings = ServiceSettings()
    settings.relyingParty = RelyingParty(id: "example.com", origins: ["https://example.com"])
    var table = Conversations(settings, maximum: 40)
    beginAttempts(1...20, in: &table)
    for attempt in 100..<400 as Range<UInt64> {
      table.submitted(attempt)
      #expect(table.attemptFinished(attempt, .passkeyAlone, now: 0) != nil)
    }
    for attempt in 1...20 as ClosedRange<UInt64> { #expect(isThere(attempt, in: &table)) }
    #expect(table.count == 30)
    #expect(isThere(399, in: &table) && isThere(390, in: &table) && !isThere(389, in: &table))
  }

  /// Returns the current question of an attempt.
  private func step(_ attempt: UInt64, in table: inout Conversations, now: Int64 = 0) throws -> ConversationStep {
    guard case .login(let step, _) = table.find(attempt, key: "new", now: now) else { throw Missing() }
    return step
  }

  private struct Missing: Error {}

  private func isThere(_ attempt: UInt64, in table: inout Conversations, now: Int64 = 0) -> Bool {
    if case .none = table.find(attempt, key: "new", now: now) { false } else { true }
  }

  @Test func `if there are more conversations than the maximum, the oldest ones are ended`() {
    var table = Conversations(maximum: 3)
    beginAttempts(1...10, in: &table)
    #expect(table.count == 3)
    for attempt: UInt64 in 1...10 { #expect(isThere(attempt, in: &table) == (attempt > 7)) }
  }

  @Test func `cancelled conversations displace no other conversations, however many are cancelled`() {
    var table = Conversations(maximum: 3)
    beginAttempts(1...2, in: &table)
    for attempt: UInt64 in 3...5_000 {
      beginAttempts(attempt...attempt, in: &table)
      table.cancelled(attempt)
    }
    #expect(table.count == 2)
    #expect(isThere(1, in: &table))
  }

  @Test func `each conversation ends at its own deadline, also after an answer`() throws {
    var table = Conversations()
    beginAttempts(1...1, in: &table, now: 0)
    beginAttempts(2...2, in: &table, now: 100_000)
    let asked = try step(1, in: &table)
    let right = StepResult(.accepted(account))
    guard case .accepted = table.settle(1, right, to: asked, key: "run:3", at: 0, now: 200_000) else {
      Issue.record("it is accepted")
      return
    }
    #expect(isThere(2, in: &table, now: 699_999))
    #expect(!isThere(2, in: &table, now: 700_000))
    // A retry of an accepted answer is possible for as long as another question would have been
    // open.
    if case .login(let again, _) = table.find(1, key: "run:3", now: 799_999) {
      #expect(again == asked)
    } else {
      Issue.record("the retry is known")
    }
    #expect(!isThere(1, in: &table, now: 799_999))
    #expect(table.count == 1)
    if case .none = table.find(1, key: "run:3", now: 800_000) {} else { Issue.record("it is over") }
    #expect(table.count == 0)
  }

  @Test(arguments: [false, true]) func `a login cancelled while a worker checks it has no conversation`(
    isFinished: Bool
  ) {
    var table = Conversations()
    table.submitted(1)
    table.cancelled(1)
    if isFinished { _ = table.attemptFinished(1, .demand(login), now: 0) }
    #expect(table.count == 0)
    // The number of the attempt can be used again.
    beginAttempts(1...1, in: &table)
    #expect(table.count == 1)
  }

  @Test func `a second answer to a challenge is refused until the check of the first answer has ended`() throws {
    var table = Conversations()
    beginAttempts(1...1, in: &table)
    let asked = try step(1, in: &table)
    table.checkStarted(1)
    guard case .busy = table.find(1, key: "run:2", now: 0) else {
      Issue.record("it is busy")
      return
    }
    table.checkEnded(1)
    #expect(isThere(1, in: &table))
    table.checkStarted(1)
    guard case .refused = table.settle(1, StepResult(.wrong), to: asked, key: "run:2", at: 0, now: 0) else {
      Issue.record("the same question again")
      return
    }
    #expect(isThere(1, in: &table))
  }

  @Test func `if an answer's result arrives after its conversation has ended, there is no further challenge`() throws {
    for outcome in [StepResult.Outcome.wrong, .over, .pending(login), .done] {
      var table = Conversations()
      beginAttempts(1...1, in: &table)
      let asked = try step(1, in: &table)
      table.checkStarted(1)
      table.cancelled(1)
      guard case .ended = table.settle(1, StepResult(outcome), to: asked, key: "run:2", at: 0, now: 0) else {
        Issue.record("\(outcome) has to end it")
        return
      }
      #expect(table.count == 0)
    }
  }

  @Test
  func `after each wrong answer, a passkey's challenge is replaced by a new one, and the old one is void`() throws {
    var settings = ServiceSettings()
    settings.relyingParty = RelyingParty(id: "example.com", origins: ["https://example.com"])
    var table = Conversations(settings)
    table.submitted(1)
    guard case .passkey(let request, [], remembers: false)? = table.attemptFinished(1, .passkeyAlone, now: 0)
    else {
      Issue.record("a passkey is asked for")
      return
    }
    var nonces: Set<[UInt8]> = [request.nonce]
    for attempt in 2...4 {
      let asked = try step(1, in: &table)
      #expect(nonces.contains(asked.nonce))
      guard
        case .renewed(.passkey(let next, _, _), .passkeyInvalid) = table.settle(
          1, StepResult(.wrong), to: asked, key: "run:\(attempt)", at: 0, now: 0)
      else {
        Issue.record("another challenge")
        return
      }
      #expect(next.nonce.count == 32)
      #expect(nonces.insert(next.nonce).inserted)
      // An answer to the earlier step comes too late.
      guard case .ended = table.settle(2, StepResult(.wrong), to: asked, key: "run:9", at: 0, now: 0) else {
        Issue.record("there is no such conversation")
        return
      }
    }
    let last = try step(1, in: &table)
    guard case .renewed = table.settle(1, StepResult(.wrong), to: last, key: "run:8", at: 0, now: 0) else {
      Issue.record("the fourth")
      return
    }
    let fifth = try step(1, in: &table)
    guard
      case .ended(.passkeyTooManyAttempts) = table.settle(1, StepResult(.wrong), to: fifth, key: "run:9", at: 0, now: 0)
    else {
      Issue.record("after five it is over")
      return
    }
    #expect(table.count == 0)
  }

  @Test func `a service without a relying party does not ask for passkeys`() {
    var table = Conversations()
    table.submitted(1)
    #expect(table.attemptFinished(1, .passkeyAlone, now: 0) == nil)
    #expect(table.count == 0)
  }
}
