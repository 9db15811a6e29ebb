public import AuthenticatorKit
public import JSONCodec
public import LoginMachine

/// A line from an authenticator, as one of the contract's about the engine's questions.
public enum AuthenticatorReply {
  /// The answer to a question, still to be read with the screen it was about.
  case result(QuestionID, JSONDocument.Node)
  /// Nothing was decided.
  case error(QuestionID, AuthenticatorFailure)
  /// What is to be read while it works on a question of a conversation, or on the one that would begin it.
  case notify(ConversationID, Message?, Alert?)
  /// The answer to a question that moves its clock, whatever it says.
  case clockMoved(ClockQuestionID)
  /// What it says of itself; `nil` if that cannot be understood.
  case described(AuthenticatorDescription?)
  /// The authenticator does not describe itself.
  case undescribed
  /// A notification or request of its own that the engine does not know.
  case call
  /// Nonsense.
  case invalid(StaticString)

  /// The method of a notification about a conversation.
  public static var notifyMethod: StaticString { AuthenticatorMethod.notify.text }

  /// Whether a message that a frontend writes is what an authenticator says: a response, or a notification about a conversation.
  public static func isMeant(by document: borrowing JSONDocument, _ message: JSONDocument.Node) -> Bool {
    switch IncomingMessage(document, message) {
    case .response: true
    case .call(let call): document.equals(call.method, notifyMethod)
    case .invalid: false
    }
  }

  /// Judges the message at `root`, from an authenticator whose questions are numbered like that and that has been asked these to move its clock.
  public init(
    _ document: borrowing JSONDocument, _ root: JSONDocument.Node, _ numbering: QuestionNumbering,
    clockQuestions: Set<ClockQuestionID> = []
  ) {
    switch AuthenticatorLine(document, root, numbering) {
    case .result(let number, let result):
      let clockQuestion = ClockQuestionID(number: number)
      self =
        clockQuestions.contains(clockQuestion)
        ? .clockMoved(clockQuestion) : .result(QuestionID(number: number), result)
    case .failure(let number, let failure):
      let clockQuestion = ClockQuestionID(number: number)
      self =
        clockQuestions.contains(clockQuestion)
        ? .clockMoved(clockQuestion) : .error(QuestionID(number: number), failure)
    case .notification(let said):
      let alert = said.alert.map { Alert(.notice, title: $0.title, messages: $0.messages) }
      self = .notify(ConversationID(number: said.attempt), said.message, alert)
    case .description(let description): self = .described(description)
    case .undescribed: self = .undescribed
    case .call: self = .call
    case .invalid(let reason): self = .invalid(reason)
    }
  }
}
