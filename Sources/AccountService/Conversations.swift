package import AccountStore

/// The logins that wait for the answer to a challenge or an offer, by the number of the attempt that began each. They are only in memory,
/// limited in number and in time. Used on the loop's thread.
package struct Conversations {
  /// When there are more, the oldest end.
  private let maximum: Int
  private let settings: ServiceSettings
  /// What people who are in are asked for.
  var persons = PersonConversations()
  private var table: [UInt64: Conversation] = [:]
  /// The conversations in the order of their deadlines. An entry may be outdated: its conversation is gone or has another deadline.
  private var order: [(attempt: UInt64, deadline: Int64)] = []
  private var first = 0
  /// The attempts that began with a passkey alone, which anybody can have begun: they must not end those of people whose password was right.
  private var strangers: [UInt64] = []
  private var firstStranger = 0
  /// Attempts whose password a worker is checking.
  private var beginning: Set<UInt64> = []
  /// The attempts among them that were cancelled.
  private var unwanted: Set<UInt64> = []

  package init(_ settings: ServiceSettings = ServiceSettings(), maximum: Int = 100_000) {
    self.settings = settings
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
  ///
  /// - Parameter acceptance: the login, if it is accepted and the question is an offer.
  package mutating func attemptFinished(
    _ attempt: UInt64, _ question: ConversationStep.Question?, acceptance: Acceptance? = nil, now: Int64
  ) -> AccountChallenge? {
    let isWanted = beginning.remove(attempt) != nil && unwanted.remove(attempt) == nil
    guard let step = question.map({ ConversationStep($0) }), let challenge = AccountChallenge(step, settings) else {
      return nil
    }
    if isWanted { begin(attempt, step, acceptance: acceptance, now: now) }
    return challenge
  }

  private mutating func begin(_ attempt: UInt64, _ step: ConversationStep, acceptance: Acceptance?, now: Int64) {
    var conversation = Conversation(
      step: step, factors: step.question == .passkeyAlone ? [] : [.password], deadline: now + Conversation.lifetimeMs)
    conversation.acceptance = acceptance
    insert(conversation, attempt, now: now)
    if step.question == .passkeyAlone { noteStranger(attempt) }
  }

  /// Keeps at most a quarter of the conversations for these.
  private mutating func noteStranger(_ attempt: UInt64) {
    strangers.append(attempt)
    guard strangers.count - firstStranger > maximum / 4 else { return }
    let oldest = strangers[firstStranger]
    firstStranger += 1
    if table[oldest]?.step?.question == .passkeyAlone { table[oldest] = nil }
    guard firstStranger > 1_024, firstStranger > strangers.count / 2 else { return }
    strangers.removeFirst(firstStranger)
    firstStranger = 0
  }

  /// Applies the result of checking the mailed code of a sign-up. `offer` is what the new account is offered.
  mutating func settle(
    _ attempt: UInt64, _ outcome: ConfirmationOutcome, _ signUp: PendingSignUp, key: String,
    offer: ConversationStep.Question?, now: Int64
  ) -> ConversationReply {
    let reply = signUps.settle(attempt, outcome, signUp)
    guard case .accepted(let acceptance) = reply, let step = offer.map({ ConversationStep($0) }),
      let challenge = AccountChallenge(step, settings), signUps.goesOn(attempt, after: key)
    else { return reply }
    begin(attempt, step, acceptance: acceptance, now: now)
    return .asked(challenge)
  }

  /// What a request to continue a conversation refers to.
  package enum Finding {
    /// The answer has to be checked; once more if it was right before and the reply may have been lost. `remembersDevice`: what
    /// was wanted at an earlier step.
    case answer(to: ConversationStep, remembersDevice: Bool)
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
      return .answer(to: previous.step, remembersDevice: conversation.remembersDevice)
    }
    guard let step = conversation.step else { return .none }
    return .answer(to: step, remembersDevice: conversation.remembersDevice)
  }

  /// From what a conversation can go on elsewhere.
  func resume(of attempt: UInt64) -> String? {
    guard case .demand(let login) = table[attempt]?.step?.question else { return nil }
    return login.resume
  }

  /// Asks for something else that will do. Returns that challenge, or nil if it is none of the login's ways.
  package mutating func choose(
    _ way: PendingLogin.Demand, _ attempt: UInt64, instead step: ConversationStep, now: Int64
  ) -> AccountChallenge? {
    guard var conversation = table[attempt], conversation.step == step, case .demand(let login) = step.question,
      let chosen = login.choosing(way).map({ ConversationStep(.demand($0)) })
    else { return nil }
    conversation.step = chosen
    conversation.deadline = now + Conversation.lifetimeMs
    insert(conversation, attempt, now: now)
    return AccountChallenge(chosen, settings)
  }

  /// Leaves out what is offered, or goes on after it. Returns the login, or nil if it was not accepted before.
  package mutating func finish(
    _ attempt: UInt64, after step: ConversationStep, key: String, now: Int64
  ) -> Acceptance? {
    guard let acceptance = table[attempt]?.acceptance else { return nil }
    advance(attempt, from: step, to: nil, key: key, now: now)
    return acceptance
  }

  /// A worker begins to check an answer. `remembersDevice`: whether the device is to be remembered if it is right.
  package mutating func checkStarted(_ attempt: UInt64, remembersDevice: Bool = false) {
    table[attempt]?.isUnderWay = true
    table[attempt]?.remembersDevice = remembersDevice
  }

  /// A worker has checked an answer, with whatever result.
  package mutating func checkEnded(_ attempt: UInt64) { table[attempt]?.isUnderWay = false }

  /// Applies the result of checking an answer.
  package mutating func settle(
    _ attempt: UInt64, _ result: StepResult, to step: ConversationStep, key: String, now: Int64
  ) -> ConversationReply {
    checkEnded(attempt)
    if let use = result.codeUse { table[attempt]?.codeUse = use }
    switch result.outcome {
    case .accepted(let account): return accept(account, result, attempt, from: step, key: key, now: now)
    case .pending(let login):
      let next = ConversationStep(.demand(login))
      guard table[attempt] != nil, let challenge = AccountChallenge(next, settings) else {
        return endConversation(attempt)
      }
      addFactors(of: step, attempt)
      advance(attempt, from: step, to: next, key: key, now: now)
      return .asked(challenge, table[attempt]?.codeUse)
    case .wrong: return refuse(attempt, step, now: now)
    case .refused(let problem):
      guard table[attempt]?.step == step, let challenge = AccountChallenge(step, settings) else {
        return endConversation(attempt)
      }
      return .refused(challenge, AccountMessage(newPassword: problem), minimum: problem.minimum)
    case .done:
      return finish(attempt, after: step, key: key, now: now).map { .accepted($0) } ?? endConversation(attempt)
    case .printed(let codes):
      guard table[attempt] != nil else { return endConversation(attempt) }
      advance(attempt, from: step, to: ConversationStep(.shownRecoveryCodes), key: key, now: now)
      return .printed(codes)
    case .throttled(let wait): return .throttled(retryAfterMs: wait)
    case .locked:
      guard table[attempt]?.step == step, case .demand(let login) = step.question,
        let challenge = AccountChallenge(step, settings)
      else { return endConversation(attempt) }
      guard !login.otherWays.isEmpty else {
        table[attempt] = nil
        return .ended(challenge.locked)
      }
      return .refused(challenge, challenge.locked, minimum: nil)
    case .disabled:
      table[attempt] = nil
      return .ended(.accountDisabled)
    case .over: return endConversation(attempt)
    }
  }

  private mutating func refuse(_ attempt: UInt64, _ step: ConversationStep, now: Int64) -> ConversationReply {
    guard var conversation = table[attempt], conversation.step == step,
      let challenge = AccountChallenge(step, settings)
    else { return endConversation(attempt) }
    conversation.wrongAnswers += 1
    guard conversation.wrongAnswers < Conversation.maximumWrongAnswers else {
      // What is only offered keeps nobody out.
      if let acceptance = conversation.acceptance {
        conversation.step = nil
        table[attempt] = conversation
        return .accepted(acceptance)
      }
      table[attempt] = nil
      return .ended(challenge.tooManyTries)
    }
    guard challenge.apiKey.description == "passkey" else {
      table[attempt] = conversation
      return .refused(challenge, challenge.wrong, minimum: nil)
    }
    // What a passkey has signed is good for one try.
    let renewed = ConversationStep(step.question)
    conversation.step = renewed
    conversation.deadline = now + Conversation.lifetimeMs
    insert(conversation, attempt, now: now)
    return AccountChallenge(renewed, settings).map { .renewed($0, challenge.wrong) } ?? endConversation(attempt)
  }

  /// The last answer was right: the login is accepted, and something may be offered.
  private mutating func accept(
    _ account: Account, _ result: StepResult, _ attempt: UInt64, from step: ConversationStep, key: String, now: Int64
  ) -> ConversationReply {
    addFactors(of: step, attempt)
    let acceptance = Acceptance(
      account: account, factors: table[attempt]?.factors ?? [.password] + step.factors,
      codeUse: table[attempt]?.codeUse ?? result.codeUse, passwordChanged: result.passwordChanged,
      device: result.device)
    let next = result.offer.map { ConversationStep($0) }
    guard let next, table[attempt] != nil, let challenge = AccountChallenge(next, settings) else {
      advance(attempt, from: step, to: nil, key: key, now: now)
      return .accepted(acceptance)
    }
    table[attempt]?.acceptance = acceptance
    advance(attempt, from: step, to: next, key: key, now: now)
    return .asked(challenge, acceptance.codeUse)
  }

  /// A factor that is given once more, because the reply was lost, counts once.
  private mutating func addFactors(of step: ConversationStep, _ attempt: UInt64) {
    guard let conversation = table[attempt], conversation.previous?.step != step else { return }
    table[attempt]?.factors += step.factors
  }

  private mutating func endConversation(_ attempt: UInt64) -> ConversationReply {
    table[attempt] = nil
    return .ended(.challengeExpired)
  }

  /// An answer was right: the conversation goes on with the next step, if there is one.
  private mutating func advance(
    _ attempt: UInt64, from step: ConversationStep, to next: ConversationStep?, key: String, now: Int64
  ) {
    guard var conversation = table[attempt] else { return }
    conversation.previous = (key, step)
    conversation.step = next
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

  /// Ends everything that has waited too long, so that what was shown or typed does not stay in memory. Returns when to look again, by the same clock; `nil` if
  /// nothing waits.
  mutating func expireAll(now: Int64) -> Int64? {
    expire(now: now)
    let next = first < order.count ? order[first].deadline : nil
    return [next, signUps.expire(now: now), persons.expire(now: now)].compactMap { $0 }.min()
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
