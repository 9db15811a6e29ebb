import AccountStore

/// The sign-ups that wait for a mailed code, by the number of the attempt that began each. They are only in memory, limited in number and in
/// time. Used on the loop's thread.
struct SignUps {
  private struct Waiting {
    var signUp: PendingSignUp
    var wrongCodes = 0
    /// The key of the question that had the last code mailed.
    var resendKey: String?
    /// Whether a worker is checking a code.
    var isUnderWay = false
    /// The key of the right code, if something is offered after it: answers with other keys are to that.
    var acceptedKey: String?
    var deadline: Int64
  }

  /// How long the question for a code waits, in milliseconds: as long as the code can be used.
  static let lifetimeMs = ResetCode.lifetimeMs

  /// When there are more, the oldest end.
  private let maximum: Int
  private var table: [UInt64: Waiting] = [:]
  /// The attempts in the order of their deadlines. An entry may be outdated: its sign-up is gone or has another deadline.
  private var order: [(attempt: UInt64, deadline: Int64)] = []

  init(maximum: Int = 100_000) { self.maximum = maximum }

  var count: Int { table.count }

  mutating func begin(_ attempt: UInt64, _ signUp: PendingSignUp, now: Int64) -> ConversationReply {
    expire(now: now)
    insert(Waiting(signUp: signUp, deadline: now + Self.lifetimeMs), attempt)
    return .sent(.emailCode(email: signUp.email))
  }

  private mutating func insert(_ waiting: Waiting, _ attempt: UInt64) {
    table[attempt] = waiting
    order.append((attempt, waiting.deadline))
    while table.count > maximum, !order.isEmpty { dropFirst(1) }
    if order.count > 2 * maximum { order.removeAll { table[$0.attempt]?.deadline != $0.deadline } }
  }

  mutating func cancelled(_ attempt: UInt64) { table[attempt] = nil }

  /// What a request to continue refers to.
  enum Finding {
    case signUp(PendingSignUp)
    /// A worker is checking another answer.
    case busy
    case none
  }

  mutating func find(_ attempt: UInt64, key: String, now: Int64) -> Finding {
    expire(now: now)
    guard let waiting = table[attempt], waiting.acceptedKey.map({ $0 == key }) ?? true else { return .none }
    return waiting.isUnderWay ? .busy : .signUp(waiting.signUp)
  }

  /// Whether the question with this key has had the last code mailed. Then it is only the answer that was lost.
  func isResent(_ attempt: UInt64, key: String) -> Bool { table[attempt]?.resendKey == key }

  mutating func checkStarted(_ attempt: UInt64) { table[attempt]?.isUnderWay = true }
  mutating func checkEnded(_ attempt: UInt64) { table[attempt]?.isUnderWay = false }

  /// Applies the result of checking a code. A sign-up that was accepted stays for a while, in case its reply was lost.
  mutating func settle(_ attempt: UInt64, _ outcome: ConfirmationOutcome, _ signUp: PendingSignUp) -> ConversationReply
  {
    checkEnded(attempt)
    switch outcome {
    case .accepted(let account): return .accepted(Acceptance(account: account))
    case .throttled(let wait): return .throttled(retryAfterMs: wait)
    case .refused(let refused):
      table[attempt] = nil
      return .refusedValues(refused)
    case .rejected:
      guard let waiting = table[attempt] else { return .ended(.challengeExpired) }
      guard waiting.wrongCodes + 1 < Conversation.maximumWrongAnswers else {
        table[attempt] = nil
        return .ended(.emailCodeTooManyTries)
      }
      table[attempt]?.wrongCodes += 1
      return .refused(.emailCode(email: signUp.email), .emailCodeInvalid, minimum: nil)
    }
  }

  /// Something is offered after the code that came with `key`. Returns false if nobody waits for that.
  mutating func goesOn(_ attempt: UInt64, after key: String) -> Bool {
    guard table[attempt] != nil else { return false }
    table[attempt]?.acceptedKey = key
    return true
  }

  /// Applies the result of asking for another code, which can be used as long as the first one.
  mutating func renew(_ attempt: UInt64, _ outcome: SignUpOutcome, key: String, now: Int64) -> ConversationReply {
    checkEnded(attempt)
    switch outcome {
    case .pending(let signUp):
      guard var waiting = table[attempt] else { return .ended(.challengeExpired) }
      waiting.signUp = signUp
      waiting.resendKey = key
      waiting.deadline = now + Self.lifetimeMs
      insert(waiting, attempt)
      return .sent(.emailCode(email: signUp.email))
    case .throttled(let wait): return .throttled(retryAfterMs: wait)
    case .refused: return .ended(.challengeExpired)
    }
  }

  private mutating func expire(now: Int64) { dropFirst(order.firstIndex { $0.deadline > now } ?? order.count) }

  private mutating func dropFirst(_ count: Int) {
    for (attempt, deadline) in order[..<count] where table[attempt]?.deadline == deadline { table[attempt] = nil }
    order.removeFirst(count)
  }
}
