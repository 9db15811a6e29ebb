package import Accounts

/// The conversations of logins. Each of them waits for the answer to a challenge or an offer.
extension Conversations {
  /// Starts a conversation if a worker has found a question to ask the user. Returns the first
  /// challenge, or nil if there is nothing to ask.
  ///
  /// - Parameter acceptance: The accepted login, if the question is an offer.
  package mutating func attemptFinished(
    _ attempt: UInt64, _ question: ConversationStep.Question?, acceptance: Acceptance? = nil, now: Int64
  ) -> AccountChallenge? {
    let isWanted = isWanted(attempt)
    finished(attempt)
    guard let step = question.map({ ConversationStep($0) }), let challenge = AccountChallenge(step, settings) else {
      return nil
    }
    guard isWanted else { return challenge }
    var conversation = Conversation(.login(step))
    conversation.proofs = step.earlierProofs
    conversation.acceptance = acceptance
    table.wait(attempt, conversation, now: now)
    return challenge
  }

  /// Returns the token with which a conversation can continue in another process.
  func resume(of attempt: UInt64) -> String? {
    guard case .demand(let login)? = table[attempt]?.loginStep?.question else { return nil }
    return login.resume
  }

  /// Replaces the current question by an alternative that the user has chosen, such as a recovery
  /// code in place of a one-time code. Returns the challenge for `way`, or nil if `way` is not an
  /// alternative.
  package mutating func choose(
    _ way: PendingLogin.Demand, _ attempt: UInt64, instead step: ConversationStep, now: Int64
  ) -> AccountChallenge? {
    guard var conversation = table[attempt], conversation.loginStep == step, case .demand(let login) = step.question,
      let chosen = login.choosing(way).map({ ConversationStep(.demand($0)) })
    else { return nil }
    conversation.step = .login(chosen)
    table.wait(attempt, conversation, now: now)
    return AccountChallenge(chosen, settings)
  }

  /// Ends an offer that the user has skipped or accepted. Returns the login, which was accepted
  /// before the offer, or nil if there is no accepted login.
  package mutating func finish(
    _ attempt: UInt64, after step: ConversationStep, key: String, now: Int64
  ) -> Acceptance? {
    guard let acceptance = table[attempt]?.acceptance else { return nil }
    advance(attempt, from: step, to: nil, key: key, now: now)
    return acceptance
  }

  /// Applies the result of checking an answer that was received at `time`, by the wall clock in
  /// milliseconds since 1970.
  package mutating func settle(
    _ attempt: UInt64, _ result: StepResult, to step: ConversationStep, key: String, at time: Int64, now: Int64
  ) -> ConversationReply {
    table.update(attempt) { conversation in
      conversation.isUnderWay = false
      conversation.codeUse = result.codeUse ?? conversation.codeUse
    }
    switch result.outcome {
    case .accepted(let account): return accept(account, result, attempt, from: step, key: key, at: time, now: now)
    case .pending(let login):
      let next = ConversationStep(.demand(login))
      guard table[attempt] != nil, let challenge = AccountChallenge(next, settings) else { return end(attempt) }
      addProofs(of: step, at: time, attempt)
      advance(attempt, from: step, to: next, key: key, now: now)
      return .asked(challenge, table[attempt]?.codeUse)
    case .wrong: return refuse(attempt, step, now: now)
    case .refused(let problem):
      guard table[attempt]?.loginStep == step, let challenge = AccountChallenge(step, settings) else {
        return end(attempt)
      }
      return .refused(challenge, AccountMessage(newPassword: problem), minimum: problem.minimum)
    case .done: return finish(attempt, after: step, key: key, now: now).map { .accepted($0) } ?? end(attempt)
    case .printed(let codes):
      guard table[attempt] != nil else { return end(attempt) }
      advance(attempt, from: step, to: ConversationStep(.shownRecoveryCodes), key: key, now: now)
      return .printed(codes)
    case .throttled(let wait): return .throttled(retryAfterMs: wait)
    case .locked:
      guard table[attempt]?.loginStep == step, case .demand(let login) = step.question,
        let challenge = AccountChallenge(step, settings)
      else { return end(attempt) }
      guard !login.otherWays.isEmpty else {
        table.end(attempt)
        return .ended(challenge.locked)
      }
      return .refused(challenge, challenge.locked, minimum: nil)
    case .disabled:
      table.end(attempt)
      return .ended(.accountDisabled)
    case .over: return end(attempt)
    }
  }

  private mutating func refuse(_ attempt: UInt64, _ step: ConversationStep, now: Int64) -> ConversationReply {
    guard var conversation = table[attempt], conversation.loginStep == step,
      let challenge = AccountChallenge(step, settings)
    else { return end(attempt) }
    conversation.wrongAnswers += 1
    guard conversation.wrongAnswers < Conversation.maximumWrongAnswers else {
      // The login was accepted before the offer, so wrong answers to the offer must not block it.
      if let acceptance = conversation.acceptance {
        table.update(attempt) { $0.step = .over }
        return .accepted(acceptance)
      }
      table.end(attempt)
      return .ended(challenge.tooManyTries)
    }
    guard challenge.apiKey.description == "passkey" else {
      table.update(attempt) { $0.wrongAnswers += 1 }
      return .refused(challenge, challenge.wrong, minimum: nil)
    }
    // Each passkey challenge can be answered only once, so the next answer needs a new one.
    let renewed = ConversationStep(step.question)
    conversation.step = .login(renewed)
    table.wait(attempt, conversation, now: now)
    return AccountChallenge(renewed, settings).map { .renewed($0, challenge.wrong) } ?? end(attempt)
  }

  /// Accepts the login after the last answer that it required. If the service has an offer, asks
  /// the user about it first.
  private mutating func accept(
    _ account: Account, _ result: StepResult, _ attempt: UInt64, from step: ConversationStep, key: String,
    at time: Int64, now: Int64
  ) -> ConversationReply {
    addProofs(of: step, at: time, attempt)
    let acceptance = Acceptance(
      account: account, proofs: table[attempt]?.proofs ?? step.earlierProofs + step.proofs(at: time),
      codeUse: table[attempt]?.codeUse ?? result.codeUse, passwordChanged: result.passwordChanged,
      device: result.device)
    let next = result.offer.map { ConversationStep($0) }
    guard let next, table[attempt] != nil, let challenge = AccountChallenge(next, settings) else {
      advance(attempt, from: step, to: nil, key: key, now: now)
      return .accepted(acceptance)
    }
    table.update(attempt) { $0.acceptance = acceptance }
    advance(attempt, from: step, to: next, key: key, now: now)
    return .asked(challenge, acceptance.codeUse)
  }

  /// Records the factors that the user has proved in a step. If the answer is repeated because the
  /// reply was lost, the factors are recorded only once.
  private mutating func addProofs(of step: ConversationStep, at time: Int64, _ attempt: UInt64) {
    table.update(attempt) { conversation in
      if case .login(step)? = conversation.last?.answered { return }
      conversation.proofs += step.proofs(at: time)
    }
  }

  /// Moves the conversation to the next step after a right answer, or ends it if there is none.
  private mutating func advance(
    _ attempt: UInt64, from step: ConversationStep, to next: ConversationStep?, key: String, now: Int64
  ) {
    guard var conversation = table[attempt] else { return }
    conversation.last = (key, .login(step))
    conversation.step = next.map { .login($0) } ?? .over
    table.wait(attempt, conversation, now: now)
  }
}

extension Conversation {
  /// The current step, if the conversation belongs to a login.
  fileprivate var loginStep: ConversationStep? { if case .login(let step) = step { step } else { nil } }
}
