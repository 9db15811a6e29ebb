import AuthenticatorKit
public import LoginMachine

/// Where a question comes from: what an authenticator is told of the session beside what was entered.
public struct QuestionOrigin {
  /// The session's name, in UTF-8.
  public let session: [UInt8]
  /// The id of the flow.
  public let flow: String
  /// The id of the flow's screen that the request was made on, also while a challenge is shown.
  public let screen: String
  /// The language tag of what the person reads.
  public let locale: String
  /// The name of the engine's run. Together with a question's number it makes a key that no other question has, in this run or any other.
  public let run: String
  /// Who is in already, as the frontend vouches; `nil` if nobody is.
  public let principal: String?
  /// What the view said about the session when it was opened: a JSON object's text; `nil` for nothing.
  public let context: [UInt8]?
  /// What the view said that it can do; `nil` if it said nothing of that.
  public let supports: [String]?
  /// The names of the secrets that the view gave when the session was opened, in their order.
  public let secretNames: [String]
  /// The keys of questions that were put by other engines, by the numbers that they have here.
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
  /// The idempotency key of a question that repeats none.
  func key(of question: QuestionID) -> IdempotencyKey {
    keys[question].map { .text($0) } ?? .numbered(run: run, question.number)
  }
}
