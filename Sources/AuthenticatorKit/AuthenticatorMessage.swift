public import JSONCodec
public import LoginMachine

/// Messages on the wire. A message is an object `{code?, text?, params?, severity?}` with at least
/// a code or a text, or a string, which is the text.
extension Message {
  /// Reads the message at a node; `nil` if it is invalid.
  public init?(_ document: borrowing JSONDocument, _ node: JSONDocument.Node) {
    if let text = document.optionalString(node) {
      guard !text.isEmpty else { return nil }
      self.init(saying: text)
      return
    }
    guard document.kind(node) == .object else { return nil }
    var text: String?
    if let node = document.present(Name.text, of: node) {
      guard let words = document.optionalString(node) else { return nil }
      text = words
    }
    if let node = document.present(Name.code, of: node) {
      guard let code = document.codeName(node) else { return nil }
      self.init(code, text: text)
    } else {
      guard let text, !text.isEmpty else { return nil }
      self.init(saying: text)
    }
    guard readSeverity(document, node), readParameters(document, node) else { return nil }
  }

  /// Reads the message's severity. Returns `false` if the severity is unknown.
  private mutating func readSeverity(_ document: borrowing JSONDocument, _ node: JSONDocument.Node) -> Bool {
    guard let member = document.present(Name.severity, of: node) else { return true }
    for known in Severity.allCases where document.equals(member, known.rawValue) { severity = known }
    return severity != nil
  }

  /// Reads the message's parameters. Returns `false` if a parameter is neither a number nor a
  /// string.
  private mutating func readParameters(_ document: borrowing JSONDocument, _ node: JSONDocument.Node) -> Bool {
    guard let member = document.present(Name.params, of: node) else { return true }
    guard document.kind(member) == .object else { return false }
    var child = document.firstChild(member)
    while let key = child, let value = document.sibling(after: key, in: member) {
      switch document.kind(value) {
      case .number:
        parameters.append(
          .init(document.string(key), .number(String(decoding: document.text(value), as: UTF8.self))))
      case .string: parameters.append(.init(document.string(key), .text(document.string(value))))
      case .null, .true, .false, .array, .object: return false
      }
      child = document.sibling(after: value, in: member)
    }
    return true
  }

  /// Appends the message. A message that has only a text is written as a string.
  public func write(to buffer: inout ByteBuffer) {
    if isVerbatim, let text {
      guard !parameters.isEmpty || severity != nil else { return buffer.appendJSONString(text) }
      buffer.append(first: Name.text)
      buffer.appendJSONString(text)
    } else {
      buffer.append(first: Name.code)
      buffer.appendJSONString(code)
      buffer.append(member: Name.text, text)
    }
    if !parameters.isEmpty {
      buffer.append(member: Name.params)
      for (index, parameter) in parameters.enumerated() {
        buffer.append(index == 0 ? 0x7B : 0x2C)
        buffer.appendJSONString(parameter.name)
        buffer.append(0x3A)
        switch parameter.value {
        case .number(let text): buffer.append(text)
        case .text(let text): buffer.appendJSONString(text)
        }
      }
      buffer.append(0x7D)
    }
    buffer.append(member: Name.severity, severity?.rawValue)
    buffer.append(0x7D)
  }
}

extension JSONDocument {
  borrowing func message(
    _ name: StaticString, of node: Node, or problem: InvalidAnswer = "its message is invalid"
  ) throws(InvalidAnswer) -> Message? {
    guard let member = present(name, of: node) else { return nil }
    guard let message = Message(self, member) else { throw problem }
    return message
  }

  /// The messages of an array; `nil` if the node is not an array, or if an element is not a
  /// message.
  borrowing func messages(_ list: Node) -> [Message]? {
    guard kind(list) == .array else { return nil }
    var messages: [Message] = []
    var element = firstChild(list)
    while let node = element {
      guard let message = Message(self, node) else { return nil }
      messages.append(message)
      element = sibling(after: node, in: list)
    }
    return messages
  }
}

extension ByteBuffer {
  mutating func append(member name: StaticString, _ message: Message?) {
    guard let message else { return }
    append(member: name)
    message.write(to: &self)
  }

  mutating func append(_ messages: [Message]) {
    append(0x5B)
    for (index, message) in messages.enumerated() {
      if index > 0 { append(0x2C) }
      message.write(to: &self)
    }
    append(0x5D)
  }
}

/// An alert: the view shows it over everything else until the user dismisses it.
public struct GivenAlert: Equatable, Sendable {
  /// The alert's title; `nil` for the title that the flow defines.
  public var title: String?
  /// The alert's messages, at least one.
  public var messages: [Message]

  public init(title: String? = nil, _ messages: [Message]) {
    self.title = title
    self.messages = messages
  }

  /// Reads an alert: a message, or `{title?, messages}`.
  init?(_ document: borrowing JSONDocument, _ node: JSONDocument.Node) {
    if let message = Message(document, node) {
      self.init([message])
      return
    }
    guard let list = document.member(Name.messages, of: node), let messages = document.messages(list),
      !messages.isEmpty
    else { return nil }
    var title: String?
    if let node = document.present(Name.title, of: node) {
      guard let text = document.optionalString(node) else { return nil }
      title = text
    }
    self.init(title: title, messages)
  }

  func write(to buffer: inout ByteBuffer) {
    if let title {
      buffer.append(first: Name.title)
      buffer.appendJSONString(title)
      buffer.append(member: Name.messages)
    } else {
      buffer.append(first: Name.messages)
    }
    buffer.append(messages)
    buffer.append(0x7D)
  }
}
