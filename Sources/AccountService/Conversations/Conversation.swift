import AuthenticatorKit
import Accounts

/// A conversation with a user. One attempt of the engine started it. It waits for the user's answer
/// or for a worker's result.
struct Conversation {
  /// How long most questions wait for an answer, in milliseconds.
  static let lifetimeMs: Int64 = 600_000
  /// How long a question for a mailed code waits for an answer, in milliseconds. The code expires
  /// after this time.
  static let codeLifetimeMs = ResetCode.lifetimeMs
  /// How many wrong answers end a conversation.
  static let maximumWrongAnswers = 5

  /// The current question of a conversation.
  enum Step {
    /// There is no question yet, because a worker is processing the attempt. `AccountChange` is the
    /// change that a logged-in user asks for, and nil for other attempts.
    case beginning(AccountChange?)
    /// The service asks for something that the login requires, or offers something after the login
    /// is accepted.
    case login(ConversationStep)
    /// The service asks for the code that it mailed for the sign-up.
    case emailCode
    case person(UserStep, AccountChange)
    /// There are no further questions. The table keeps the conversation until its deadline, so that
    /// a lost reply can be repeated.
    case over
  }

  /// How to reply if the engine repeats the last right answer, which then has the same idempotency
  /// key.
  enum Answered {
    /// A worker checks the repeated answer again.
    case login(ConversationStep)
    case emailCode
    /// Another code was mailed. A repeated request mails no further code.
    case mailed
    /// A repeated answer gets this outcome again.
    case person(UserOutcome)
  }

  var step: Step
  var last: (key: String, answered: Answered)?
  var wrongAnswers = 0
  /// Whether a worker is processing the attempt or an answer.
  var isUnderWay = false
  /// The sign-up that started the conversation.
  var signUp: PendingSignUp?
  /// Whether the engine has cancelled the attempt. The sign-up is kept in case the engine repeats
  /// the request.
  var isLeft = false
  /// The factors that the user has proved so far.
  var proofs: [GivenProof] = []
  /// The recovery code that the user has entered in this conversation, if any.
  var codeUse: RecoveryCodeUse?
  /// Whether to remember the device when the login is accepted.
  var remembersDevice = false
  /// The accepted login. Nil until a login is accepted. After that, each further step is an offer.
  var acceptance: Acceptance?
  /// The lane of `PendingChallengeTable` in which the conversation waits. At the time `deadline`,
  /// by `AccountClock.steady`, the table ends the conversation.
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
