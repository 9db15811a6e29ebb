import Accounts
import JSONCodec
import WebAuthn

/// Writes the screens of challenges, in the format of the screens in a flow definition. The view
/// shows them with the buttons of the screen where the login started.
extension ByteBuffer {
  mutating func append(screenOf challenge: AccountChallenge) {
    switch challenge {
    case .oneTimeCode:
      appendHead("oneTimeCode", title: "oneTimeCode.title")
      append(#"{"id":"code","apiKey":"code","kind":"input","inputType":"oneTimeCode","keyboard":"number","#)
      append(#""autofill":"one-time-code","title":"oneTimeCode.code","rules":["#)
      appendRule("required", .oneTimeCodeMissing)
      append("]}")
    case .recoveryCode:
      appendHead("recoveryCode", title: "recoveryCode.title")
      append(#"{"id":"code","apiKey":"code","kind":"input","inputType":"oneTimeCode","keyboard":"ascii","#)
      append(#""autofill":"one-time-code","title":"recoveryCode.code","rules":["#)
      appendRule("required", .recoveryCodeMissing)
      append("]}")
    case .passkey(let request, _, _):
      appendHead("passkey", title: "passkey.title")
      appendExternalItem("webauthn.get", title: "passkey.item")
      append(request)
      append("}")
    case .newPasskey(let creation):
      appendHead("newPasskey", title: "newPasskey.title")
      appendExternalItem("webauthn.create", title: "newPasskey.item")
      append(creation)
      append("}")
    case .emailCode(let email):
      appendHead("emailCode", title: "emailCode.title")
      append(#"{"id":"email","kind":"input","inputType":"email","title":"email.title","readOnly":true,"value":"#)
      appendJSONString(email)
      append(#"},{"id":"code","apiKey":"code","kind":"input","inputType":"oneTimeCode","keyboard":"ascii","#)
      append(#""autofill":"one-time-code","title":"emailCode.code","rules":["#)
      appendRule("required", .emailCodeMissing)
      append("]}")
    case .newPassword(let email, let minimumLength):
      appendHead("newPassword", title: "newPassword.heading")
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
      append("]}")
    case .newRecoveryCodes, .shownRecoveryCodes:
      appendHead("newRecoveryCodes", title: "newRecoveryCodes.title", hasMore: false)
    }
    if challenge.asksToRemember {
      append(
        #",{"id":"remember","apiKey":"remember_device","kind":"switch","title":"rememberDevice.title","value":false}"#)
    }
    append("]}]")
    var isFirst = true
    if case .emailCode = challenge {
      append(#","links":[{"id":"resend","title":"emailCode.resend"}"#)
      isFirst = false
    }
    for link in challenge.links { appendLink(link.id, title: ".instead", &isFirst) }
    if challenge.isOffer {
      append(#","links":[{"id":""#)
      append(AccountChallenge.later)
      append(#"","title":"challenge.later"}"#)
      isFirst = false
    }
    append(isFirst ? "}" : "]}")
  }

  /// Appends the screen that shows new recovery codes, one numbered item for each code.
  mutating func append(screenOf codes: PrintedCodes) {
    appendHead("recoveryCodes", title: "recoveryCodes.title")
    var number: UInt64 = 0
    codes.withLines { lines in
      for line in lines.split(separator: UInt8(ascii: "\n")) {
        number += 1
        append(number == 1 ? #"{"id":"code"# : #",{"id":"code"#)
        append(decimal: number)
        append(#"","kind":"code","format":"plain","title":""#)
        append(decimal: number)
        append(#"","text":""#)
        append(UnsafeRawBufferPointer(rebasing: line))
        append(#""}"#)
      }
    }
    append("]}]}")
  }

  /// Appends the beginning of a screen, up to and including its text item. The screen has one
  /// section, whose id is that of the screen.
  ///
  /// - Parameter hasMore: Whether other items follow the text item.
  private mutating func appendHead(_ id: StaticString, title: StaticString, hasMore: Bool = true) {
    append(#"{"id":""#)
    append(id)
    append(#"","title":""#)
    append(title)
    append(#"","sections":[{"id":""#)
    append(id)
    append(#"","items":[{"id":"about","kind":"text","title":""#)
    append(id)
    append(hasMore ? #".text"},"# : #".text"}"#)
  }

  /// Appends the beginning of an external item for a passkey operation. The caller appends the
  /// request to the browser after it.
  private mutating func appendExternalItem(_ type: StaticString, title: StaticString) {
    append(#"{"id":"passkey","apiKey":"passkey","kind":"external","type":""#)
    append(type)
    append(#"","title":""#)
    append(title)
    append(#"","rules":["#)
    appendRule("required", .passkeyMissing)
    append(#"],"request":"#)
  }

  private mutating func appendLink(_ id: StaticString, title: StaticString, _ isFirst: inout Bool) {
    append(isFirst ? #","links":["# : ",")
    isFirst = false
    append(#"{"id":""#)
    append(id)
    append(#"","title":""#)
    append(id)
    append(title)
    append(#""}"#)
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

/// Writes requests to browsers, in the JSON format of WebAuthn, Level 3, sections 5.1.8 and 5.1.9.
extension ByteBuffer {
  /// Appends `PublicKeyCredentialRequestOptionsJSON`. The passkey must verify the user if the login
  /// has not asked for a password before.
  private mutating func append(_ request: AccountChallenge.PasskeyRequest) {
    append(#"{"challenge":""#)
    append(Base64URL.encode(request.nonce))
    append(#"","timeout":"#)
    append(decimal: UInt64(clamping: Conversation.lifetimeMs))
    append(#","rpId":"#)
    appendJSONString(request.relyingParty)
    append(#","allowCredentials":"#)
    append(descriptors: request.allowed)
    append(#","userVerification":""#)
    append(request.allowed.isEmpty ? "required" : "preferred")
    append(#""}"#)
  }

  /// Appends `PublicKeyCredentialCreationOptionsJSON`, which asks for a discoverable credential
  /// with user verification.
  private mutating func append(_ creation: AccountChallenge.PasskeyCreation) {
    let account = creation.holder.owner.account
    append(#"{"rp":{"id":"#)
    appendJSONString(creation.relyingParty)
    append(#","name":"#)
    appendJSONString(creation.relyingParty)
    append(#"},"user":{"id":""#)
    append(Base64URL.encode(creation.holder.userHandle))
    append(#"","name":"#)
    appendJSONString(account.email)
    append(#","displayName":"#)
    appendJSONString(account.userName)
    append(#"},"challenge":""#)
    append(Base64URL.encode(creation.nonce))
    append(#"","pubKeyCredParams":["#)
    for (index, algorithm) in PublicKey.algorithms.enumerated() {
      append(index == 0 ? #"{"type":"public-key","alg":-"# : #",{"type":"public-key","alg":-"#)
      append(decimal: UInt64(algorithm.magnitude))
      append("}")
    }
    append(#"],"timeout":"#)
    append(decimal: UInt64(clamping: Conversation.lifetimeMs))
    append(#","excludeCredentials":"#)
    append(descriptors: creation.holder.ids)
    append(#","authenticatorSelection":{"residentKey":"required","requireResidentKey":true,"#)
    append(#""userVerification":"required"},"attestation":"none"}"#)
  }

  private mutating func append(descriptors ids: [[UInt8]]) {
    append("[")
    for (index, id) in ids.enumerated() {
      append(index == 0 ? #"{"type":"public-key","id":""# : #",{"type":"public-key","id":""#)
      append(Base64URL.encode(id))
      append(#""}"#)
    }
    append("]")
  }
}
