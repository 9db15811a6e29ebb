import Accounts

/// What began with one attempt and waits for an answer, or for a worker.
struct Conversation {
  /// How long most questions wait for their answers, in milliseconds.
  static let lifetimeMs: Int64 = 600_000
  /// How long a question for a mailed code waits: as long as the code can be used.
  static let codeLifetimeMs = ResetCode.lifetimeMs
  /// How many wrong answers end a conversation.
  static let maximumWrongAnswers = 5

  /// What a conversation asks for at a time.
  enum Step {
    /// Nothing yet: a worker looks at the attempt, which may be a change that a person who is in wants.
    case beginning(AccountChange?)
    /// What a login demands, or what is offered once it is accepted.
    case login(ConversationStep)
    /// The code that was mailed for the sign-up.
    case emailCode
    case person(PersonStep, AccountChange)
    /// Nothing any more. The conversation is kept for a while, in case its last reply was lost.
    case over
  }

  /// What an answer was to that was right, so that the same answer, which has the same key, is known again.
  enum Answered {
    /// The answer is checked once more.
    case login(ConversationStep)
    case emailCode
    /// The code was mailed; no other is.
    case mailed
    /// The reply is given once more.
    case person(PersonOutcome)
  }

  var step: Step
  var last: (key: String, answered: Answered)?
  var wrongAnswers = 0
  /// Whether a worker is looking at an answer.
  var isUnderWay = false
  /// The sign-up that it began with.
  var signUp: PendingSignUp?
  /// Whether the engine has cancelled the attempt. Its sign-up waits for the same request to be repeated.
  var isLeft = false
  /// What was right so far.
  var factors: [Factor] = [.password]
  /// The recovery code that was used.
  var codeUse: RecoveryCodeUse?
  /// Whether the device is to be remembered once the login is accepted.
  var remembersDevice = false
  /// The login once it is accepted. What a step asks for then is an offer.
  var acceptance: Acceptance?
  /// Where it waits in the table and until when, by `AccountClock.steady`.
  var lane: ConversationTable.Lane?
  var deadline: Int64 = .max

  init(_ step: Step) { self.step = step }
}

extension Conversation.Step {
  var lifetimeMs: Int64 {
    switch self {
    case .emailCode: Conversation.codeLifetimeMs
    case .person(let step, _): step.lifetimeMs
    case .beginning, .login, .over: Conversation.lifetimeMs
    }
  }

  var lane: ConversationTable.Lane {
    switch self {
    case .login(let step) where step.question == .passkeyAlone: .stranger
    case .beginning, .login, .over: .login
    case .emailCode: .signUp
    case .person(.emailCode, _): .personCode
    case .person: .person
    }
  }
}
