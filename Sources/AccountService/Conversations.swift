package import AccountStore

/// The logins that wait for a person's answer, by the number of the attempt that began each. They are in memory only,
/// bounded in number and in time. Used on the loop's thread.
package struct Conversations {
  /// Beyond these the oldest end.
  private let maximum: Int
  private var table: [UInt64: Conversation] = [:]
  /// Those of the table in the order of their deadlines, and some that are gone or have another deadline by now.
  private var order: [(attempt: UInt64, deadline: Int64)] = []
  private var first = 0
  /// Attempts whose first question is being looked at.
  private var beginning: Set<UInt64> = []
  /// Those of them that nobody waits for any more.
  private var unwanted: Set<UInt64> = []

  package init(maximum: Int = 100_000) {
    self.maximum = maximum
  }

  package var count: Int { table.count }

  /// An attempt may become a conversation.
  package mutating func submitted(_ attempt: UInt64) {
    table[attempt] = nil
    beginning.insert(attempt)
    unwanted.remove(attempt)
  }

  /// Whoever asked does not want to know any more. `isWithdrawn`: its request will not be looked at.
  package mutating func cancelled(_ attempt: UInt64, isWithdrawn: Bool) {
    table[attempt] = nil
    guard beginning.contains(attempt) else { return }
    if isWithdrawn { beginning.remove(attempt) } else { unwanted.insert(attempt) }
  }

  /// What came of an attempt that had no conversation. Returns its question if it has one now.
  package mutating func begun(_ attempt: UInt64, _ login: PendingLogin?, now: Int64) -> PendingQuestion? {
    let isWanted = beginning.remove(attempt) != nil && unwanted.remove(attempt) == nil
    guard let login, let question = PendingQuestion(login.demand) else { return nil }
    if isWanted { insert(Conversation(login: login, deadline: now + Conversation.lifetimeMs), attempt, now: now) }
    return question
  }

  /// What a continuation is about.
  package enum Finding {
    /// To be looked at, once more if it was right and its answer may have been lost.
    case answer(to: PendingLogin)
    /// Another one is being looked at.
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

  /// An answer is being looked at.
  package mutating func started(_ attempt: UInt64) { table[attempt]?.isUnderWay = true }

  /// An answer is not being looked at any more, whatever came of it.
  package mutating func stopped(_ attempt: UInt64) { table[attempt]?.isUnderWay = false }

  /// What came of a recovery code.
  package mutating func settle(
    _ attempt: UInt64, _ outcome: RecoveryOutcome, to login: PendingLogin, key: String, now: Int64
  ) -> ConversationReply {
    stopped(attempt)
    switch outcome {
    case .accepted(let account): return accept(account, attempt, from: login, key: key, now: now)
    case .pending(let next):
      guard table[attempt] != nil, let question = PendingQuestion(next.demand) else { return end(attempt) }
      advance(attempt, from: login, to: next, key: key, now: now)
      return .asked(question)
    case .rejected:
      guard let conversation = table[attempt], conversation.login == login else { return end(attempt) }
      guard conversation.wrongCodes + 1 < Conversation.maximumWrongCodes else {
        table[attempt] = nil
        return .ended(.recoveryCodeTooManyTries)
      }
      table[attempt]?.wrongCodes += 1
      return .refused(.recoveryCode, .recoveryCodeInvalid, minimum: nil)
    case .throttled(let wait): return .throttled(retryAfterMs: wait)
    case .over: return end(attempt)
    }
  }

  /// What came of a new password.
  package mutating func settle(
    _ attempt: UInt64, _ outcome: NewPasswordOutcome, to login: PendingLogin, key: String, now: Int64
  ) -> ConversationReply {
    stopped(attempt)
    switch outcome {
    case .accepted(let account): return accept(account, attempt, from: login, key: key, now: now)
    case .refused(let problem):
      guard table[attempt]?.login == login else { return end(attempt) }
      return .refused(.newPassword, AccountMessage(newPassword: problem), minimum: problem.minimum)
    case .over: return end(attempt)
    }
  }

  /// The last answer was right.
  private mutating func accept(
    _ account: Account, _ attempt: UInt64, from login: PendingLogin, key: String, now: Int64
  ) -> ConversationReply {
    advance(attempt, from: login, to: nil, key: key, now: now)
    return .accepted(account)
  }

  private mutating func end(_ attempt: UInt64) -> ConversationReply {
    table[attempt] = nil
    return .ended(.challengeExpired)
  }

  /// An answer was right.
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
    // Those that were cancelled must not gather until their time is over.
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
