package import Accounts

/// The logins, the sign-ups and the changes by logged-in users that wait for an answer. Only the
/// event loop's thread uses them.
package struct Conversations {
  let settings: ServiceSettings
  var table: PendingChallengeTable

  /// - Parameter maximum: The number of logins that can wait for an answer. If there are more, the
  ///   oldest ones end.
  package init(_ settings: ServiceSettings = ServiceSettings(), maximum: Int = 100_000) {
    self.settings = settings
    table = PendingChallengeTable(maximum: maximum)
  }

  package var count: Int { table.count }

  /// Records an attempt that a worker is about to process.
  ///
  /// - Parameter change: The change that a logged-in user asks for. Nil for other attempts.
  package mutating func submitted(_ attempt: UInt64, _ change: AccountChange? = nil) {
    var conversation = Conversation(.beginning(change))
    conversation.isUnderWay = true
    table.begin(attempt, conversation)
  }

  /// Removes an attempt that a worker has finished, unless the attempt has led to a question.
  mutating func finished(_ attempt: UInt64) {
    if case .beginning = table[attempt]?.step { table.end(attempt) }
  }

  /// Ends the conversation of an attempt that the engine has cancelled. A sign-up that waits for
  /// its code is kept, in case the engine repeats the request.
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

  /// Whether the engine still waits for the result of an attempt.
  func isWanted(_ attempt: UInt64) -> Bool { table[attempt].map { !$0.isLeft } ?? false }

  /// What a request to continue a conversation is about.
  package enum Finding {
    /// The request answers this step of a login, and the answer must be checked. A repeated right
    /// answer is checked again, because the first reply may have been lost. `remembersDevice` is
    /// what the user chose at an earlier step.
    case login(ConversationStep, remembersDevice: Bool)
    /// The request contains the code of a sign-up, or asks for another code.
    case signUp(PendingSignUp)
    /// The request for another code is a repeated one. The code was already mailed, and expires in
    /// `lifetimeMs`.
    case mailed(PendingSignUp, lifetimeMs: Int64)
    case person(UserStep, AccountChange)
    /// The logged-in user's answer was already processed, with this outcome.
    case again(UserOutcome)
    /// A worker is still checking an earlier answer.
    case busy
    /// There is no such conversation, or it has ended.
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

  /// Records that a worker is about to check an answer.
  ///
  /// - Parameter remembersDevice: Whether to remember the device if the answer is right.
  package mutating func checkStarted(_ attempt: UInt64, remembersDevice: Bool = false) {
    table.update(attempt) { conversation in
      conversation.isUnderWay = true
      conversation.remembersDevice = remembersDevice
    }
  }

  /// Records that a worker has checked an answer, whatever the result.
  package mutating func checkEnded(_ attempt: UInt64) { table.update(attempt) { $0.isUnderWay = false } }

  /// Ends all conversations whose deadline has passed. Returns the next deadline, by the same clock
  /// as `now`, or nil if no conversation waits.
  mutating func expireAll(now: Int64) -> Int64? { table.expire(now: now) }

  mutating func end(_ attempt: UInt64) -> ConversationReply {
    table.end(attempt)
    return .ended(.challengeExpired)
  }
}
