package import AuthenticatorKit
package import Accounts
import WebAuthn

/// One question of a conversation.
package struct ConversationStep: Equatable, Sendable {
  package let question: Question
  /// The challenge for a passkey to sign. It differs for each step, so that a signature is valid
  /// for one step only.
  package let nonce: [UInt8]

  package init(_ question: Question) {
    self.question = question
    nonce = Self.nonce()
  }

  /// Returns random bytes for a passkey to sign.
  static func nonce() -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<RelyingParty.challengeLength).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }

  package enum Question: Equatable, Sendable {
    /// A demand of the account beyond the password.
    case demand(PendingLogin)
    /// A passkey, which also identifies the user.
    case passkeyAlone
    // Offers once the login is accepted. The user can skip each of them.
    case newPasskey(PasskeyHolder)
    /// New recovery codes, because the last of `count` codes was used.
    case newRecoveryCodes(AccountOwner, count: Int)
    /// Those codes were shown.
    case shownRecoveryCodes
  }

  /// The factors that were right before this step, if the conversation starts with it.
  var earlierProofs: [GivenProof] {
    guard case .demand(let login) = question else { return [] }
    return [GivenProof(.password, at: login.passwordMs)]
  }

  /// The factors of a right answer that was received at `time`.
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

/// The result of a worker's check of an answer.
package struct StepResult: Sendable {
  package enum Outcome: Sendable {
    case accepted(Account)
    /// The account requires another step.
    case pending(PendingLogin)
    /// The code or passkey is wrong.
    case wrong
    case refused(ValueProblem)
    case throttled(retryAfterMs: Int64)
    /// No code of this kind is checked any more.
    case locked
    /// An administrator has disabled the account.
    case disabled
    /// The conversation must start again.
    case over
    /// The offer was carried out.
    case done
    case printed(PrintedCodes)
  }

  package var outcome: Outcome
  /// The recovery code that the answer has used.
  package var codeUse: RecoveryCodeUse?
  /// Whether the answer was a new password, which the account has now.
  package var passwordChanged = false
  /// The token of the device, which is now remembered.
  package var device: DeviceToken?
  /// The offer after the login is accepted.
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

/// An accepted login, with what the engine is told about it.
package struct Acceptance: Sendable {
  package let account: Account
  package var proofs: [GivenProof]
  /// The recovery code that was used.
  package var codeUse: RecoveryCodeUse?
  /// Whether the password was changed during the login.
  package var passwordChanged = false
  /// The token of the device, which is now remembered.
  package var device: DeviceToken?
}

extension Acceptance {
  /// Creates the acceptance of a login or sign-up with the password alone, which was right at
  /// `time`.
  init(_ account: Account, byPasswordAt time: Int64) {
    self.init(account: account, proofs: [GivenProof(.password, at: time)])
  }
}
