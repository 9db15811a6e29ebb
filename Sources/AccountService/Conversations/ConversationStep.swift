package import AuthenticatorKit
package import Accounts
import WebAuthn

/// One question of a conversation.
package struct ConversationStep: Equatable, Sendable {
  package let question: Question
  /// The random challenge that a passkey must sign in this step. It differs for each step, so that
  /// a signature is valid for one step only.
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
    /// The account requires something beyond the password.
    case demand(PendingLogin)
    /// The user logs in with a passkey alone, which also identifies the user.
    case passkeyAlone
    // The next cases are offers, which the service makes once the login is accepted.
    case newPasskey(PasskeyHolder)
    /// Offers new recovery codes, because the user has used the last of `count` codes.
    case newRecoveryCodes(AccountOwner, count: Int)
    /// The new recovery codes are on the screen.
    case shownRecoveryCodes
  }

  /// The factors that the user proved before this step, if the conversation starts with this step.
  var earlierProofs: [GivenProof] {
    guard case .demand(let login) = question else { return [] }
    return [GivenProof(.password, at: login.passwordMs)]
  }

  /// Returns the factors that a right answer to this step proves, if it was received at `time`.
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
    /// So many codes of this kind were wrong that the service checks none of them any more.
    case locked
    /// An administrator has disabled the account.
    case disabled
    /// The conversation has ended, and the user must start again.
    case over
    /// The user accepted the offer, and it was carried out.
    case done
    case printed(PrintedCodes)
  }

  package var outcome: Outcome
  /// The recovery code that the answer has used, if any.
  package var codeUse: RecoveryCodeUse?
  /// Whether the answer was a new password, which has replaced the account's password.
  package var passwordChanged = false
  /// The token of the user's device, if the device is now remembered.
  package var device: DeviceToken?
  /// What the service offers the user after the login is accepted, if anything.
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

/// An accepted login, with the facts about it that the service reports to the engine.
package struct Acceptance: Sendable {
  package let account: Account
  package var proofs: [GivenProof]
  /// The recovery code that the login has used, if any.
  package var codeUse: RecoveryCodeUse?
  /// Whether the password was changed during the login.
  package var passwordChanged = false
  /// The token of the user's device, if the device is now remembered.
  package var device: DeviceToken?
}

extension Acceptance {
  /// Accepts a login or sign-up for which the password alone was enough. `time` is when the service
  /// found the password right.
  init(_ account: Account, byPasswordAt time: Int64) {
    self.init(account: account, proofs: [GivenProof(.password, at: time)])
  }
}
