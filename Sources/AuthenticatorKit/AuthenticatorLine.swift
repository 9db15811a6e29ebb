public import JSONCodec
public import LoginMachine

/// A line from an authenticator, as the engine reads it.
public enum AuthenticatorLine {
  /// The result of the question with this number. How to read it depends on the question.
  case result(UInt64, JSONDocument.Node)
  /// The authenticator could not decide the question with this number.
  case failure(UInt64, AuthenticatorFailure)
  case notification(AuthenticatorNotification)
  /// The authenticator's description of itself; `nil` if it is invalid.
  case description(AuthenticatorDescription?)
  /// The authenticator answered `authenticator/describe` with an error.
  case undescribed
  /// A notification or request with a method that the contract does not define for authenticators.
  case call
  /// The line violates the contract. The text says how.
  case invalid(StaticString)

  /// Reads the message at `root`. `numbering` is how the ids of questions to this authenticator are
  /// written.
  public init(_ document: borrowing JSONDocument, _ root: JSONDocument.Node, _ numbering: QuestionNumbering) {
    guard document.kind(root) == .object else {
      self = .invalid("it is not an object")
      return
    }
    if let method = document.member(Name.method, of: root) {
      let isNotice = document.equals(method, AuthenticatorMethod.notify.text)
      self = isNotice ? AuthenticatorLine(notification: document, root) : .call
      return
    }
    let id = document.member(Name.id, of: root)
    if case .numbers = numbering, let id, document.equals(id, EngineDescription.id) {
      let result = document.member(Name.result, of: root)
      self = result.map { .description(AuthenticatorDescription(document, $0)) } ?? .undescribed
      return
    }
    guard let id, let number = numbering.number(document, id) else {
      self = .invalid("its id is not the id of a question")
      return
    }
    if let result = document.member(Name.result, of: root) {
      self = .result(number, result)
    } else if let error = document.member(Name.error, of: root) {
      self = .failure(number, AuthenticatorFailure(document, error: error))
    } else {
      self = .invalid("it has neither result nor error")
    }
  }

  private init(notification document: borrowing JSONDocument, _ root: JSONDocument.Node) {
    guard let params = document.member(Name.params, of: root), document.kind(params) == .object,
      let attempt = document.member(Name.attempt, of: params), let number = document.wholeNumber(attempt)
    else {
      self = .invalid("its attempt is not the number of a question")
      return
    }
    var notification = AuthenticatorNotification(attempt: number)
    if let node = document.present(Name.message, of: params) {
      guard let message = Message(document, node) else {
        self = .invalid("its message is invalid")
        return
      }
      notification.message = message
    }
    if let node = document.present(Name.alert, of: params) {
      guard let alert = GivenAlert(document, node) else {
        self = .invalid("its alert is invalid")
        return
      }
      notification.alert = alert
    }
    self = .notification(notification)
  }
}

/// A message to show while an authenticator works on a conversation: `authenticator/notify`. The
/// engine drops it if the conversation is over.
public struct AuthenticatorNotification: Equatable, Sendable {
  /// The number of the question that began the conversation.
  public var attempt: UInt64
  /// A message that accompanies the form.
  public var message: Message?
  /// An alert over the form.
  public var alert: GivenAlert?

  public init(attempt: UInt64, message: Message? = nil, alert: GivenAlert? = nil) {
    self.attempt = attempt
    self.message = message
    self.alert = alert
  }

  /// Appends the notification as a line, with its newline.
  public func write(to buffer: inout ByteBuffer) {
    buffer.appendNotification(.notify)
    buffer.append(first: Name.attempt)
    buffer.append(decimal: attempt)
    buffer.append(member: Name.message, message)
    if let alert {
      buffer.append(member: Name.alert)
      alert.write(to: &buffer)
    }
    buffer.append("}}\n")
  }
}
