import Accounts
import SecretMemory

/// The result of a worker's task.
struct Finished: Sendable {
  enum Answer: Sendable {
    case login(LoginOutcome)
    case setup(RegistrationOutcome)
    /// A sign-up has started, and its address must be confirmed.
    case signUp(SignUpOutcome)
    /// Another code was requested for a sign-up.
    case renewed(SignUpOutcome, of: PendingSignUp)
    case confirmed(ConfirmationOutcome, PendingSignUp, key: String)
    case forgotPassword(ResetRequestOutcome)
    /// A password was reset. `of` is the account whose password was changed.
    case resetPassword(ResetOutcome, of: Account?)
    /// A user's answer to a challenge was checked.
    case step(StepResult, to: ConversationStep, key: String)
    case check(RefusedValue?)
    /// A logged-in user's request or answer was processed. `key` is the idempotency key of the
    /// answer, and nil for the request that started the conversation.
    case person(UserOutcome, key: String?)
    /// The login that this process should continue has ended.
    case over
    /// There were so many failures of this client that the client has to wait.
    case clientThrottled(retryAfterMs: Int64)
    case failed(AccountStoreError)
  }

  /// The request and its answer. Nil if the task had no request, or if the request was withdrawn
  /// before a worker started it.
  let answered: (request: Request, answer: Answer)?
  /// What to offer the user when the request is accepted, if anything.
  var offer: ConversationStep.Question?
  /// Why the accounts could not be opened at the start.
  var problem: AccountStoreError?
}

/// A task for a worker.
enum Job: Sendable {
  /// Opens the accounts at the start, so that the log reports problems before the first login.
  case open
  case request(PendingRequests.Ticket)
}

/// Processes requests, on any thread.
struct Worker: Sendable {
  let board: PendingRequests
  let stores: StorePool
  let settings: ServiceSettings

  func work(on job: Job) -> Finished {
    switch job {
    case .open:
      do throws(AccountStoreError) { try stores.with { _ in } } catch { return Finished(answered: nil, problem: error) }
      return Finished(answered: nil)
    case .request(let ticket): return board.claim(ticket).map(answer) ?? Finished(answered: nil)
    }
  }

  private func answer(_ request: Request) -> Finished {
    do throws(AccountStoreError) {
      return try stores.with { store throws(AccountStoreError) -> Finished in
        let answer: Finished.Answer
        if let client = request.client, request.countsForClient(settings) {
          answer = try process(request, store, of: client)
        } else {
          answer = try process(request, store)
        }
        return Finished(answered: (request, answer), offer: offer(answer, request, store))
      }
    } catch {
      return Finished(answered: (request, .failed(error)))
    }
  }

  /// Processes a request, and counts it as an attempt of its client. After most successful
  /// requests, the count is taken back.
  private func process(
    _ request: Request, _ store: AccountStore, of client: ClientAddress
  ) throws(AccountStoreError) -> Finished.Answer {
    if let wait = try store.countAttempt(of: client, now: request.now) { return .clientThrottled(retryAfterMs: wait) }
    let answer = try process(request, store)
    switch answer {
    // A sign-up and each request for a mailed code stay counted, because no user makes many of
    // these.
    case .login(.accepted), .login(.pending), .resetPassword(.done, of: _), .resetPassword(.doneRemovingFactors, of: _),
      .person(.status, key: _), .person(.asked, key: _), .person(.done, key: _), .person(.deleted, key: _):
      // The result is already on disk, so a failure here is ignored.
      do throws(AccountStoreError) { try store.takeBackAttempt(of: client) } catch {}
    default: break
    }
    return answer
  }

  private func process(_ request: Request, _ store: AccountStore) throws(AccountStoreError) -> Finished.Answer {
    switch request.task {
    case .login(let identifier, _):
      let outcome = try request.password.withBytes { bytes throws(AccountStoreError) in
        try request.device.withBytes { device throws(AccountStoreError) in
          try store.login(
            identifier: identifier, password: bytes, canUsePasskeys: usesPasskeys(request),
            device: rememberedDevice(device), now: request.now)
        }
      }
      return .login(outcome)
    case .resume(let token):
      let outcome = try request.device.withBytes { device throws(AccountStoreError) in
        try store.resume(
          token, canUsePasskeys: usesPasskeys(request), device: rememberedDevice(device), now: request.now)
      }
      return outcome.map { .login($0) } ?? .over
    case .setup(let email, let userName, let attributes, let key, let earlier) where settings.confirmation != .none:
      let outcome = try request.password.withBytes { bytes throws(AccountStoreError) in
        try store.beginSignUp(
          email: email, userName: userName, password: bytes, attributes: attributes, key: key, after: earlier,
          concealsTaken: settings.confirmation == .concealing, client: request.client, now: request.now)
      }
      return .signUp(outcome)
    case .resendCode(let signUp, key: _): return .renewed(try store.renewCode(of: signUp, now: request.now), of: signUp)
    case .confirmEmail(let signUp, let key):
      let outcome = try request.code.withBytes { code throws(AccountStoreError) in
        try store.confirm(signUp, code: code, client: request.client, now: request.now)
      }
      return .confirmed(outcome, signUp, key: key)
    case .setup(let email, let userName, let attributes, let key, after: _):
      let outcome = try request.password.withBytes { bytes throws(AccountStoreError) in
        try store.register(
          email: email, userName: userName, password: bytes, attributes: attributes, key: key, client: request.client,
          now: request.now)
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
      let isDone = outcome == .done || outcome == .doneRemovingFactors
      return .resetPassword(outcome, of: isDone ? try store.account(identifier: email) : nil)
    case .answer(let step, let key): return .step(try settle(step, key, request, store), to: step, key: key)
    case .person(let change, let principal):
      return .person(try begin(change, principal: principal, request, store), key: nil)
    case .personAnswer(let step, let change, let answer, let key):
      return .person(try settle(answer, to: step, of: change, key: key, request, store), key: key)
    case .checkPassword(let isNew):
      return .check(try settings.rules.refusal(of: request.password, isNew: isNew))
    case .check(let name, let field):
      let isTaken = try store.isTaken(name, as: field, client: request.client, now: request.now)
      return .check(isTaken ? RefusedValue(field, .taken) : nil)
    }
  }

  private func rememberedDevice(_ token: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    token.isEmpty || settings.deviceLifetimeMs == nil ? nil : token
  }

  private func usesPasskeys(_ request: Request) -> Bool { settings.relyingParty != nil && request.view.usesPasskeys }

  /// Returns what to offer a user whose request was accepted without a challenge.
  private func offer(
    _ answer: Finished.Answer, _ request: Request, _ store: AccountStore
  ) -> ConversationStep.Question? {
    switch answer {
    case .login(.accepted(let account)):
      // If the account demands a second factor, this is a remembered device, and only the password
      // was checked. A passkey registered now would later count as several factors.
      (try? store.demandsSecondFactor(account)) == false ? offer(to: account, request, store) : nil
    case .setup(.accepted(let account)), .confirmed(.accepted(let account), _, key: _):
      offer(to: account, isNew: true, request, store)
    default: nil
    }
  }
}
