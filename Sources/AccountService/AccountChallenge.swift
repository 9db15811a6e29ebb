package import AccountStore
import JSONCodec

/// What a login is asked for after its password, as a screen that the engine shows. The texts of the screen are in the flow.
package enum AccountChallenge {
  case recoveryCode, newPassword

  /// Nil when nothing more is demanded.
  package init?(_ demand: PendingLogin.Demand) {
    switch demand {
    case .recoveryCode: self = .recoveryCode
    case .newPassword: self = .newPassword
    case .nothing: return nil
    }
  }

  /// The name on the wire of the item that a message is about.
  var apiKey: StaticString {
    switch self {
    case .recoveryCode: "code"
    case .newPassword: "password"
    }
  }
}

extension ByteBuffer {
  /// The screen, written like a screen of a flow definition. Its buttons are those of the screen on which the login began.
  mutating func append(screenOf challenge: AccountChallenge) {
    switch challenge {
    case .recoveryCode:
      append(
        #"{"id":"recoveryCode","title":"recoveryCode.title","sections":[{"id":"recoveryCode","items":["#)
      append(#"{"id":"about","kind":"text","title":"recoveryCode.text"},"#)
      append(#"{"id":"code","apiKey":"code","kind":"input","inputType":"oneTimeCode","keyboard":"ascii","#)
      append(#""autofill":"one-time-code","title":"recoveryCode.code","rules":["#)
      appendRule("required", .recoveryCodeMissing)
    case .newPassword:
      append(#"{"id":"newPassword","title":"newPassword.heading","sections":[{"id":"newPassword","items":["#)
      append(#"{"id":"about","kind":"text","title":"newPassword.text"},"#)
      append(#"{"id":"password","apiKey":"password","kind":"input","inputType":"newPassword","#)
      append(#""autofill":"new-password","title":"newPassword.title","rules":["#)
      appendRule("required", .newPasswordMissing)
      append(",")
      appendRule("minLength", .passwordTooShort, #""length":"#, UInt64(AccountValues.minimumPasswordLength))
      append(#"]},{"id":"repetition","kind":"input","inputType":"newPassword","#)
      append(#""autofill":"new-password","title":"newPassword.repetition","rules":["#)
      appendRule("required", .newPasswordRepetitionMissing)
      append(",")
      appendRule("equalTo", .newPasswordDifferent, #""item":"password""#)
    }
    append("]}]}]}")
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
