public import JSONCodec
public import LoginMachine

/// A line of an authenticator's, as the engine reads it.
public enum AuthenticatorLine {
  /// The answer to the question of that number: a result to be read by what was asked.
  case result(UInt64, JSONDocument.Node)
  /// Nothing was decided about the question of that number.
  case failure(UInt64, AuthenticatorFailure)
  case notification(AuthenticatorNotification)
  /// What it says of itself; `nil` if that cannot be understood.
  case description(AuthenticatorDescription?)
  /// The authenticator does not describe itself.
  case undescribed
  /// A notification or request of its own that the contract does not know.
  case call
  /// Nonsense.
  case invalid(StaticString)

  /// The message at `root`, from an authenticator whose questions are numbered like that.
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
      self = .invalid("its id is not one that was asked")
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
      self = .invalid("its attempt is not one that was asked")
      return
    }
    var notification = AuthenticatorNotification(attempt: number)
    if let node = document.present(Name.message, of: params) {
      guard let message = Message(document, node) else {
        self = .invalid("its message is not one")
        return
      }
      notification.message = message
    }
    if let node = document.present(Name.alert, of: params) {
      guard let alert = GivenAlert(document, node) else {
        self = .invalid("its alert is not one")
        return
      }
      notification.alert = alert
    }
    self = .notification(notification)
  }
}

/// What is to be read while an authenticator works on a conversation: `authenticator/notify`. One that comes when nobody waits any more is dropped.
public struct AuthenticatorNotification: Equatable, Sendable {
  /// The number of the question that began the conversation.
  public var attempt: UInt64
  /// What to say beside the form.
  public var message: Message?
  /// What to show over the form.
  public var alert: GivenAlert?

  public init(attempt: UInt64, message: Message? = nil, alert: GivenAlert? = nil) {
    self.attempt = attempt
    self.message = message
    self.alert = alert
  }

  /// Appends the line, with its end.
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
