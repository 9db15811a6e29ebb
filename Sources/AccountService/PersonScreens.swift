import AccountStore
import JSONCodec
import OneTimeCodes
import SecretMemory
import WebAuthn

/// Replies about what a person who is in wants.
extension ByteBuffer {
  mutating func appendLine(_ outcome: PersonOutcome, _ settings: ServiceSettings, id: [UInt8]) {
    appendResult(id: id) { buffer in
      switch outcome {
      case .status(let status, let passkeys, let devices): buffer.append(status, passkeys: passkeys, devices: devices)
      case .asked(let step):
        buffer.append(#""challenge","#)
        buffer.append(asking: step, settings)
      case .sent(let step):
        buffer.append(#""challenge","notice":"#)
        buffer.append(.emailCodeSent)
        buffer.append(",")
        buffer.append(asking: step, settings)
      case .renewed(let step, let message):
        buffer.append(#""challenge","error":"#)
        buffer.append(message)
        buffer.append(",")
        buffer.append(asking: step, settings)
      case .done(let message, of: _, before: _):
        buffer.append(#""notice","message":"#)
        buffer.append(message)
      case .deleted: buffer.append(#""accepted","data":{"deleted":true}"#)
      case .rejected(let reason, let item, let minimum):
        buffer.append(rejected: reason)
        guard let item else { return }
        buffer.append(#","items":{""#)
        buffer.append(item)
        buffer.append(#"":["#)
        buffer.append(reason, minimum: minimum)
        buffer.append("]}")
      case .refused(let message, let item):
        buffer.append(#""challenge","error":"#)
        buffer.append(message)
        buffer.append(#","items":{""#)
        buffer.append(item)
        buffer.append(#"":["#)
        buffer.append(message)
        buffer.append("]}")
      case .throttled(let wait): buffer.append(throttled: wait)
      }
    }
  }

  /// A notice that says what there is to know of an account.
  private mutating func append(_ status: AccountStatus, passkeys: Int, devices: Int) {
    let message: AccountMessage =
      status.hasOneTimeCodes
      ? .accountOneTimeCodes : status.recoveryCodesLeft == nil ? .accountPassword : .accountRecoveryCodes
    append(#""notice","message":{"code":""#)
    append(message.rawValue)
    append(#"","params":{"userName":"#)
    appendJSONString(status.account.userName)
    append(#","email":"#)
    appendJSONString(status.account.email)
    append(#","passkeys":"#)
    append(decimal: UInt64(clamping: passkeys))
    append(#","devices":"#)
    append(decimal: UInt64(clamping: devices))
    if message != .accountPassword {
      append(#","left":"#)
      append(decimal: UInt64(clamping: status.recoveryCodesLeft ?? 0))
    }
    append("}}")
  }

  private mutating func append(asking step: PersonStep, _ settings: ServiceSettings) {
    append(#""screen":"#)
    append(screenOf: step, settings)
    append(#","expiresInMs":"#)
    append(decimal: UInt64(clamping: step.lifetimeMs))
  }

  private mutating func append(screenOf step: PersonStep, _ settings: ServiceSettings) {
    switch step {
    case .proof(let login, _):
      if let challenge = AccountChallenge(login) { append(screenOf: challenge) }
    case .enrolment(let proof, let secret):
      append(#"{"id":"enrolment","title":"oneTimeCodes.title","sections":[{"id":"key","items":["#)
      append(#"{"id":"about","kind":"text","title":"oneTimeCodes.about"},"#)
      append(#"{"id":"key","kind":"code","title":"oneTimeCodes.scan","format":"qr","text":"#)
      secret.uri(issuer: settings.issuer, account: proof.account.email).withBytes { appendJSONString($0) }
      append(
        #"},{"id":"typed","kind":"code","title":"oneTimeCodes.type","emphasis":"subdued","format":"plain","text":"#)
      secret.text().withBytes { appendJSONString($0) }
      append(#"},{"id":"code","apiKey":"code","kind":"input","inputType":"oneTimeCode","keyboard":"number","#)
      append(#""autofill":"one-time-code","title":"oneTimeCode.code","rules":[{"rule":"required","message":""#)
      append(AccountMessage.oneTimeCodeMissing.rawValue)
      append(#""}]}]}],"actions":{"submit":{"id":"turnOn","title":"oneTimeCodes.turnOn"}}}"#)
    case .recoveryCodes(_, let codes):
      append(#"{"id":"recoveryCodes","title":"recoveryCodes.title","sections":[{"id":"codes","items":["#)
      append(#"{"id":"about","kind":"text","title":"recoveryCodes.about"}"#)
      var number: UInt64 = 0
      codes.printed.forEach { code in
        number += 1
        append(#",{"id":"code"#)
        append(decimal: number)
        append(#"","kind":"code","format":"plain","text":"#)
        appendJSONString(code)
        append("}")
      }
      append(#"]}],"actions":{"submit":{"id":"kept","title":"recoveryCodes.kept"}}}"#)
    case .newEmail:
      append(#"{"id":"newEmail","title":"newEmail.title","sections":[{"id":"newEmail","items":["#)
      append(#"{"id":"about","kind":"text","title":"newEmail.text"},"#)
      append(#"{"id":"email","apiKey":"email","kind":"input","inputType":"email","autofill":"email","#)
      append(#""title":"newEmail.item","rules":[{"rule":"required","message":""#)
      append(AccountMessage.emailMissing.rawValue)
      append(#""},{"rule":"email","message":""#)
      append(AccountMessage.emailInvalid.rawValue)
      append(#""}]}]}],"actions":{"submit":{"id":"send","title":"newEmail.submit"}}}"#)
    case .emailCode(let change): append(screenOf: .emailCode(email: change.email))
    case .passkeys(_, let passkeys, let canAdd): append(screenOf: passkeys, canAdd: canAdd)
    case .newPasskey(let holder, let nonce):
      let creation = AccountChallenge.PasskeyCreation(
        relyingParty: settings.relyingParty?.id ?? "", nonce: nonce, holder: holder, isOffer: false)
      append(screenOf: .newPasskey(creation))
    }
  }

  /// The passkeys by number, each with the day on which it was made, and that of its last use.
  private mutating func append(screenOf passkeys: [Passkey], canAdd: Bool) {
    append(#"{"id":"passkeys","title":"passkeys.title","sections":[{"id":"passkeys","items":["#)
    append(#"{"id":"about","kind":"text","title":"passkeys.text"},"#)
    append(#"{"id":"passkey","apiKey":"passkey","kind":"selection","title":"passkeys.item","value":null,"options":["#)
    for (index, passkey) in passkeys.enumerated() {
      let number = "\(index + 1)"
      append(index == 0 ? #"{"id":""# : #",{"id":""#)
      append(number)
      append(#"","title":""#)
      append(number + ": " + CalendarTime(milliseconds: passkey.createdMs).date)
      if let used = passkey.usedMs { append(" → " + CalendarTime(milliseconds: used).date) }
      append(#""}"#)
    }
    append(#"],"rules":[{"rule":"required","message":""#)
    append(AccountMessage.passkeyUnchosen.rawValue)
    append(#""}]}]}],"actions":{"submit":{"id":"remove","title":"passkeys.remove"}}"#)
    if canAdd { append(#","links":[{"id":"newPasskey","title":"passkeys.add"}]"#) }
    append("}")
  }
}
