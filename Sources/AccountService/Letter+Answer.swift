import AccountStore

extension Letter {
  /// The mail that follows an answer, if there is one: a code, or a notice of a change.
  init?(after answer: Finished.Answer, to request: Request) {
    let (locale, now) = (request.locale, request.now)
    switch answer {
    case .forgotPassword(.taken(let issued)): self.init(.reset, issued, locale: locale, now: now)
    case .resetPassword(.done, of: let account?):
      self.init(.passwordChanged, to: account, locale: locale, now: now)
    case .step(let result, to: _, key: _):
      switch result.outcome {
      case .accepted(let account) where result.passwordChanged:
        self.init(.passwordChanged, to: account, locale: locale, now: now)
      case .printed(let codes): self.init(.recoveryCodes, to: codes.account, locale: locale, now: now)
      default: return nil
      }
    case .signUp(.pending(let signUp)), .renewed(.pending(let signUp), of: _):
      self.init(signUp.isTaken ? .taken : .confirm, signUp.code.issued, locale: locale, now: now)
    case .person(.done(let change, of: let account), key: _):
      guard let kind = Self.notice(of: change) else { return nil }
      self.init(kind, to: account, locale: locale, now: now)
    default: return nil
    }
  }

  /// What tells a person by mail of what somebody who was in has changed.
  private static func notice(of change: AccountMessage) -> MailKind? {
    switch change {
    case .passwordChanged: .passwordChanged
    case .oneTimeCodesOn: .oneTimeCodes
    case .oneTimeCodesOff: .oneTimeCodesOff
    case .recoveryCodesReplaced: .recoveryCodes
    default: nil
    }
  }
}
