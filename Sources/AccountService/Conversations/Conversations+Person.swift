import Accounts

/// Conversations of logged-in users who ask for changes to their accounts.
extension Conversations {
  /// Replaces the current step of a logged-in user's conversation.
  mutating func replaceStep(_ attempt: UInt64, _ step: UserStep) {
    table.update(attempt) { conversation in
      if case .person(_, let change) = conversation.step { conversation.step = .person(step, change) }
    }
  }

  /// Applies the outcome that a worker has found for a logged-in user's request or answer. Returns
  /// the outcome to reply with: `found`, or a rejection if there were too many wrong answers.
  ///
  /// - Parameter key: The idempotency key of the answer. Nil for the request that started the
  ///   conversation.
  mutating func settle(_ attempt: UInt64, _ found: UserOutcome, key: String?, now: Int64) -> UserOutcome {
    guard var conversation = table[attempt], let change = conversation.change else {
      return .rejected(.challengeExpired)
    }
    conversation.isUnderWay = false
    var outcome = found
    switch found {
    case .asked(let step), .sent(let step):
      conversation.step = .person(step, change)
      conversation.wrongAnswers = 0
    case .refused, .renewed: outcome = refuse(&conversation, found, change)
    case .throttled: break
    case .status, .done, .deleted, .rejected: conversation.step = .over
    }
    if case .beginning = conversation.step { conversation.step = .over }
    if case .over = conversation.step, key == nil {
      table.end(attempt)
      return outcome
    }
    if let key { conversation.last = outcome.isRemembered ? (key, .person(outcome)) : nil }
    table.wait(attempt, conversation, now: now)
    return outcome
  }

  /// Counts a wrong answer of a logged-in user. After too many wrong answers, ends the conversation
  /// without a change.
  private func refuse(
    _ conversation: inout Conversation, _ outcome: UserOutcome, _ change: AccountChange
  ) -> UserOutcome {
    guard case .person(let step, _) = conversation.step else { return outcome }
    // A refused email address is not a wrong guess at a secret. Other limits apply to it.
    if case .newEmail = step { return outcome }
    conversation.wrongAnswers += 1
    if case .renewed(let next, _) = outcome { conversation.step = .person(next, change) }
    guard conversation.wrongAnswers >= Conversation.maximumWrongAnswers else { return outcome }
    conversation.step = .over
    return .rejected(step.tooManyTries)
  }
}

extension Conversation {
  /// The change that a logged-in user asks for.
  fileprivate var change: AccountChange? {
    switch step {
    case .beginning(let change): change
    case .person(_, let change): change
    case .login, .emailCode, .over: nil
    }
  }
}

extension UserOutcome {
  /// Whether the outcome must be remembered, because a repeated answer must not be carried out
  /// twice.
  fileprivate var isRemembered: Bool {
    switch self {
    case .asked, .sent, .renewed, .done, .deleted: true
    case .status, .rejected, .refused, .throttled: false
    }
  }
}
