import Accounts
import SecretMemory

/// Makes the changes that logged-in users ask for.
extension Worker {
  /// Checks the password of a logged-in user. If the account requires nothing more, makes the
  /// change, or asks for what the change needs.
  func begin(
    _ change: AccountChange, principal: String, _ request: Request, _ store: AccountStore
  ) throws(AccountStoreError) -> UserOutcome {
    switch change {
    case .status:
      guard let status = try store.accountStatus(identifier: principal) else { return .rejected(.accountGone) }
      return .status(
        status, passkeys: try store.passkeys(of: status.account).count,
        devices: try store.rememberedDevices(identifier: principal, now: request.now)?.count ?? 0)
    case .password(let key):
      let isDone = try request.newPassword.withBytes { bytes throws(AccountStoreError) in
        try store.hasSetPassword(principal: principal, key: key, password: bytes, now: request.now)
      }
      if isDone, let account = try store.account(identifier: principal) { return .done(.passwordChanged, of: account) }
    case .delete:
      // The account may be gone because this request is repeated after the first answer was lost.
      guard try store.account(identifier: principal) != nil else { return .deleted }
    case .enrolOneTimeCodes, .removeOneTimeCodes, .newRecoveryCodes, .email, .passkeys, .forgetDevices: break
    }
    let outcome = try request.password.withBytes { bytes throws(AccountStoreError) in
      try store.prove(principal: principal, password: bytes, now: request.now)
    }
    switch outcome {
    case .proven(let proof): return try make(change, proof, newPassword: nil, request, store)
    case .pending(let login):
      guard case .password = change else { return .asked(.proof(login)) }
      // Only the hash of the new password is kept while the user is asked for a code, so that the
      // password does not stay in memory.
      switch try preparedPassword(for: login, request, store) {
      case .ready(let prepared): return .asked(.proof(login, prepared))
      case .refused(let problem): return refused(newPassword: problem)
      }
    case .rejected: return .rejected(.passwordWrong, item: "password")
    case .throttled(let wait): return .throttled(retryAfterMs: wait)
    case .locked: return .rejected(.tooManyFailures)
    case .disabled: return .rejected(.accountDisabled)
    case .gone: return .rejected(.accountGone)
    }
  }

  /// Checks a logged-in user's answer to a step.
  func settle(
    _ answer: UserAnswer, to step: UserStep, of change: AccountChange, key: String, _ request: Request,
    _ store: AccountStore
  ) throws(AccountStoreError) -> UserOutcome {
    switch step {
    case .proof(let login, let newPassword):
      let outcome = try request.code.withBytes { code throws(AccountStoreError) in
        login.demand == .oneTimeCode
          ? try store.useOneTimeCode(code, for: login, key: key, now: request.now)
          : try store.useRecoveryCode(code, for: login, key: key, now: request.now)
      }
      switch outcome {
      case .accepted, .pending: return try make(change, login.proof, newPassword: newPassword, request, store)
      case .rejected: return .refused(login.demand == .oneTimeCode ? .oneTimeCodeInvalid : .recoveryCodeInvalid)
      case .throttled(let wait): return .throttled(retryAfterMs: wait)
      case .locked: return .refused(login.demand == .oneTimeCode ? .oneTimeCodeLocked : .recoveryCodeLocked)
      case .over: return .rejected(.challengeExpired)
      }
    case .enrolment(let proof, let secret):
      let outcome = try request.code.withBytes { code throws(AccountStoreError) in
        try store.enrol(by: proof, secret: secret, code: code, now: request.now)
      }
      switch outcome {
      case .done: return .done(.oneTimeCodesOn, of: proof.account)
      case .wrongCode: return .refused(.oneTimeCodeInvalid)
      case .noSuchAccount: return .rejected(.challengeExpired)
      }
    case .recoveryCodes(let proof, let codes):
      return try store.storeRecoveryCodes(codes, by: proof)
        ? .done(.recoveryCodesReplaced, of: proof.account) : .rejected(.challengeExpired)
    case .newEmail(let proof):
      guard case .email(let email) = answer else { return .rejected(.challengeExpired) }
      let conceals = settings.confirmation == .concealing
      return outcome(
        try store.beginEmailChange(
          by: proof, to: email, concealsTaken: conceals, client: request.client, now: request.now))
    case .emailCode(let change):
      if case .resend = answer { return outcome(try store.renewCode(of: change, now: request.now)) }
      let confirmed = try request.code.withBytes { code throws(AccountStoreError) in
        try store.confirm(change, code: code, now: request.now)
      }
      switch confirmed {
      case .changed(let account): return .done(.emailChanged, of: account, before: change.account)
      case .changedRemovingFactors(let account): return .done(.emailChangedTaking, of: account, before: change.account)
      case .rejected: return .refused(.emailCodeInvalid)
      case .taken: return .rejected(.emailTaken)
      case .over: return .rejected(.challengeExpired)
      }
    case .passkeys(let proof, _, canAdd: _):
      guard case .passkey(let id) = answer else { return try askForPasskey(proof, store) }
      return try store.removePasskey(id: id, by: proof)
        ? .done(.passkeyRemoved, of: proof.account) : .rejected(.challengeExpired)
    case .newPasskey(let holder, let nonce):
      switch try register(holder, nonce: nonce, key, request, store) {
      case .done: return .done(.passkeyAdded, of: holder.owner.account)
      case .over: return .rejected(.challengeExpired)
      case .known, .tooMany, nil: return .renewed(.newPasskey(holder, nonce: ConversationStep.nonce()), .passkeyInvalid)
      }
    }
  }

  private func preparedPassword(
    for login: PendingLogin, _ request: Request, _ store: AccountStore
  ) throws(AccountStoreError) -> PasswordPreparation {
    try request.newPassword.withBytes { bytes throws(AccountStoreError) in
      try store.preparePassword(bytes, for: login)
    }
  }

  private func refused(newPassword problem: ValueProblem) -> UserOutcome {
    .rejected(AccountMessage(newPassword: problem), item: "new_password", minimum: problem.minimum)
  }

  /// Makes the change that a logged-in user asks for, or asks for what the change needs.
  ///
  /// - Parameter newPassword: The hash of the new password, if it was kept while the user was asked
  ///   for a code.
  private func make(
    _ change: AccountChange, _ proof: PendingLogin, newPassword: PreparedPassword?, _ request: Request,
    _ store: AccountStore
  ) throws(AccountStoreError) -> UserOutcome {
    switch change {
    case .status: return .rejected(.challengeExpired)
    case .password(let key):
      let outcome =
        if let newPassword {
          try store.replacePassword(of: proof, with: newPassword, key: key, now: request.now)
        } else {
          try request.newPassword.withBytes { bytes throws(AccountStoreError) in
            try store.replaceExpiredPassword(of: proof, with: bytes, key: key, now: request.now)
          }
        }
      switch outcome {
      case .accepted(let account): return .done(.passwordChanged, of: account)
      case .refused(let problem): return refused(newPassword: problem)
      case .over: return .rejected(.challengeExpired)
      }
    case .enrolOneTimeCodes: return .asked(.enrolment(proof, .random()))
    case .removeOneTimeCodes:
      guard try store.hasOneTimeCodes(proof) else { return .rejected(.oneTimeCodesMissing) }
      return try store.removeOneTimeCodes(by: proof)
        ? .done(.oneTimeCodesOff, of: proof.account) : .rejected(.challengeExpired)
    case .newRecoveryCodes:
      // Without one-time codes, every login would use up a recovery code.
      guard try store.hasOneTimeCodes(proof) else { return .rejected(.oneTimeCodesMissing) }
      return .asked(.recoveryCodes(proof, try store.prepareRecoveryCodes(for: proof.account, count: Self.codeCount)))
    case .delete: return try store.delete(by: proof) ? .deleted : .rejected(.challengeExpired)
    case .email: return .asked(.newEmail(proof))
    case .passkeys:
      guard let passkeys = try store.passkeys(by: proof) else { return .rejected(.challengeExpired) }
      let canMake = settings.relyingParty != nil && request.view.makesPasskeys
      if passkeys.isEmpty { return canMake ? try askForPasskey(proof, store) : .rejected(.passkeysNone) }
      return .asked(.passkeys(proof, passkeys, canAdd: canMake && passkeys.count < AccountStore.maximumPasskeys))
    case .forgetDevices:
      return try store.forgetDevices(by: proof)
        ? .done(.devicesForgotten, of: proof.account) : .rejected(.challengeExpired)
    }
  }

  private func askForPasskey(
    _ proof: PendingLogin, _ store: AccountStore
  ) throws(AccountStoreError) -> UserOutcome {
    let holder = try store.passkeyHolder(by: proof)
    return holder.map { .asked(.newPasskey($0, nonce: ConversationStep.nonce())) } ?? .rejected(.challengeExpired)
  }

  private func outcome(_ request: EmailChangeRequestOutcome) -> UserOutcome {
    switch request {
    case .pending(let change): .sent(.emailCode(change))
    case .refused(let problem): .refused(AccountMessage(newEmail: problem), item: "email")
    case .throttled(let wait): .throttled(retryAfterMs: wait)
    case .over: .rejected(.challengeExpired)
    }
  }

  /// The number of recovery codes that a user gets at one time.
  private static var codeCount: Int { 10 }
}
