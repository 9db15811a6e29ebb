package import Accounts
import WebAuthn

/// What a person is asked for in a conversation, as a screen that the engine shows. The texts of the screen are in the flow.
package enum AccountChallenge: Equatable {
  /// A code of an authenticator app. `ways` are what will do in its place, each a link of the screen. `remembers`: whether the
  /// device can be remembered.
  case oneTimeCode(ways: [PendingLogin.Demand] = [], remembers: Bool = false)
  case recoveryCode(ways: [PendingLogin.Demand] = [], remembers: Bool = false)
  /// One of these passkeys, or any if there are none: then it tells who the person is.
  case passkey(PasskeyRequest, ways: [PendingLogin.Demand] = [], remembers: Bool = false)
  /// Shows the address of the account, so that a password manager knows whose password it is.
  case newPassword(email: String, minimumLength: Int)
  /// The code that was mailed to an address.
  case emailCode(email: String)
  case newPasskey(PasskeyCreation)
  case newRecoveryCodes
  /// The codes stay on the screen, and are not written again.
  case shownRecoveryCodes

  /// The use of a passkey, as a browser is asked for it.
  package struct PasskeyRequest: Equatable {
    package let relyingParty: String
    package let nonce: [UInt8]
    let allowed: [[UInt8]]
  }

  /// A new passkey, as a browser is asked for it.
  package struct PasskeyCreation: Equatable {
    package let relyingParty: String
    package let nonce: [UInt8]
    let holder: PasskeyHolder
    /// Whether it can be left out.
    var isOffer = true
  }

  /// Nil when nothing more is demanded, or what is demanded cannot be asked for.
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

  /// What a person who is in is asked for after the password: no passkey, and no question whether to remember the device.
  init?(_ login: PendingLogin) { self.init(ConversationStep(.demand(login)), ServiceSettings()) }

  /// The name on the wire of the item that a message is about.
  var apiKey: StaticString {
    switch self {
    case .oneTimeCode, .recoveryCode, .emailCode: "code"
    case .passkey, .newPasskey: "passkey"
    case .newPassword: "password"
    case .newRecoveryCodes, .shownRecoveryCodes: ""
    }
  }

  /// What is said of a wrong answer.
  var wrong: AccountMessage {
    switch self {
    case .oneTimeCode: .oneTimeCodeInvalid
    case .passkey, .newPasskey: .passkeyInvalid
    case .emailCode: .emailCodeInvalid
    case .recoveryCode, .newPassword, .newRecoveryCodes, .shownRecoveryCodes: .recoveryCodeInvalid
    }
  }

  /// What is said when too many answers were wrong.
  var tooManyTries: AccountMessage {
    switch self {
    case .oneTimeCode: .oneTimeCodeTooManyTries
    case .passkey, .newPasskey: .passkeyTooManyTries
    case .emailCode: .emailCodeTooManyTries
    case .recoveryCode, .newPassword, .newRecoveryCodes, .shownRecoveryCodes: .recoveryCodeTooManyTries
    }
  }

  /// What is said when there were so many wrong codes that none of the kind is looked at any more.
  var locked: AccountMessage {
    if case .recoveryCode = self { .recoveryCodeLocked } else { .oneTimeCodeLocked }
  }

  private var ways: [PendingLogin.Demand] {
    switch self {
    case .oneTimeCode(let ways, _), .recoveryCode(let ways, _), .passkey(_, let ways, _): ways
    case .newPassword, .emailCode, .newPasskey, .newRecoveryCodes, .shownRecoveryCodes: []
    }
  }

  /// Whether the screen asks if the device is to be remembered.
  var asksToRemember: Bool {
    switch self {
    case .oneTimeCode(_, let remembers), .recoveryCode(_, let remembers), .passkey(_, _, let remembers): remembers
    case .newPassword, .emailCode, .newPasskey, .newRecoveryCodes, .shownRecoveryCodes: false
    }
  }

  /// The links of the screen to other ways, by the ids that they have on the wire.
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

  /// The link that leaves out what is offered.
  static let later: StaticString = "later"

  /// Whether the screen has that link.
  var isOffer: Bool {
    switch self {
    case .newPasskey(let creation): creation.isOffer
    case .newRecoveryCodes: true
    case .oneTimeCode, .recoveryCode, .passkey, .newPassword, .emailCode, .shownRecoveryCodes: false
    }
  }
}
