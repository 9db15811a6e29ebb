import Accounts

extension MailDraft {
  /// Returns the mails that are sent after an answer to the engine: mailed codes, or notices of
  /// changes to an account.
  static func following(_ answer: Finished.Answer, to request: Request) -> [MailDraft] {
    switch answer {
    case .forgotPassword(.taken(let issued)):
      [MailDraft(.reset, issued, locale: request.locale, now: request.now, place: request.place)]
    case .login(.rejectedLocking(let account)):
      [MailDraft(.locked, toOwnerOf: account, locale: request.locale, now: request.now)]
    case .resetPassword(.done, of: let account?): [notice(.passwordChanged, to: account, request)]
    case .resetPassword(.doneRemovingFactors, of: let account?):
      [notice(.passwordChanged, to: account, request), notice(.factorsTaken, to: account, request)]
    case .step(let result, to: let step, key: _): following(result, to: step, request)
    case .signUp(.pending(let signUp)), .renewed(.pending(let signUp), of: _):
      [code(signUp.code, isTaken: signUp.isTaken, request)]
    case .person(.sent(.emailCode(let change)), key: _): [code(change.code, isTaken: change.isTaken, request)]
    case .person(.done(let change, of: let account, let before), key: _):
      following(change, of: account, before, request)
    default: []
    }
  }

  private static func following(_ result: StepResult, to step: ConversationStep, _ request: Request) -> [MailDraft] {
    switch (result.outcome, step.question) {
    case (.accepted(let account), _) where result.passwordChanged: [notice(.passwordChanged, to: account, request)]
    case (.printed(let codes), _): [notice(.recoveryCodes, to: codes.account, request)]
    case (.done, .newPasskey(let holder)): [notice(.passkey, to: holder.owner.account, request)]
    default: []
    }
  }

  /// Returns the notices to mail after a logged-in user has changed the account.
  private static func following(
    _ change: AccountMessage, of account: Account, _ before: Account?, _ request: Request
  ) -> [MailDraft] {
    switch change {
    case .passwordChanged: [notice(.passwordChanged, to: account, request)]
    case .oneTimeCodesOn: [notice(.oneTimeCodes, to: account, request)]
    case .oneTimeCodesOff: [notice(.oneTimeCodesOff, to: account, request)]
    case .recoveryCodesReplaced: [notice(.recoveryCodes, to: account, request)]
    case .passkeyAdded: [notice(.passkey, to: account, request)]
    case .passkeyRemoved: [notice(.passkeyOff, to: account, request)]
    case .emailChanged:
      (before.map { [notice(.emailChanged, to: $0, request)] } ?? []) + [notice(.emailNew, to: account, request)]
    case .emailChangedTaking:
      following(.emailChanged, of: account, before, request) + [notice(.factorsTaken, to: account, request)]
    default: []
    }
  }

  /// Returns the notice that someone entered the right password but failed at the second factor.
  static func failedLogin(_ step: ConversationStep, _ request: Request) -> MailDraft? {
    guard case .demand(let login) = step.question else { return nil }
    return notice(.failedLogin, to: login.account, request)
  }

  private static func notice(_ kind: MailKind, to account: Account, _ request: Request) -> MailDraft {
    MailDraft(kind, to: account, locale: request.locale, now: request.now)
  }

  private static func code(_ code: MailedCode, isTaken: Bool, _ request: Request) -> MailDraft {
    MailDraft(
      isTaken ? .taken : .confirm, code.issued, locale: request.locale, now: request.now, place: request.place)
  }
}
