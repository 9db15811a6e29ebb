public import JSONCodec
import LoginForms
import LoginMachine

/// The values that lines of authenticators are made of.
extension AuthenticatorReply {
  /// A member that may be missing or null, in which case it is `nil`. What is there and not what `read` expects is a problem.
  static func optional<Value>(
    _ document: borrowing JSONDocument, _ name: StaticString, of node: JSONDocument.Node, or problem: Problem,
    _ read: (JSONDocument.Node) -> Value?
  ) throws(Problem) -> Value? {
    guard let member = present(document, name, node) else { return nil }
    guard let value = read(member) else { throw problem }
    return value
  }

  static func optionalMessage(
    _ document: borrowing JSONDocument, _ name: StaticString, of node: JSONDocument.Node,
    or problem: Problem = "its message is not one"
  ) throws(Problem) -> Message? {
    try optional(document, name, of: node, or: problem) { message(document, $0) }
  }

  /// A message: `{code?, text?, severity?, params?}` with a code or a text, or the text alone.
  static func message(_ document: borrowing JSONDocument, _ node: JSONDocument.Node) -> Message? {
    if document.kind(node) == .string { return ownWords(document, node).map { Message(saying: $0) } }
    guard var message = messageWithoutDetails(document, node) else { return nil }
    if let severity = present(document, "severity", node) {
      guard document.kind(severity) == .string,
        let known = Message.Severity.allCases.first(where: { equals(document, severity, $0.rawValue) })
      else { return nil }
      message.severity = known
    }
    if let parameters = present(document, "params", node) {
      guard document.kind(parameters) == .object else { return nil }
      var child = document.firstChild(parameters)
      while let key = child, let value = document.sibling(after: key, in: parameters) {
        switch document.kind(value) {
        case .number:
          let text = String(decoding: document.text(value), as: UTF8.self)
          message.parameters.append(.init(document.string(key), .number(text)))
        case .string: message.parameters.append(.init(document.string(key), .text(document.string(value))))
        case .null, .true, .false, .array, .object: return nil
        }
        child = document.sibling(after: value, in: parameters)
      }
    }
    return message
  }

  /// The code and the text of a message that is an object.
  private static func messageWithoutDetails(
    _ document: borrowing JSONDocument, _ node: JSONDocument.Node
  ) -> Message? {
    guard document.kind(node) == .object else { return nil }
    var text: String?
    if let node = present(document, "text", node) {
      guard document.kind(node) == .string else { return nil }
      text = document.string(node)
    }
    if let code = present(document, "code", node) { return codeName(document, code).map { Message($0, text: text) } }
    return text.flatMap { $0.isEmpty ? nil : Message(saying: $0) }
  }

  /// A text for people; `nil` if the node is none, or an empty one.
  static func ownWords(_ document: borrowing JSONDocument, _ node: JSONDocument.Node) -> String? {
    string(document, node).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// An alert: a message, or `{title?, messages}`.
  static func alert(_ document: borrowing JSONDocument, _ node: JSONDocument.Node) -> Alert? {
    if let message = message(document, node) { return Alert(.notice, messages: [message]) }
    guard let list = document.member("messages", of: node), document.kind(list) == .array else { return nil }
    var title: String?
    if let node = present(document, "title", node) {
      guard document.kind(node) == .string else { return nil }
      title = document.string(node)
    }
    var messages: [Message] = []
    var element = document.firstChild(list)
    while let node = element {
      guard let message = message(document, node) else { return nil }
      messages.append(message)
      element = document.sibling(after: node, in: list)
    }
    return messages.isEmpty ? nil : Alert(.notice, title: title, messages: messages)
  }

  /// A member that is there and not null.
  static func present(
    _ document: borrowing JSONDocument, _ name: StaticString, _ node: JSONDocument.Node
  ) -> JSONDocument.Node? {
    guard let member = document.member(name, of: node), document.kind(member) != .null else { return nil }
    return member
  }

  static func string(_ document: borrowing JSONDocument, _ node: JSONDocument.Node) -> String? {
    document.kind(node) == .string ? document.string(node) : nil
  }

  /// The code that a string writes: 1 to 64 letters, digits, dots, hyphens and underscores.
  public static func codeName(_ document: borrowing JSONDocument, _ node: JSONDocument.Node) -> String? {
    guard document.kind(node) == .string else { return nil }
    let text = document.text(node)
    guard ASCIIName.isName(text) else { return nil }
    return String(decoding: text, as: UTF8.self)
  }

  static func equals(_ document: borrowing JSONDocument, _ node: JSONDocument.Node, _ text: String) -> Bool {
    var text = text
    return text.withUTF8 { document.equals(node, UnsafeRawBufferPointer($0)) }
  }
}
