public import JSONCodec
public import LoginForms
public import LoginMachine

/// A line from an authenticator.
public enum AuthenticatorReply {
  /// The answer to a question, still to be read with the screen it was about.
  case result(QuestionID, JSONDocument.Node)
  /// Nothing was decided. `name` is the error's `data.code` if that is a name, `text` its `message` if that is meant for people.
  case error(QuestionID, name: String?, text: String?)
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
  public static var notifyMethod: StaticString { "authenticator/notify" }

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
    _ document: borrowing JSONDocument, _ root: JSONDocument.Node, ids: AuthenticatorWire.IDs,
    clockQuestions: Set<ClockQuestionID> = []
  ) {
    guard document.kind(root) == .object else {
      self = .invalid("it is not an object")
      return
    }
    if let method = document.member("method", of: root) {
      let isNotice = document.equals(method, AuthenticatorReply.notifyMethod)
      self = isNotice ? AuthenticatorReply.notification(document, root) : .call
      return
    }
    if case .numbers = ids, let id = document.member("id", of: root), document.equals(id, AuthenticatorWire.describeID)
    {
      self =
        document.member("result", of: root).map { .described(AuthenticatorDescription(document, $0)) } ?? .undescribed
      return
    }
    guard let id = document.member("id", of: root), let number = AuthenticatorWire.questionNumber(document, id, ids)
    else {
      self = .invalid("its id is not one that was asked")
      return
    }
    let question = QuestionID(number: number)
    let clockQuestion = ClockQuestionID(number: number)
    let movesClock = clockQuestions.contains(clockQuestion)
    if let result = document.member("result", of: root) {
      self = movesClock ? .clockMoved(clockQuestion) : .result(question, result)
    } else if let error = document.member("error", of: root) {
      self = movesClock ? .clockMoved(clockQuestion) : AuthenticatorReply.error(document, error, question)
    } else {
      self = .invalid("it has neither result nor error")
    }
  }

  private static func error(
    _ document: borrowing JSONDocument, _ error: JSONDocument.Node, _ question: QuestionID
  ) -> AuthenticatorReply {
    let code = document.member("data", of: error).flatMap { document.member("code", of: $0) }
    let name = code.flatMap { codeName(document, $0) }
    // What JSON-RPC libraries say of themselves is for programs.
    let isLibrarys = name == nil && document.member("code", of: error).map { isReserved(document, $0) } ?? false
    let text = isLibrarys ? nil : document.member("message", of: error).flatMap { ownWords(document, $0) }
    return .error(question, name: name, text: text)
  }

  /// Whether an error's code is one that JSON-RPC 2.0 keeps for itself (section 5.1): -32768 to -32000.
  private static func isReserved(_ document: borrowing JSONDocument, _ node: JSONDocument.Node) -> Bool {
    guard document.kind(node) == .number else { return false }
    return Int(String(decoding: document.text(node), as: UTF8.self)).map { (-32_768 ... -32_000).contains($0) } ?? false
  }

  /// What a notification says, or what is wrong with it.
  private static func notification(_ document: borrowing JSONDocument, _ root: JSONDocument.Node) -> AuthenticatorReply
  {
    guard let params = document.member("params", of: root), document.kind(params) == .object,
      let id = document.member("attempt", of: params), let number = document.wholeNumber(id)
    else { return .invalid("its attempt is not one that was asked") }
    do throws(Problem) {
      let message = try optional(document, "message", of: params, or: "its message is not one") {
        self.message(document, $0)
      }
      let alert = try optional(document, "alert", of: params, or: "its alert is not one") { self.alert(document, $0) }
      return .notify(ConversationID(number: number), message, alert)
    } catch {
      return .invalid(error.text)
    }
  }
}
