package import AccountStore
import JSONCodec

/// What a login asks after its password, as a screen that the engine shows. Its texts are the flow's.
package enum PendingQuestion {
  case recoveryCode, newPassword

  /// Nil when nothing is asked.
  package init?(_ demand: PendingLogin.Demand) {
    switch demand {
    case .recoveryCode: self = .recoveryCode
    case .newPassword: self = .newPassword
    case .nothing: return nil
    }
  }

  /// The item of the screen that a message is about.
  var apiKey: StaticString {
    switch self {
    case .recoveryCode: "code"
    case .newPassword: "password"
    }
  }
}

extension ByteBuffer {
  /// The screen as a flow definition would have it. Its buttons are those of the screen that the login began on.
  mutating func append(screen question: PendingQuestion) {
    switch question {
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
