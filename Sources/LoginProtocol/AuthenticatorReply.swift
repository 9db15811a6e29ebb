public import AuthenticatorKit
public import JSONCodec
public import LoginMachine

/// A line from an authenticator, with the engine's question or conversation to which it belongs.
public enum AuthenticatorReply {
  /// The answer to a question. How to read it depends on the screen of the question.
  case result(QuestionID, JSONDocument.Node)
  /// An error response: the authenticator could not decide the question.
  case error(QuestionID, AuthenticatorFailure)
  /// A message that the authenticator sends while it works on a conversation, or on a question that
  /// may begin one.
  case notify(ConversationID, Message?, Alert?)
  /// The answer to a question that asked the authenticator to move its clock. The content of the
  /// answer does not matter.
  case clockMoved(ClockQuestionID)
  /// The authenticator's description of itself; `nil` if it is invalid.
  case described(AuthenticatorDescription?)
  /// The authenticator answered `authenticator/describe` with an error.
  case undescribed
  /// A notification or request that the engine does not know.
  case call
  /// A line that violates the contract. The text says how.
  case invalid(StaticString)

  /// The method `authenticator/notify`, with which an authenticator shows a message.
  public static var notifyMethod: StaticString { AuthenticatorMethod.notify.text }

  /// Whether a frontend sent this message as the authenticator, and not as the view. Such a message
  /// is a response or `authenticator/notify`.
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
  ///   - numbering: how the ids of questions to this authenticator are written.
  ///   - clockQuestions: the open questions that move this authenticator's clock.
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
