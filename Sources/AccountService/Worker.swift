import AccountStore
import SecretMemory

/// The result of a request.
struct Finished: Sendable {
  enum Answer: Sendable {
    case login(LoginOutcome)
    case setup(RegistrationOutcome)
    /// A sign-up whose address has to be confirmed.
    case signUp(SignUpOutcome)
    /// Another code for one.
    case renewed(SignUpOutcome, of: PendingSignUp)
    case confirmed(ConfirmationOutcome, PendingSignUp)
    case forgotPassword(ResetRequestOutcome)
    /// With the account that has another password now.
    case resetPassword(ResetOutcome, of: Account?)
    case code(CodeOutcome, to: PendingLogin, key: String)
    case newPassword(NewPasswordOutcome, to: PendingLogin, key: String)
    case check(RefusedValue?)
    /// `key` is that of the answer, nil for the first request.
    case person(PersonOutcome, key: String?)
    /// There were so many failures of this client that it has to wait.
    case clientThrottled(retryAfterMs: Int64)
    case failed(AccountStoreError)
  }

  /// Nil if the request was withdrawn before a worker began it.
  let answered: (request: Request, answer: Answer)?
}

/// Processes requests, on any thread.
struct Worker: Sendable {
  let board: RequestBoard
  let stores: StorePool
  /// Whether and how addresses are confirmed.
  let confirmation: Confirmation

  func work(on ticket: RequestBoard.Ticket) -> Finished {
    guard let request = board.claim(ticket) else { return Finished(answered: nil) }
    do throws(AccountStoreError) {
      let answer = try stores.with { store throws(AccountStoreError) -> Finished.Answer in
        guard let client = request.client else { return try process(request, store) }
        return try process(request, store, of: client)
      }
      return Finished(answered: (request, answer))
    } catch {
      return Finished(answered: (request, .failed(error)))
    }
  }

  /// Every attempt of a client counts, and a success not after all.
  private func process(
    _ request: Request, _ store: AccountStore, of client: ClientAddress
  ) throws(AccountStoreError) -> Finished.Answer {
    if let wait = try store.countAttempt(of: client, now: request.now) { return .clientThrottled(retryAfterMs: wait) }
    let answer = try process(request, store)
    switch answer {
    case .login(.accepted), .login(.pending), .setup(.accepted), .resetPassword(.done), .person(.status, _),
      .person(.asked, _), .person(.done, _), .person(.deleted, _):
      // What was done is on disk, whatever becomes of this.
      do throws(AccountStoreError) { try store.takeBackAttempt(of: client) } catch {}
    default: break
    }
    return answer
  }

  private func process(_ request: Request, _ store: AccountStore) throws(AccountStoreError) -> Finished.Answer {
    switch request.task {
    case .login(let identifier, _):
      let outcome = try request.password.withBytes { bytes throws(AccountStoreError) in
        try store.login(identifier: identifier, password: bytes, now: request.now)
      }
      return .login(outcome)
    case .setup(let email, let userName, let attributes, let key) where confirmation != .none:
      let outcome = try request.password.withBytes { bytes throws(AccountStoreError) in
        try store.beginSignUp(
          email: email, userName: userName, password: bytes, attributes: attributes, key: key,
          concealsTaken: confirmation == .concealing, now: request.now)
      }
      return .signUp(outcome)
    case .resendCode(let signUp, key: _): return .renewed(try store.renewCode(of: signUp, now: request.now), of: signUp)
    case .confirmEmail(let signUp):
      let outcome = try request.code.withBytes { code throws(AccountStoreError) in
        try store.confirm(signUp, code: code, now: request.now)
      }
      return .confirmed(outcome, signUp)
    case .setup(let email, let userName, let attributes, let key):
      let outcome = try request.password.withBytes { bytes throws(AccountStoreError) in
        try store.register(
          email: email, userName: userName, password: bytes, attributes: attributes, key: key, now: request.now)
      }
      return .setup(outcome)
    case .forgotPassword(let email, let requester):
      return .forgotPassword(try store.requestReset(email: email, requester: requester, now: request.now))
    case .resetPassword(let email, let key, let requester):
      let outcome = try request.code.withBytes { code throws(AccountStoreError) in
        try request.password.withBytes { password throws(AccountStoreError) in
          try store.resetPassword(
            email: email, code: code, password: password, key: key, requester: requester, now: request.now)
        }
      }
      return .resetPassword(outcome, of: outcome == .done ? try store.account(identifier: email) : nil)
    case .oneTimeCode(let login, let key):
      let outcome = try request.code.withBytes { code throws(AccountStoreError) in
        try store.useOneTimeCode(code, for: login, key: key, now: request.now)
      }
      return .code(outcome, to: login, key: key)
    case .recoveryCode(let login, let key):
      let outcome = try request.code.withBytes { code throws(AccountStoreError) in
        try store.useRecoveryCode(code, for: login, key: key, now: request.now)
      }
      return .code(outcome, to: login, key: key)
    case .newPassword(let login, let key):
      let outcome = try request.password.withBytes { password throws(AccountStoreError) in
        try store.replaceExpiredPassword(of: login, with: password, key: key, now: request.now)
      }
      return .newPassword(outcome, to: login, key: key)
    case .person(let change, let principal):
      return .person(try begin(change, principal: principal, request, store), key: nil)
    case .personAnswer(let step, let change, let key):
      return .person(try answer(step, of: change, key: key, request, store), key: key)
    case .check(let name, let field):
      let isTaken = try store.isTaken(name, as: field, now: request.now)
      return .check(isTaken ? RefusedValue(field, .taken) : nil)
    }
  }
}
