import AuthenticatorKit
public import LoginMachine

/// The origin of a question: the session data that an authenticator gets in addition to the entered
/// values.
public struct QuestionOrigin {
  /// The session's name, in UTF-8.
  public let session: [UInt8]
  /// The id of the flow.
  public let flow: String
  /// The id of the flow's screen on which the request was made. It stays the same while a challenge
  /// is shown.
  public let screen: String
  /// The language tag of the texts that the session shows.
  public let locale: String
  /// The name of the engine's run. Together with a question's number, it forms an idempotency key
  /// that no other run uses.
  public let run: String
  /// The user who is already logged in, according to the frontend; `nil` if none is.
  public let principal: String?
  /// The context that the view gave when it opened the session: the text of a JSON object; `nil` if
  /// it gave none.
  public let context: [UInt8]?
  /// The capabilities that the view stated; `nil` if it stated none.
  public let supports: [String]?
  /// The names of the secrets that the view passed when it opened the session, in the order in
  /// which it passed them.
  public let secretNames: [String]
  /// The idempotency keys of questions that other engines have asked, keyed by the numbers of these
  /// questions in this engine.
  public let keys: [QuestionID: String]

  public init(
    session: [UInt8], flow: String, screen: String, locale: String, run: String, principal: String? = nil,
    context: [UInt8]? = nil, supports: [String]? = nil, secretNames: [String] = [], keys: [QuestionID: String] = [:]
  ) {
    self.session = session
    self.flow = flow
    self.screen = screen
    self.locale = locale
    self.run = run
    self.principal = principal
    self.context = context
    self.supports = supports
    self.secretNames = secretNames
    self.keys = keys
  }
}

extension QuestionOrigin {
  /// The idempotency key of a question that is not a retry. If another engine has already asked the
  /// question, this is the key that the other engine used. Otherwise the key consists of the name
  /// of the run and the question's number.
  func key(of question: QuestionID) -> IdempotencyKey {
    keys[question].map { .text($0) } ?? .numbered(run: run, question.number)
  }
}
