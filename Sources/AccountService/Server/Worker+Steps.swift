import Accounts
import SecretMemory
import Synchronization
import WebAuthn

/// Processes the answers to challenges.
extension Worker {
  func settle(
    _ step: ConversationStep, _ key: String, _ request: Request, _ store: AccountStore
  ) throws(AccountStoreError) -> StepResult {
    switch step.question {
    case .demand(let login):
      var result = try meet(login, step, key, request, store)
      if login.demand == .recoveryCode { result.codeUse = try store.recoveryCodeUse(key: key, of: login.account) }
      guard case .accepted(let account) = result.outcome else { return result }
      if request.remembersDevice, let lifetime = settings.deviceLifetimeMs {
        result.device = try store.rememberDevice(
          of: account, after: login, key: key, lifetimeMs: lifetime, now: request.now)
      }
      if !login.usedRememberedDevice { result.offer = offer(to: account, request, store) }
      return result
    case .passkeyAlone: return try logIn(step, key, request, store)
    case .newPasskey(let holder):
      switch try register(holder, nonce: step.nonce, key, request, store) {
      case .done: return StepResult(.done)
      case .known, .tooMany, nil: return StepResult(.wrong)
      case .over: return StepResult(.over)
      }
    case .newRecoveryCodes(let owner, let count):
      guard let codes = try store.printRecoveryCodes(for: owner, count: count) else { return StepResult(.over) }
      return StepResult(.printed(codes))
    case .shownRecoveryCodes: return StepResult(.done)
    }
  }

  private func meet(
    _ login: PendingLogin, _ step: ConversationStep, _ key: String, _ request: Request, _ store: AccountStore
  ) throws(AccountStoreError) -> StepResult {
    switch login.demand {
    case .oneTimeCode:
      return StepResult(
        code: try request.code.withBytes { code throws(AccountStoreError) in
          try store.useOneTimeCode(code, for: login, key: key, now: request.now)
        })
    case .recoveryCode:
      return StepResult(
        code: try request.code.withBytes { code throws(AccountStoreError) in
          try store.useRecoveryCode(code, for: login, key: key, now: request.now)
        })
    case .newPassword:
      return StepResult(
        newPassword: try request.password.withBytes { password throws(AccountStoreError) in
          try store.replaceExpiredPassword(of: login, with: password, key: key, now: request.now)
        })
    case .passkey:
      guard let use = try use(step, key, request, store, isAlone: false) else { return StepResult(.wrong) }
      return StepResult(code: try store.useAsSecondFactor(use, for: login, key: key, now: request.now))
    case .nothing: return StepResult(.over)
    }
  }

  private func logIn(
    _ step: ConversationStep, _ key: String, _ request: Request, _ store: AccountStore
  ) throws(AccountStoreError) -> StepResult {
    guard let use = try use(step, key, request, store, isAlone: true) else { return StepResult(.wrong) }
    switch try store.logIn(by: use, key: key, now: request.now) {
    case .accepted(let account): return StepResult(.accepted(account))
    case .rejected: return StepResult(.wrong)
    case .disabled: return StepResult(.disabled)
    case .over: return StepResult(.over)
    }
  }

  /// Verifies that a passkey was used. Returns nil if the passkey's answer is invalid.
  private func use(
    _ step: ConversationStep, _ key: String, _ request: Request, _ store: AccountStore, isAlone: Bool
  ) throws(AccountStoreError) -> PasskeyUse? {
    guard let party = settings.relyingParty else { return nil }
    guard
      let id = noting({ () throws(PasskeyRefusal) in
        try with(request) { (text) throws(PasskeyRefusal) in try RelyingParty.keyID(of: text) }
      })
    else { return nil }
    guard let known = try store.passkey(id: id) else {
      note(.unknownKey)
      return nil
    }
    let passkey = known.passkey
    let expected = RelyingParty.KnownKey(
      cose: passkey.publicKey, counter: passkey.counter, isBackupEligible: passkey.isBackupEligible,
      userHandle: known.userHandle)
    let use = noting { () throws(PasskeyRefusal) in
      try with(request) { (text) throws(PasskeyRefusal) in
        try party.authenticate(
          text, challenge: step.nonce, key: expected, isAlone: isAlone,
          allowsRepetition: passkey.repeats(challenge: step.nonce, key: key))
      }
    }
    return use.map {
      PasskeyUse(of: passkey, challenge: step.nonce, counter: $0.counter, isBackedUp: $0.isBackedUp)
    }
  }

  /// Registers the passkey in the request for an account. Returns nil if the passkey is invalid.
  func register(
    _ holder: PasskeyHolder, nonce: [UInt8], _ key: String, _ request: Request, _ store: AccountStore
  ) throws(AccountStoreError) -> PasskeyEnrolment? {
    guard let party = settings.relyingParty else { return .over }
    let new = noting { () throws(PasskeyRefusal) in
      try with(request) { (text) throws(PasskeyRefusal) in try party.register(text, challenge: nonce) }
    }
    guard let new else { return nil }
    let passkey = NewPasskey(
      id: new.id, publicKey: new.cose, counter: new.counter, isBackupEligible: new.isBackupEligible,
      isBackedUp: new.isBackedUp)
    let enrolment = try store.addPasskey(passkey, to: holder, key: key, now: request.now)
    switch enrolment {
    case .known, .tooMany: note(.known)
    case .done, .over: break
    }
    return enrolment
  }

  /// Returns what to offer a user who has met all demands of the account. If the offer cannot be
  /// determined, the login is accepted without one.
  func offer(
    to account: Account, isNew: Bool = false, _ request: Request, _ store: AccountStore
  ) -> ConversationStep.Question? {
    if let spent = try? store.spentRecoveryCodes(of: account) {
      return .newRecoveryCodes(spent.owner, count: spent.count)
    }
    guard settings.relyingParty != nil, request.view.makesPasskeys else { return nil }
    switch settings.passkeyOffer {
    case .never: return nil
    case .signUp where !isNew: return nil
    case .signUp, .logIn: break
    }
    guard let holder = try? store.passkeyHolder(of: account), holder.ids.isEmpty else { return nil }
    return .newPasskey(holder)
  }

  private func with<Result>(
    _ request: Request, _ body: (UnsafeRawBufferPointer) throws(PasskeyRefusal) -> Result
  ) throws(PasskeyRefusal) -> Result {
    try request.credential.withUnsafeBytes { text in
      Swift.Result { () throws(PasskeyRefusal) in try body(text) }
    }.get()
  }

  private func noting<Result>(_ body: () throws(PasskeyRefusal) -> Result) -> Result? {
    do throws(PasskeyRefusal) {
      return try body()
    } catch {
      note(error)
      return nil
    }
  }

  private static let refusals = Mutex(RateLimitedReport("A passkey is refused"))

  /// Writes to the log why a passkey is refused. The user does not see the reason.
  private func note(_ refusal: PasskeyRefusal) {
    Self.refusals.withLock { $0.report(refusal.explanation) }
  }
}
