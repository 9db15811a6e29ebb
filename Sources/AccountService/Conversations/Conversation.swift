import AuthenticatorKit
import Accounts

/// The conversation that one attempt started. It waits for the user's answer or for a worker.
struct Conversation {
  /// How long most questions wait for an answer, in milliseconds.
  static let lifetimeMs: Int64 = 600_000
  /// How long a question for a mailed code waits: until the code expires.
  static let codeLifetimeMs = ResetCode.lifetimeMs
  /// The number of wrong answers that ends a conversation.
  static let maximumWrongAnswers = 5

  /// The current question of a conversation.
  enum Step {
    /// Nothing yet: a worker is processing the attempt. `AccountChange` is the change that a
    /// logged-in user asks for.
    case beginning(AccountChange?)
    /// An answer that the login demands, or that the service offers once the login is accepted.
    case login(ConversationStep)
    /// The code that the service mailed for the sign-up.
    case emailCode
    case person(UserStep, AccountChange)
    /// Nothing any more. The table keeps the conversation until its deadline, so that a lost reply
    /// can be repeated.
    case over
  }

  /// The step that the last right answer belonged to. A repeated answer is recognised by its key.
  enum Answered {
    /// A worker checks the repeated answer again.
    case login(ConversationStep)
    case emailCode
    /// The code was mailed. A repetition mails no other code.
    case mailed
    /// A repetition gets this outcome again.
    case person(UserOutcome)
  }

  var step: Step
  var last: (key: String, answered: Answered)?
  var wrongAnswers = 0
  /// Whether a worker is processing the attempt or an answer.
  var isUnderWay = false
  /// The sign-up that started the conversation.
  var signUp: PendingSignUp?
  /// Whether the engine has cancelled the attempt. Its sign-up waits for the same request to be
  /// repeated.
  var isLeft = false
  /// The factors that were right so far.
  var proofs: [GivenProof] = []
  /// The recovery code that was used.
  var codeUse: RecoveryCodeUse?
  /// Whether to remember the device once the login is accepted.
  var remembersDevice = false
  /// The accepted login. Once it is set, each further step is an offer.
  var acceptance: Acceptance?
  /// The conversation's lane in the table. `deadline`, by `AccountClock.steady`, is when the table
  /// ends the conversation.
  var lane: PendingChallengeTable.Lane?
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

  var lane: PendingChallengeTable.Lane {
    switch self {
    case .login(let step) where step.question == .passkeyAlone: .stranger
    case .beginning, .login, .over: .login
    case .emailCode: .signUp
    case .person(.emailCode, _): .personCode
    case .person: .person
    }
  }
}
