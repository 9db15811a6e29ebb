import Accounts
import AuthenticatorKit
import JSONCodec
import LoginMachine
import SecretMemory
import WebAuthn

extension AuthenticatorAnswer {
  /// Creates the answer to a request of a logged-in user.
  init(_ outcome: UserOutcome, _ settings: ServiceSettings) {
    switch outcome {
    case .status(let status, let passkeys, let devices):
      self = .notice(Message(status, passkeys: passkeys, devices: devices))
    case .asked(let step): self = .challenge(step.screen(settings))
    case .sent(let step): self = .challenge(step.screen(settings, notice: Message(.emailCodeSent)))
    case .renewed(let step, let message): self = .challenge(step.screen(settings, error: Message(message)))
    case .done(let message, of: _, before: _): self = .notice(Message(message))
    case .deleted: self = .accepted(data: Array(#"{"deleted":true}"#.utf8))
    case .rejected(let reason, let item, let minimum):
      let items = item.map { [ItemMessages("\($0)", [Message(reason, minimum: minimum)])] }
      self = .rejected(reason: reason.rawValue, items: items ?? [])
    case .refused(let message, let item): self = .challenge(.refused(Message(message), item))
    case .throttled(let wait): self = .throttled(wait)
    }
  }
}

extension Message {
  /// Creates the message that describes the state of an account.
  fileprivate init(_ status: AccountStatus, passkeys: Int, devices: Int) {
    let message: AccountMessage =
      status.hasOneTimeCodes
      ? .accountOneTimeCodes : status.recoveryCodesLeft == nil ? .accountPassword : .accountRecoveryCodes
    self.init(
      message.rawValue,
      [
        .init("userName", .text(status.account.userName)), .init("email", .text(status.account.email)),
        .init("passkeys", .number(String(passkeys))), .init("devices", .number(String(devices))),
      ])
    if message != .accountPassword {
      parameters.append(.init("left", .number(String(status.recoveryCodesLeft ?? 0))))
    }
  }
}

extension UserStep {
  /// Returns the challenge that shows the screen of this step to the user.
  fileprivate func screen(
    _ settings: ServiceSettings, error: Message? = nil, notice: Message? = nil
  ) -> AuthenticatorChallenge {
    AuthenticatorChallenge(
      screen: SensitiveJSON { $0.append(screenOf: self, settings) }, error: error, notice: notice,
      expiresInMs: UInt64(clamping: lifetimeMs))
  }
}

extension ByteBuffer {
  fileprivate mutating func append(screenOf step: UserStep, _ settings: ServiceSettings) {
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

  /// Appends the screen that lists an account's passkeys by number, each with the dates of its
  /// creation and its last use.
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
