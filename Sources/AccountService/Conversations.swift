package import AccountStore

/// The logins that wait for the answer to a challenge, by the number of the attempt that began each. They are only in memory,
/// limited in number and in time. Used on the loop's thread.
package struct Conversations {
  /// When there are more, the oldest end.
  private let maximum: Int
  /// What people who are in are asked for.
  var persons = PersonConversations()
  private var table: [UInt64: Conversation] = [:]
  /// The conversations in the order of their deadlines. An entry may be outdated: its conversation is gone or has another deadline.
  private var order: [(attempt: UInt64, deadline: Int64)] = []
  private var first = 0
  /// Attempts whose password a worker is checking.
  private var beginning: Set<UInt64> = []
  /// The attempts among them that were cancelled.
  private var unwanted: Set<UInt64> = []

  package init(maximum: Int = 100_000) {
    self.maximum = maximum
  }

  package var count: Int { table.count }

  /// The sign-ups that wait for a code.
  var signUps = SignUps()

  /// An attempt was submitted, which may become a conversation.
  package mutating func submitted(_ attempt: UInt64) {
    table[attempt] = nil
    beginning.insert(attempt)
    unwanted.remove(attempt)
  }

  /// The engine has cancelled an attempt. `isWithdrawn`: no worker will process its request.
  package mutating func cancelled(_ attempt: UInt64, isWithdrawn: Bool) {
    table[attempt] = nil
    signUps.cancelled(attempt)
    persons.cancelled(attempt)
    guard beginning.contains(attempt) else { return }
    if isWithdrawn { beginning.remove(attempt) } else { unwanted.insert(attempt) }
  }

  /// Whether an attempt that a worker has finished was not cancelled meanwhile.
  func isWanted(_ attempt: UInt64) -> Bool { !unwanted.contains(attempt) }

  /// A worker has finished an attempt without a conversation. Returns its challenge if it has one now.
  package mutating func attemptFinished(_ attempt: UInt64, _ login: PendingLogin?, now: Int64) -> AccountChallenge? {
    let isWanted = beginning.remove(attempt) != nil && unwanted.remove(attempt) == nil
    guard let login, let challenge = AccountChallenge(login) else { return nil }
    if isWanted { insert(Conversation(login: login, deadline: now + Conversation.lifetimeMs), attempt, now: now) }
    return challenge
  }

  /// What a request to continue a conversation refers to.
  package enum Finding {
    /// The answer has to be checked; once more if it was right before and the reply may have been lost.
    case answer(to: PendingLogin)
    /// A worker is checking another answer.
    case busy
    /// There is no such conversation (any more).
    case none
  }

  package mutating func find(_ attempt: UInt64, key: String, now: Int64) -> Finding {
    expire(now: now)
    guard let conversation = table[attempt] else { return .none }
    guard !conversation.isUnderWay else { return .busy }
    if let previous = conversation.previous, previous.key == key {
      return .answer(to: previous.login)
    }
    guard let login = conversation.login else { return .none }
    return .answer(to: login)
  }

  /// Asks for something else that will do. Returns that challenge, or nil if it is none of the login's ways.
  package mutating func choose(
    _ way: PendingLogin.Demand, _ attempt: UInt64, instead login: PendingLogin, now: Int64
  ) -> AccountChallenge? {
    guard var conversation = table[attempt], conversation.login == login, let chosen = login.choosing(way) else {
      return nil
    }
    conversation.login = chosen
    conversation.deadline = now + Conversation.lifetimeMs
    insert(conversation, attempt, now: now)
    return AccountChallenge(chosen)
  }

  /// A worker begins to check an answer.
  package mutating func checkStarted(_ attempt: UInt64) { table[attempt]?.isUnderWay = true }

  /// A worker has checked an answer, with whatever result.
  package mutating func checkEnded(_ attempt: UInt64) { table[attempt]?.isUnderWay = false }

  /// Applies the result of checking a code.
  package mutating func settle(
    _ attempt: UInt64, _ outcome: CodeOutcome, to login: PendingLogin, key: String, now: Int64
  ) -> ConversationReply {
    checkEnded(attempt)
    switch outcome {
    case .accepted(let account):
      table[attempt]?.factors = [.password, .oneTimeCode]
      return accept(account, attempt, from: login, key: key, now: now)
    case .pending(let next):
      table[attempt]?.factors = [.password, .oneTimeCode]
      guard table[attempt] != nil, let challenge = AccountChallenge(next) else {
        return endConversation(attempt)
      }
      advance(attempt, from: login, to: next, key: key, now: now)
      return .asked(challenge)
    case .rejected:
      guard let conversation = table[attempt], conversation.login == login else { return endConversation(attempt) }
      guard conversation.wrongCodes + 1 < Conversation.maximumWrongCodes else {
        table[attempt] = nil
        return .ended(login.demand == .oneTimeCode ? .oneTimeCodeTooManyTries : .recoveryCodeTooManyTries)
      }
      table[attempt]?.wrongCodes += 1
      guard let challenge = AccountChallenge(login) else { return endConversation(attempt) }
      let message = login.demand == .oneTimeCode ? AccountMessage.oneTimeCodeInvalid : .recoveryCodeInvalid
      return .refused(challenge, message, minimum: nil)
    case .throttled(let wait): return .throttled(retryAfterMs: wait)
    case .locked:
      guard let conversation = table[attempt], conversation.login == login else { return endConversation(attempt) }
      guard let challenge = AccountChallenge(login), !login.otherWays.isEmpty else {
        table[attempt] = nil
        return .ended(.oneTimeCodeLocked)
      }
      return .refused(challenge, .oneTimeCodeLocked, minimum: nil)
    case .over: return endConversation(attempt)
    }
  }

  /// Applies the result of setting a new password.
  package mutating func settle(
    _ attempt: UInt64, _ outcome: NewPasswordOutcome, to login: PendingLogin, key: String, now: Int64
  ) -> ConversationReply {
    checkEnded(attempt)
    switch outcome {
    case .accepted(let account):
      return accept(account, attempt, from: login, key: key, now: now, passwordChanged: true)
    case .refused(let problem):
      guard table[attempt]?.login == login, let challenge = AccountChallenge(login) else {
        return endConversation(attempt)
      }
      return .refused(
        challenge, AccountMessage(newPassword: problem), minimum: problem.minimum)
    case .over: return endConversation(attempt)
    }
  }

  /// The last answer was right: the login is accepted.
  private mutating func accept(
    _ account: Account, _ attempt: UInt64, from login: PendingLogin, key: String, now: Int64,
    passwordChanged: Bool = false
  ) -> ConversationReply {
    let factors = table[attempt]?.factors ?? [.password]
    advance(attempt, from: login, to: nil, key: key, now: now)
    return .accepted(account, factors, passwordChanged: passwordChanged)
  }

  private mutating func endConversation(_ attempt: UInt64) -> ConversationReply {
    table[attempt] = nil
    return .ended(.challengeExpired)
  }

  /// An answer was right: the conversation goes on with the next demand, if there is one.
  private mutating func advance(
    _ attempt: UInt64, from login: PendingLogin, to next: PendingLogin?, key: String, now: Int64
  ) {
    guard var conversation = table[attempt] else { return }
    conversation.previous = (key, login)
    conversation.login = next
    conversation.deadline = now + Conversation.lifetimeMs
    insert(conversation, attempt, now: now)
  }

  private mutating func insert(_ conversation: Conversation, _ attempt: UInt64, now: Int64) {
    expire(now: now)
    table[attempt] = conversation
    order.append((attempt, conversation.deadline))
    while table.count > maximum, first < order.count { dropFirst() }
    // Without this, cancelled conversations would stay in the order until their deadlines.
    if order.count - first > 2 * maximum { compact() }
  }

  private mutating func expire(now: Int64) {
    while first < order.count, order[first].deadline <= now { dropFirst() }
  }

  private mutating func dropFirst() {
    guard first < order.count else { return }
    let (attempt, deadline) = order[first]
    first += 1
    if table[attempt]?.deadline == deadline { table[attempt] = nil }
    if first > 1_024, first > order.count / 2 {
      order.removeFirst(first)
      first = 0
    }
  }

  private mutating func compact() {
    order = order[first...].filter { table[$0.attempt]?.deadline == $0.deadline }
    first = 0
  }
}
