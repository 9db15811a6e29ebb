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
    /// Whether the engine has cancelled the attempt. Its sign-up waits for the same request to be repeated.
    var isLeft = false
  }

  /// How long the question for a code waits, in milliseconds: as long as the code can be used.
  static let lifetimeMs = ResetCode.lifetimeMs

  /// When there are more, the oldest end.
  private let maximum: Int
  private var table: [UInt64: Waiting] = [:]
  /// The attempts by the keys of their requests.
  private var attempts: [String: UInt64] = [:]
  /// The attempts in the order of their deadlines. An entry may be outdated: its sign-up is gone or has another deadline.
  private var order: [(attempt: UInt64, deadline: Int64)] = []

  init(maximum: Int = 100_000) { self.maximum = maximum }

  var count: Int { table.count }

  mutating func begin(_ attempt: UInt64, _ signUp: PendingSignUp, now: Int64) -> ConversationReply {
    expire(now: now)
    insert(Waiting(signUp: signUp, deadline: now + Self.lifetimeMs), attempt)
    return .sent(.emailCode(email: signUp.email), expiresInMs: Self.lifetimeMs)
  }

  /// The sign-up that waits since the first time that the request with this key came.
  func waiting(key: String, now: Int64) -> PendingSignUp? {
    guard let waiting = attempts[key].flatMap({ table[$0] }), waiting.deadline > now else { return nil }
    return waiting.signUp
  }

  /// A sign-up that `waiting(key:now:)` has found goes on with another attempt. Its code and the number of wrong ones stay.
  mutating func resume(_ attempt: UInt64, _ signUp: PendingSignUp, now: Int64) -> ConversationReply {
    expire(now: now)
    guard let former = signUp.key.flatMap({ attempts[$0] }), table[former]?.isUnderWay == false,
      var waiting = remove(former)
    else { return .ended(.challengeExpired) }
    waiting.isLeft = false
    insert(waiting, attempt)
    return .sent(.emailCode(email: signUp.email), expiresInMs: waiting.deadline - now)
  }

  private mutating func insert(_ waiting: Waiting, _ attempt: UInt64) {
    table[attempt] = waiting
    if let key = waiting.signUp.key { attempts[key] = attempt }
    order.append((attempt, waiting.deadline))
    while table.count > maximum, !order.isEmpty { dropFirst(1) }
    if order.count > 2 * maximum { order.removeAll { table[$0.attempt]?.deadline != $0.deadline } }
  }

  @discardableResult
  private mutating func remove(_ attempt: UInt64) -> Waiting? {
    guard let waiting = table.removeValue(forKey: attempt) else { return nil }
    if let key = waiting.signUp.key, attempts[key] == attempt { attempts[key] = nil }
    return waiting
  }

  mutating func cancelled(_ attempt: UInt64) { table[attempt]?.isLeft = true }

  /// What a request to continue refers to.
  enum Finding {
    case signUp(PendingSignUp)
    /// A worker is checking another answer.
    case busy
    case none
  }

  mutating func find(_ attempt: UInt64, key: String, now: Int64) -> Finding {
    expire(now: now)
    guard let waiting = table[attempt], !waiting.isLeft, waiting.acceptedKey.map({ $0 == key }) ?? true else {
      return .none
    }
    return waiting.isUnderWay ? .busy : .signUp(waiting.signUp)
  }

  /// For how long the last code can be used, if the question with this key has had it mailed. Then it is only the answer that was lost.
  func resent(_ attempt: UInt64, key: String, now: Int64) -> Int64? {
    guard let waiting = table[attempt], waiting.resendKey == key else { return nil }
    return waiting.deadline - now
  }

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
      remove(attempt)
      return .refusedValues(refused)
    case .rejected:
      guard let waiting = table[attempt], !waiting.isLeft else { return .ended(.challengeExpired) }
      guard waiting.wrongCodes + 1 < Conversation.maximumWrongAnswers else {
        remove(attempt)
        return .ended(.emailCodeTooManyTries)
      }
      table[attempt]?.wrongCodes += 1
      return .refused(.emailCode(email: signUp.email), .emailCodeInvalid, minimum: nil)
    }
  }

  /// Something is offered after the code that came with `key`. Returns false if nobody waits for that.
  mutating func goesOn(_ attempt: UInt64, after key: String) -> Bool {
    guard table[attempt]?.isLeft == false else { return false }
    table[attempt]?.acceptedKey = key
    return true
  }

  /// Applies the result of asking for another code, which can be used as long as the first one.
  mutating func renew(_ attempt: UInt64, _ outcome: SignUpOutcome, key: String, now: Int64) -> ConversationReply {
    checkEnded(attempt)
    switch outcome {
    case .pending(let signUp):
      guard var waiting = table[attempt], !waiting.isLeft else { return .ended(.challengeExpired) }
      waiting.signUp = signUp
      waiting.resendKey = key
      waiting.deadline = now + Self.lifetimeMs
      insert(waiting, attempt)
      return .sent(.emailCode(email: signUp.email), expiresInMs: Self.lifetimeMs)
    case .throttled(let wait): return .throttled(retryAfterMs: wait)
    case .refused: return .ended(.challengeExpired)
    }
  }

  /// Ends what has waited too long. Returns when to look again; `nil` if nothing waits.
  @discardableResult mutating func expire(now: Int64) -> Int64? {
    dropFirst(order.firstIndex { $0.deadline > now } ?? order.count)
    return order.first?.deadline
  }

  private mutating func dropFirst(_ count: Int) {
    for (attempt, deadline) in order[..<count] where table[attempt]?.deadline == deadline { remove(attempt) }
    order.removeFirst(count)
  }
}
