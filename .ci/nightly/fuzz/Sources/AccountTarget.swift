import JSONCodec
import LoginProtocol
import SecretMemory
import WebAuthn
@testable import AccountService
@testable import Accounts

/// Feeds the input to what reads bytes in the built-in accounts. Each line is read as a message of
/// the engine, as an exported account and as an imported password hash. There is no database, and
/// questions of every kind are open.
enum AccountTarget {
  private static let account = Account(id: 1, email: "ada@example.com", userName: "ada", createdMs: 0)

  private static func login(_ demand: PendingLogin.Demand, _ ways: [PendingLogin.Demand] = []) -> PendingLogin {
    PendingLogin(
      account: account, passwordHash: "x", demand: demand, otherWays: ways, passkeys: [[UInt8](repeating: 7, count: 32)]
    )
  }

  private static let settings = {
    var settings = ServiceSettings()
    settings.revealsTakenNames = true
    settings.secretValues = ["pin"]
    settings.relyingParty = RelyingParty(id: "example.com", origins: ["https://example.com"])
    settings.deviceLifetimeMs = 1_000_000
    return settings
  }()

  static func run(_ input: [UInt8]) {
    var reader = RequestReader(run: "run", settings: settings)
    var conversations = Conversations(settings, maximum: 20)
    let clock = AccountClock(isManual: true)
    begin(&conversations)
    for line in input.split(separator: 0x0A, omittingEmptySubsequences: true).prefix(60) {
      handledLines += 1
      let bytes = Array(line)
      bytes.withUnsafeBytes { bytes in
        handle(reader.readLine(bytes, clock: clock, conversations: &conversations), &conversations)
        readTransfer(bytes)
      }
      if let hash = try? ImportedHash(String(decoding: line, as: UTF8.self)) {
        if (try? ImportedHash(hash.text)) == nil { fail("a hash that was taken is not taken again: \(hash.text)") }
      }
    }
  }

  /// Opens seven conversations, numbered from 1, in each of which a different kind of question is
  /// open.
  private static func begin(_ conversations: inout Conversations) {
    let questions: [ConversationStep.Question] = [
      .demand(login(.recoveryCode)), .demand(login(.oneTimeCode, [.passkey, .recoveryCode])),
      .demand(login(.passkey, [.oneTimeCode])), .demand(login(.newPassword)), .passkeyAlone,
      .newRecoveryCodes(AccountOwner(account: account, passwordHash: "x"), count: 10), .shownRecoveryCodes,
    ]
    for (index, question) in questions.enumerated() {
      conversations.submitted(UInt64(index + 1))
      let acceptance: Acceptance? =
        switch question {
        case .newRecoveryCodes, .shownRecoveryCodes: Acceptance(account: account)
        default: nil
        }
      _ = conversations.attemptFinished(UInt64(index + 1), question, acceptance: acceptance, now: 0)
    }
  }

  private static func handle(_ message: RequestReader.Message, _ conversations: inout Conversations) {
    switch message {
    case .refused(let error, let id):
      var line = ByteBuffer()
      line.appendLine(error, id: id)
      if (try? JSONValue(parsing: Array(line.array().dropLast()))) == nil {
        fail("a refusal is no JSON: \(String(decoding: line.array(), as: UTF8.self))")
      }
    case .submit(let request):
      conversations.submitted(request.attempt)
      let demand: PendingLogin.Demand = request.attempt.isMultiple(of: 2) ? .recoveryCode : .passkey
      _ = conversations.attemptFinished(request.attempt, .demand(login(demand)), now: request.now)
    case .continue(let request):
      guard case .answer(let step, let key) = request.task else { return }
      conversations.checkStarted(request.attempt, remembersDevice: request.remembersDevice)
      let outcome: StepResult.Outcome = request.attempt.isMultiple(of: 2) ? .wrong : .accepted(account)
      _ = conversations.settle(request.attempt, StepResult(outcome), to: step, key: key, now: request.now)
    case .cancel(let attempt): conversations.cancelled(attempt)
    case .passkey(let attempt, _):
      conversations.submitted(attempt)
      _ = conversations.attemptFinished(attempt, .passkeyAlone, now: 0)
    case .accepted, .repeated, .sentBefore, .personAgain, .ended, .checked, .describe, .advance, .nothing: break
    }
  }

  private static func readTransfer(_ bytes: UnsafeRawBufferPointer) {
    guard let line = try? TransferLine(parsing: bytes) else { return }
    let text = line.text
    let again = Array(text.utf8.dropLast()).withUnsafeBytes { try? TransferLine(parsing: $0) }
    if again?.text != text { fail("an exported account is read otherwise: \(text)") }
  }
}
