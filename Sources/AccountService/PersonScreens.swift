import AccountStore
import JSONCodec
import OneTimeCodes
import SecretMemory

/// Replies about what a person who is in wants.
extension ByteBuffer {
  /// - Parameter issuer: the name that an authenticator app shows.
  mutating func appendLine(_ outcome: PersonOutcome, issuer: String, id: [UInt8]) {
    appendResult(id: id) { buffer in
      switch outcome {
      case .status(let status): buffer.append(status)
      case .asked(let step):
        buffer.append(#""challenge","screen":"#)
        buffer.append(screenOf: step, issuer: issuer)
        buffer.append(#","expiresInMs":"#)
        buffer.append(decimal: UInt64(clamping: Conversation.lifetimeMs))
      case .done(let message, of: _):
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
      case .refused(let message):
        buffer.append(#""challenge","error":"#)
        buffer.append(message)
        buffer.append(#","items":{"code":["#)
        buffer.append(message)
        buffer.append("]}")
      case .throttled(let wait): buffer.append(throttled: wait)
      }
    }
  }

  /// A notice that says what there is to know of an account.
  private mutating func append(_ status: AccountStatus) {
    let message: AccountMessage =
      status.hasOneTimeCodes
      ? .accountOneTimeCodes : status.recoveryCodesLeft == nil ? .accountPassword : .accountRecoveryCodes
    append(#""notice","message":{"code":""#)
    append(message.rawValue)
    append(#"","params":{"userName":"#)
    appendJSONString(status.account.userName)
    append(#","email":"#)
    appendJSONString(status.account.email)
    if message != .accountPassword {
      append(#","left":"#)
      append(decimal: UInt64(clamping: status.recoveryCodesLeft ?? 0))
    }
    append("}}")
  }

  private mutating func append(screenOf step: PersonStep, issuer: String) {
    switch step {
    case .proof(let login):
      if let challenge = AccountChallenge(login) { append(screenOf: challenge) }
    case .enrolment(let proof, let secret):
      append(#"{"id":"enrolment","title":"oneTimeCodes.title","sections":[{"id":"key","items":["#)
      append(#"{"id":"about","kind":"text","title":"oneTimeCodes.about"},"#)
      append(#"{"id":"key","kind":"code","title":"oneTimeCodes.scan","format":"qr","text":"#)
      secret.uri(issuer: issuer, account: proof.account.email).withBytes { appendJSONString($0) }
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
    }
  }
}
