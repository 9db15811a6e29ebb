package import AuthenticatorKit
package import Accounts
import WebAuthn

/// What a conversation asks for at a time.
package struct ConversationStep: Equatable, Sendable {
  package let question: Question
  /// What a passkey has to sign. Each step has another, so that what was signed for one is good for no other.
  package let nonce: [UInt8]

  package init(_ question: Question) {
    self.question = question
    nonce = Self.nonce()
  }

  /// Random bytes for a passkey to sign.
  static func nonce() -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<RelyingParty.challengeLength).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }

  package enum Question: Equatable, Sendable {
    /// What the account demands beyond the password.
    case demand(PendingLogin)
    /// A passkey, which also tells who it is.
    case passkeyAlone
    // What is offered once the login is accepted. All of these can be left out.
    case newPasskey(PasskeyHolder)
    /// Other recovery codes, because the last of this many was used.
    case newRecoveryCodes(AccountOwner, count: Int)
    /// Those codes were shown.
    case shownRecoveryCodes
  }

  /// How the person has proved who they are before the answer, if the conversation begins with this step.
  var earlierProofs: [GivenProof] {
    guard case .demand(let login) = question else { return [] }
    return [GivenProof(.password, at: login.passwordMs)]
  }

  /// How the person has proved who they are with an answer that came at `time`.
  func proofs(at time: Int64) -> [GivenProof] { factors.map { GivenProof($0, at: time) } }

  private var factors: [Factor] {
    switch question {
    case .demand(let login):
      switch login.demand {
      case .oneTimeCode, .recoveryCode: [.oneTimeCode]
      case .passkey: [.passkey, .presence]
      case .newPassword, .nothing: []
      }
    case .passkeyAlone: [.passkey, .presence, .several]
    case .newPasskey, .newRecoveryCodes, .shownRecoveryCodes: []
    }
  }
}

/// What a worker has found about the answer to a step.
package struct StepResult: Sendable {
  package enum Outcome: Sendable {
    case accepted(Account)
    /// The account demands still more.
    case pending(PendingLogin)
    /// A wrong code or passkey.
    case wrong
    case refused(ValueProblem)
    case throttled(retryAfterMs: Int64)
    /// No code of this kind is checked any more.
    case locked
    /// An administrator has disabled the account.
    case disabled
    /// The conversation has to begin again.
    case over
    /// What was offered is done.
    case done
    case printed(PrintedCodes)
  }

  package var outcome: Outcome
  /// The recovery code that the answer has used.
  package var codeUse: RecoveryCodeUse?
  /// Whether the answer was another password, which the account has now.
  package var passwordChanged = false
  /// The device is remembered from now on.
  package var device: DeviceToken?
  /// What is offered after the login is accepted.
  package var offer: ConversationStep.Question?

  package init(_ outcome: Outcome) { self.outcome = outcome }

  init(code outcome: CodeOutcome) {
    switch outcome {
    case .accepted(let account): self.init(.accepted(account))
    case .pending(let login): self.init(.pending(login))
    case .rejected: self.init(.wrong)
    case .throttled(let wait): self.init(.throttled(retryAfterMs: wait))
    case .locked: self.init(.locked)
    case .over: self.init(.over)
    }
  }

  init(newPassword outcome: NewPasswordOutcome) {
    switch outcome {
    case .accepted(let account):
      self.init(.accepted(account))
      passwordChanged = true
    case .refused(let problem): self.init(.refused(problem))
    case .over: self.init(.over)
    }
  }
}

/// A login that is accepted, and what is told of it.
package struct Acceptance: Sendable {
  package let account: Account
  package var proofs: [GivenProof]
  /// The recovery code that was used for it.
  package var codeUse: RecoveryCodeUse?
  /// Whether the account has another password than when the login began.
  package var passwordChanged = false
  /// What its device is remembered by from now on.
  package var device: DeviceToken?
}

extension Acceptance {
  /// A login or sign-up by the password alone, which was right at `time`.
  init(_ account: Account, byPasswordAt time: Int64) {
    self.init(account: account, proofs: [GivenProof(.password, at: time)])
  }
}
