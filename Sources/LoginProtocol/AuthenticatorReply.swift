public import AuthenticatorKit
public import JSONCodec
public import LoginMachine

/// A line from an authenticator, matched to the engine's questions.
public enum AuthenticatorReply {
  /// The answer to a question. It still has to be read in the context of its screen.
  case result(QuestionID, JSONDocument.Node)
  /// The authenticator did not decide.
  case error(QuestionID, AuthenticatorFailure)
  /// A message during work on a question of the conversation, or on the question that would start
  /// it.
  case notify(ConversationID, Message?, Alert?)
  /// The answer to a question that moves the authenticator's clock, whatever its content.
  case clockMoved(ClockQuestionID)
  /// The authenticator's description of itself; `nil` if it is invalid.
  case described(AuthenticatorDescription?)
  /// The authenticator does not describe itself.
  case undescribed
  /// A notification or request that the engine does not know.
  case call
  /// An invalid line, with the reason.
  case invalid(StaticString)

  /// The method of a notification about a conversation.
  public static var notifyMethod: StaticString { AuthenticatorMethod.notify.text }

  /// Whether a message of a frontend is one of an authenticator: a response, or a notification
  /// about a conversation.
  public static func isMeant(by document: borrowing JSONDocument, _ message: JSONDocument.Node) -> Bool {
    switch IncomingMessage(document, message) {
    case .response: true
    case .call(let call): document.equals(call.method, notifyMethod)
    case .invalid: false
    }
  }

  /// Interprets the message at `root`.
  ///
  /// - Parameters:
  ///   - numbering: the numbering of this authenticator's questions.
  ///   - clockQuestions: the open clock questions of this authenticator.
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
