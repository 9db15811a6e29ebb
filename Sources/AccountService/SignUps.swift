import AccountStore

/// The sign-ups that wait for a mailed code, by the number of the attempt that began each. They are only in memory, limited in number and in
/// time. Used on the loop's thread.
struct SignUps {
  private struct Waiting {
    var signUp: PendingSignUp
    var wrongCodes = 0
    /// Whether a worker is checking a code.
    var isUnderWay = false
    /// The key of the right code, if something is offered after it: answers with other keys are to that.
    var acceptedKey: String?
    let deadline: Int64
  }

  /// When there are more, the oldest end.
  private let maximum: Int
  private var table: [UInt64: Waiting] = [:]
  /// The attempts from the oldest on. Some of them may be gone.
  private var order: [UInt64] = []

  init(maximum: Int = 100_000) { self.maximum = maximum }

  var count: Int { table.count }

  mutating func begin(_ attempt: UInt64, _ signUp: PendingSignUp, now: Int64) -> ConversationReply {
    expire(now: now)
    table[attempt] = Waiting(signUp: signUp, deadline: now + Conversation.lifetimeMs)
    order.append(attempt)
    if table.count > maximum { table[order.removeFirst()] = nil }
    if order.count > 2 * maximum { order.removeAll { table[$0] == nil } }
    return .sent(.emailCode(email: signUp.email), isNew: true)
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
    guard let waiting = table[attempt], waiting.acceptedKey.map({ $0 == key }) ?? true else { return .none }
    guard waiting.deadline > now else {
      table[attempt] = nil
      return .none
    }
    return waiting.isUnderWay ? .busy : .signUp(waiting.signUp)
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

  /// Applies the result of asking for another code.
  mutating func renew(_ attempt: UInt64, _ outcome: SignUpOutcome) -> ConversationReply {
    checkEnded(attempt)
    switch outcome {
    case .pending(let signUp):
      guard table[attempt] != nil else { return .ended(.challengeExpired) }
      table[attempt]?.signUp = signUp
      return .sent(.emailCode(email: signUp.email), isNew: false)
    case .throttled(let wait): return .throttled(retryAfterMs: wait)
    case .refused: return .ended(.challengeExpired)
    }
  }

  private mutating func expire(now: Int64) {
    let alive = order.firstIndex { table[$0].map { $0.deadline > now } ?? false } ?? order.count
    for attempt in order[..<alive] { table[attempt] = nil }
    order.removeFirst(alive)
  }
}
