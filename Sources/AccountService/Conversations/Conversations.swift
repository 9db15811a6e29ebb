package import Accounts

/// What waits for an answer: logins, sign-ups and what people who are in want. Used on the loop's thread.
package struct Conversations {
  let settings: ServiceSettings
  var table: ConversationTable

  /// - Parameter maximum: when more logins wait, the oldest end.
  package init(_ settings: ServiceSettings = ServiceSettings(), maximum: Int = 100_000) {
    self.settings = settings
    table = ConversationTable(maximum: maximum)
  }

  package var count: Int { table.count }

  /// An attempt was submitted, and a worker looks at it. `change` is what a person who is in wants.
  package mutating func submitted(_ attempt: UInt64, _ change: AccountChange? = nil) {
    var conversation = Conversation(.beginning(change))
    conversation.isUnderWay = true
    table.begin(attempt, conversation)
  }

  /// A worker has finished an attempt that leads to no conversation.
  mutating func finished(_ attempt: UInt64) {
    if case .beginning = table[attempt]?.step { table.end(attempt) }
  }

  /// The engine has cancelled an attempt. A sign-up waits for the same request to be repeated.
  package mutating func cancelled(_ attempt: UInt64) {
    guard table[attempt]?.signUp != nil else {
      table.end(attempt)
      return
    }
    table.update(attempt) { conversation in
      conversation.step = .emailCode
      conversation.isLeft = true
    }
  }

  /// Whether somebody waits for what comes of an attempt.
  func isWanted(_ attempt: UInt64) -> Bool { table[attempt].map { !$0.isLeft } ?? false }

  /// What a request to continue a conversation refers to.
  package enum Finding {
    /// The answer has to be checked; once more if it was right before and the reply may have been lost. `remembersDevice`: what
    /// was wanted at an earlier step.
    case login(ConversationStep, remembersDevice: Bool)
    /// The answer is the code of a sign-up, or asks for another.
    case signUp(PendingSignUp)
    /// The code was mailed before, and can be used for so long.
    case mailed(PendingSignUp, lifetimeMs: Int64)
    case person(PersonStep, AccountChange)
    /// A person who is in has answered so before.
    case again(PersonOutcome)
    /// A worker is checking another answer.
    case busy
    /// There is no such conversation (any more).
    case none
  }

  package mutating func find(_ attempt: UInt64, key: String, now: Int64) -> Finding {
    table.expire(now: now)
    guard let conversation = table[attempt], !conversation.isLeft else { return .none }
    guard !conversation.isUnderWay else { return .busy }
    let remembersDevice = conversation.remembersDevice
    if let last = conversation.last, last.key == key {
      switch last.answered {
      case .login(let step): return .login(step, remembersDevice: remembersDevice)
      case .emailCode: return conversation.signUp.map { .signUp($0) } ?? .none
      case .mailed: return conversation.signUp.map { .mailed($0, lifetimeMs: conversation.deadline - now) } ?? .none
      case .person(let outcome): return .again(outcome)
      }
    }
    switch conversation.step {
    case .login(let step): return .login(step, remembersDevice: remembersDevice)
    case .emailCode: return conversation.signUp.map { .signUp($0) } ?? .none
    case .person(let step, let change): return .person(step, change)
    case .beginning, .over: return .none
    }
  }

  /// A worker begins to check an answer. `remembersDevice`: whether the device is to be remembered if it is right.
  package mutating func checkStarted(_ attempt: UInt64, remembersDevice: Bool = false) {
    table.update(attempt) { conversation in
      conversation.isUnderWay = true
      conversation.remembersDevice = remembersDevice
    }
  }

  /// A worker has checked an answer, with whatever result.
  package mutating func checkEnded(_ attempt: UInt64) { table.update(attempt) { $0.isUnderWay = false } }

  /// Ends everything that has waited too long. Returns when to look again, by the same clock; `nil` if nothing waits.
  mutating func expireAll(now: Int64) -> Int64? { table.expire(now: now) }

  mutating func end(_ attempt: UInt64) -> ConversationReply {
    table.end(attempt)
    return .ended(.challengeExpired)
  }
}
