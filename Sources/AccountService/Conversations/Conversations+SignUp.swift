import Accounts

/// Sign-ups that wait for a mailed code.
extension Conversations {
  /// Returns the sign-up that was requested with this idempotency key and still waits for its
  /// mailed code.
  func waitingSignUp(key: String, now: Int64) -> PendingSignUp? {
    guard let conversation = table.signUp(key: key).flatMap({ table[$0] }), conversation.deadline > now else {
      return nil
    }
    return conversation.signUp
  }

  /// Makes an attempt wait for the code that was mailed for its sign-up.
  ///
  /// - Parameter isAgain: Whether an earlier attempt started the same sign-up and still waits for
  ///   the code. The new attempt then takes over the earlier conversation, with its deadline and
  ///   its count of wrong codes.
  mutating func began(_ attempt: UInt64, _ signUp: PendingSignUp, isAgain: Bool, now: Int64) -> ConversationReply {
    finished(attempt)
    table.expire(now: now)
    guard isAgain else {
      var conversation = Conversation(.emailCode)
      conversation.signUp = signUp
      table.wait(attempt, conversation, now: now)
      return .sent(.emailCode(email: signUp.email), expiresInMs: Conversation.codeLifetimeMs)
    }
    guard let former = signUp.key.flatMap({ table.signUp(key: $0) }), table[former]?.isUnderWay == false,
      var conversation = table.end(former)
    else { return .ended(.challengeExpired) }
    conversation.step = .emailCode
    conversation.isLeft = false
    table.wait(attempt, conversation, until: conversation.deadline, now: now)
    return .sent(.emailCode(email: signUp.email), expiresInMs: conversation.deadline - now)
  }

  /// Applies the result of checking the code that was mailed for a sign-up. An accepted sign-up
  /// stays in the table until its deadline, so that a lost reply can be repeated.
  ///
  /// - Parameter offer: What the service offers the user of the new account, if anything.
  mutating func settle(
    _ attempt: UInt64, _ outcome: ConfirmationOutcome, _ signUp: PendingSignUp, key: String,
    offer: ConversationStep.Question?, now: Int64
  ) -> ConversationReply {
    checkEnded(attempt)
    switch outcome {
    case .accepted(let account): return accept(account, signUp, attempt, key: key, offer: offer, now: now)
    case .throttled(let wait): return .throttled(retryAfterMs: wait)
    case .refused(let refused):
      table.end(attempt)
      return .refusedValues(refused)
    case .rejected:
      guard let conversation = table[attempt], !conversation.isLeft else { return .ended(.challengeExpired) }
      guard conversation.wrongAnswers + 1 < Conversation.maximumWrongAnswers else {
        table.end(attempt)
        return .ended(.emailCodeTooManyAttempts)
      }
      table.update(attempt) { $0.wrongAnswers += 1 }
      return .refused(.emailCode(email: signUp.email), .emailCodeInvalid, minimum: nil)
    }
  }

  /// Accepts the sign-up after the right code was entered. If the service has an offer, asks the
  /// user about it first. The account already exists.
  private mutating func accept(
    _ account: Account, _ signUp: PendingSignUp, _ attempt: UInt64, key: String, offer: ConversationStep.Question?,
    now: Int64
  ) -> ConversationReply {
    let acceptance = Acceptance(account, byPasswordAt: signUp.passwordMs)
    guard let step = offer.map({ ConversationStep($0) }), let challenge = AccountChallenge(step, settings),
      var conversation = table[attempt], !conversation.isLeft
    else { return .accepted(acceptance) }
    conversation.last = (key, .emailCode)
    conversation.step = .login(step)
    conversation.acceptance = acceptance
    conversation.wrongAnswers = 0
    table.wait(attempt, conversation, now: now)
    return .asked(challenge)
  }

  /// Applies the result of a request for another code. The new code is valid for as long as the
  /// first one was, counted from now.
  mutating func renew(_ attempt: UInt64, _ outcome: SignUpOutcome, key: String, now: Int64) -> ConversationReply {
    checkEnded(attempt)
    switch outcome {
    case .pending(let signUp):
      guard var conversation = table[attempt], !conversation.isLeft else { return .ended(.challengeExpired) }
      conversation.signUp = signUp
      conversation.last = (key, .mailed)
      table.wait(attempt, conversation, now: now)
      return .sent(.emailCode(email: signUp.email), expiresInMs: Conversation.codeLifetimeMs)
    case .throttled(let wait): return .throttled(retryAfterMs: wait)
    case .refused: return .ended(.challengeExpired)
    }
  }
}
