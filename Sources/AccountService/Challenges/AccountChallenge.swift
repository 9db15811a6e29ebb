package import Accounts
import WebAuthn

/// A question that the service asks the user during a conversation. The engine shows it as a
/// screen, whose texts are in the flow definition.
package enum AccountChallenge: Equatable {
  /// Asks for a code of an authenticator app. `ways` are the alternatives to such a code, each
  /// offered as a link on the screen. `remembers` tells whether the user can have the device
  /// remembered.
  case oneTimeCode(ways: [PendingLogin.Demand] = [], remembers: Bool = false)
  case recoveryCode(ways: [PendingLogin.Demand] = [], remembers: Bool = false)
  /// Asks for one of the given passkeys. If none are given, the user can use any passkey, which
  /// then also identifies the user.
  case passkey(PasskeyRequest, ways: [PendingLogin.Demand] = [], remembers: Bool = false)
  /// Asks for a new password. The screen shows the address of the account, so that a password
  /// manager can identify the account.
  case newPassword(email: String, minimumLength: Int)
  /// Asks for the code that was mailed to the address `email`.
  case emailCode(email: String)
  case newPasskey(PasskeyCreation)
  case newRecoveryCodes
  /// New recovery codes are on the screen. They stay there and are not sent to the view again.
  case shownRecoveryCodes

  /// A request to the browser to use a passkey.
  package struct PasskeyRequest: Equatable {
    package let relyingParty: String
    package let nonce: [UInt8]
    let allowed: [[UInt8]]
  }

  /// A request to the browser to create a passkey.
  package struct PasskeyCreation: Equatable {
    package let relyingParty: String
    package let nonce: [UInt8]
    let holder: PasskeyHolder
    /// Whether the user can skip the creation of the passkey.
    var isOffer = true
  }

  /// Creates the challenge for a step of a conversation. Returns nil if nothing more is required,
  /// or if a passkey is required but the service has no relying party.
  package init?(_ step: ConversationStep, _ settings: ServiceSettings) {
    let relyingParty = settings.relyingParty?.id
    switch step.question {
    case .demand(let login):
      let (ways, remembers) = (login.otherWays, settings.deviceLifetimeMs != nil)
      switch login.demand {
      case .oneTimeCode: self = .oneTimeCode(ways: ways, remembers: remembers)
      case .recoveryCode: self = .recoveryCode(ways: ways, remembers: remembers)
      case .passkey:
        guard let relyingParty else { return nil }
        let request = PasskeyRequest(relyingParty: relyingParty, nonce: step.nonce, allowed: login.passkeys)
        self = .passkey(request, ways: ways, remembers: remembers)
      case .newPassword:
        self = .newPassword(email: login.account.email, minimumLength: login.minimumPasswordLength)
      case .nothing: return nil
      }
    case .passkeyAlone:
      guard let relyingParty else { return nil }
      self = .passkey(PasskeyRequest(relyingParty: relyingParty, nonce: step.nonce, allowed: []))
    case .newPasskey(let holder):
      guard let relyingParty else { return nil }
      self = .newPasskey(PasskeyCreation(relyingParty: relyingParty, nonce: step.nonce, holder: holder))
    case .newRecoveryCodes: self = .newRecoveryCodes
    case .shownRecoveryCodes: self = .shownRecoveryCodes
    }
  }

  /// Creates the challenge that a logged-in user must answer after entering the password. It never
  /// asks for a passkey or whether to remember the device.
  init?(_ login: PendingLogin) { self.init(ConversationStep(.demand(login)), ServiceSettings()) }

  /// The wire name of the item at which messages about this challenge are shown.
  var apiKey: StaticString {
    switch self {
    case .oneTimeCode, .recoveryCode, .emailCode: "code"
    case .passkey, .newPasskey: "passkey"
    case .newPassword: "password"
    case .newRecoveryCodes, .shownRecoveryCodes: ""
    }
  }

  /// The message after a wrong answer to this challenge.
  var wrong: AccountMessage {
    switch self {
    case .oneTimeCode: .oneTimeCodeInvalid
    case .passkey, .newPasskey: .passkeyInvalid
    case .emailCode: .emailCodeInvalid
    case .recoveryCode, .newPassword, .newRecoveryCodes, .shownRecoveryCodes: .recoveryCodeInvalid
    }
  }

  /// The message after too many wrong answers to this challenge.
  var tooManyTries: AccountMessage {
    switch self {
    case .oneTimeCode: .oneTimeCodeTooManyAttempts
    case .passkey, .newPasskey: .passkeyTooManyAttempts
    case .emailCode: .emailCodeTooManyAttempts
    case .recoveryCode, .newPassword, .newRecoveryCodes, .shownRecoveryCodes: .recoveryCodeTooManyAttempts
    }
  }

  /// The message if the kind of code that this challenge asks for is locked.
  var locked: AccountMessage {
    if case .recoveryCode = self { .recoveryCodeLocked } else { .oneTimeCodeLocked }
  }

  private var ways: [PendingLogin.Demand] {
    switch self {
    case .oneTimeCode(let ways, _), .recoveryCode(let ways, _), .passkey(_, let ways, _): ways
    case .newPassword, .emailCode, .newPasskey, .newRecoveryCodes, .shownRecoveryCodes: []
    }
  }

  /// Whether the challenge's screen asks if the device should be remembered.
  var asksToRemember: Bool {
    switch self {
    case .oneTimeCode(_, let remembers), .recoveryCode(_, let remembers), .passkey(_, _, let remembers): remembers
    case .newPassword, .emailCode, .newPasskey, .newRecoveryCodes, .shownRecoveryCodes: false
    }
  }

  /// The links on the challenge's screen to alternative challenges, each with its wire id.
  var links: [(id: StaticString, way: PendingLogin.Demand)] {
    ways.compactMap { way in
      switch way {
      case .passkey: ("passkey", way)
      case .oneTimeCode: ("oneTimeCode", way)
      case .recoveryCode: ("recoveryCode", way)
      case .newPassword, .nothing: nil
      }
    }
  }

  /// The id of the link on the screen with which the user skips an offer.
  static let later: StaticString = "later"

  /// Whether the challenge's screen has the link `later`, which skips an offer.
  var isOffer: Bool {
    switch self {
    case .newPasskey(let creation): creation.isOffer
    case .newRecoveryCodes: true
    case .oneTimeCode, .recoveryCode, .passkey, .newPassword, .emailCode, .shownRecoveryCodes: false
    }
  }
}
