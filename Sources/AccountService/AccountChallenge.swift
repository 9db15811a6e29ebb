package import AccountStore
import JSONCodec

/// What a login is asked for after its password, as a screen that the engine shows. The texts of the screen are in the flow.
package enum AccountChallenge: Equatable {
  /// A code of an authenticator app. `ways` are what will do in its place, each a link of the screen.
  case oneTimeCode(ways: [PendingLogin.Demand] = [])
  case recoveryCode(ways: [PendingLogin.Demand] = [])
  /// Shows the address of the account, so that a password manager knows whose password it is.
  case newPassword(email: String, minimumLength: Int)

  /// The code that was mailed to an address.
  case emailCode(email: String)

  /// Nil when nothing more is demanded.
  package init?(_ login: PendingLogin) {
    switch login.demand {
    case .oneTimeCode: self = .oneTimeCode(ways: login.otherWays)
    case .recoveryCode: self = .recoveryCode(ways: login.otherWays)
    case .newPassword: self = .newPassword(email: login.account.email, minimumLength: login.minimumPasswordLength)
    case .nothing: return nil
    }
  }

  /// The name on the wire of the item that a message is about.
  var apiKey: StaticString {
    switch self {
    case .oneTimeCode, .recoveryCode, .emailCode: "code"
    case .newPassword: "password"
    }
  }

  private var ways: [PendingLogin.Demand] {
    switch self {
    case .oneTimeCode(let ways), .recoveryCode(let ways): ways
    case .newPassword, .emailCode: []
    }
  }

  /// The links of the screen, by the ids that they have on the wire.
  var links: [(id: StaticString, way: PendingLogin.Demand)] {
    ways.compactMap { way in
      switch way {
      case .oneTimeCode: ("oneTimeCode", way)
      case .recoveryCode: ("recoveryCode", way)
      case .newPassword, .nothing: nil
      }
    }
  }
}

extension ByteBuffer {
  /// The screen, written like a screen of a flow definition. Its buttons are those of the screen on which the login began.
  mutating func append(screenOf challenge: AccountChallenge) {
    switch challenge {
    case .oneTimeCode:
      append(#"{"id":"oneTimeCode","title":"oneTimeCode.title","sections":[{"id":"oneTimeCode","items":["#)
      append(#"{"id":"about","kind":"text","title":"oneTimeCode.text"},"#)
      append(#"{"id":"code","apiKey":"code","kind":"input","inputType":"oneTimeCode","keyboard":"number","#)
      append(#""autofill":"one-time-code","title":"oneTimeCode.code","rules":["#)
      appendRule("required", .oneTimeCodeMissing)
    case .recoveryCode:
      append(
        #"{"id":"recoveryCode","title":"recoveryCode.title","sections":[{"id":"recoveryCode","items":["#)
      append(#"{"id":"about","kind":"text","title":"recoveryCode.text"},"#)
      append(#"{"id":"code","apiKey":"code","kind":"input","inputType":"oneTimeCode","keyboard":"ascii","#)
      append(#""autofill":"one-time-code","title":"recoveryCode.code","rules":["#)
      appendRule("required", .recoveryCodeMissing)
    case .emailCode(let email):
      append(#"{"id":"emailCode","title":"emailCode.title","sections":[{"id":"emailCode","items":["#)
      append(#"{"id":"about","kind":"text","title":"emailCode.text"},"#)
      append(#"{"id":"email","kind":"input","inputType":"email","title":"email.title","readOnly":true,"value":"#)
      appendJSONString(email)
      append(#"},{"id":"code","apiKey":"code","kind":"input","inputType":"oneTimeCode","keyboard":"ascii","#)
      append(#""autofill":"one-time-code","title":"emailCode.code","rules":["#)
      appendRule("required", .emailCodeMissing)
    case .newPassword(let email, let minimumLength):
      append(#"{"id":"newPassword","title":"newPassword.heading","sections":[{"id":"newPassword","items":["#)
      append(#"{"id":"about","kind":"text","title":"newPassword.text"},"#)
      append(#"{"id":"email","kind":"input","inputType":"email","autofill":"username","title":"email.title","#)
      append(#""readOnly":true,"value":"#)
      appendJSONString(email)
      append(#"},"#)
      append(#"{"id":"password","apiKey":"password","kind":"input","inputType":"newPassword","#)
      append(#""autofill":"new-password","title":"newPassword.title","rules":["#)
      appendRule("required", .newPasswordMissing)
      append(",")
      appendRule("minLength", .passwordTooShort, #""length":"#, UInt64(clamping: minimumLength))
      append(#"]},{"id":"repetition","kind":"input","inputType":"newPassword","#)
      append(#""autofill":"new-password","title":"newPassword.repetition","rules":["#)
      appendRule("required", .newPasswordRepetitionMissing)
      append(",")
      appendRule("equalTo", .newPasswordDifferent, #""item":"password""#)
    }
    append("]}]}]")
    if case .emailCode = challenge { append(#","links":[{"id":"resend","title":"emailCode.resend"}]"#) }
    for (index, link) in challenge.links.enumerated() {
      append(index == 0 ? #","links":["# : ",")
      append(#"{"id":""#)
      append(link.id)
      append(#"","title":""#)
      append(link.id)
      append(#".instead"}"#)
    }
    append(challenge.links.isEmpty ? "}" : "]}")
  }

  private mutating func appendRule(
    _ rule: StaticString, _ message: AccountMessage, _ member: StaticString? = nil, _ number: UInt64? = nil
  ) {
    append(#"{"rule":""#)
    append(rule)
    append(#"","#)
    if let member { append(member) }
    if let number { append(decimal: number) }
    if member != nil { append(",") }
    append(#""message":""#)
    append(message.rawValue)
    append(#""}"#)
  }
}
