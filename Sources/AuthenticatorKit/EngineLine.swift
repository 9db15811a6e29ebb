public import JSONCodec

/// Reads the engine's lines, and gives access to the entered values. The methods for secrets lend
/// the bytes and never copy a secret into a string.
///
/// Pass the authenticator's own names of fields to the methods. If the flow has another name for a
/// value, they find the value through the question's `fields`.
public struct EngineLine: ~Copyable {
  /// The last line, parsed. It refers to the line's bytes, which have to stay in place while values
  /// are read.
  public private(set) var document = JSONDocument()
  /// Holds the unescaped bytes of a secret while it is lent. The buffer is wiped after each use.
  private var scratch = ByteBuffer()
  private var fields: [AuthenticatorQuestion.Field] = []
  private var values: JSONDocument.Node?
  private var secrets: JSONDocument.Node?

  public init() {}

  /// Reads a line, without its newline. The bytes have to stay in place until the next line is
  /// read.
  ///
  /// - Throws: the syntax error if the line is not JSON.
  public mutating func read(_ line: UnsafeRawBufferPointer) throws(JSONError) -> EngineCall {
    values = nil
    secrets = nil
    fields = []
    try document.parse(line)
    guard let root = document.root, document.kind(root) == .object else { return .nothing }
    let call = EngineCall(document, root)
    if case .question(let question, _) = call, let params = document.member(Name.params, of: root) {
      fields = question.fields
      values = EngineCall.values(document, of: root)
      secrets = document.present(Name.secrets, of: params)
    }
    return call
  }

  /// The text that was entered in a field; `nil` if the value is not a text, or if the screen has
  /// no such field. Do not use it for secrets.
  public borrowing func text(_ field: String) -> String? { node(of: field).flatMap { document.optionalString($0) } }

  /// Whether the switch in a field is on; `nil` if the field's value is neither `true` nor `false`.
  public borrowing func isOn(_ field: String) -> Bool? {
    switch node(of: field).map({ document.kind($0) }) {
    case .true: true
    case .false: false
    default: nil
    }
  }

  /// The JSON text of a field's value, for example of an external item; `nil` if there is no such
  /// field.
  public borrowing func json(_ field: String) -> [UInt8]? { node(of: field).map { Array(document.fullText($0)) } }

  /// The JSON kind of a field's value; `nil` if there is no such field.
  public borrowing func kind(_ field: String) -> JSONKind? { node(of: field).map { document.kind($0) } }

  /// Lends the bytes of the text that was entered in a field, such as a password. Returns `nil`
  /// without calling `body` if there is no such text. `body` has to wipe what it copies.
  public mutating func withSecret<R: ~Copyable>(_ field: String, _ body: (UnsafeRawBufferPointer) -> R) -> R? {
    guard let node = node(of: field) else { return nil }
    return lend(node, body)
  }

  /// Lends the bytes of a secret that the view passed when it opened the session. Returns `nil`
  /// without calling `body` if there is no such secret. `body` has to wipe what it copies.
  public mutating func withOpeningSecret<R: ~Copyable>(_ name: String, _ body: (UnsafeRawBufferPointer) -> R) -> R? {
    guard let secrets, let node = member(name, of: secrets) else { return nil }
    return lend(node, body)
  }

  /// Whether the text that was entered in a field has exactly these bytes, in UTF-8. How long the
  /// comparison takes depends only on the lengths. Use it for codes, tokens and examples, but store
  /// passwords as hashes.
  public mutating func matches(_ field: String, _ expected: some Collection<UInt8>) -> Bool {
    withSecret(field) { bytes in
      var difference: UInt8 = bytes.count == expected.count ? 0 : 1
      for (one, other) in zip(bytes, expected) { difference |= one ^ other }
      return difference == 0
    } ?? false
  }

  /// Calls `body` for each text that was entered, with the apiKey of its item. Do not use it for
  /// secrets.
  public borrowing func forEachText(_ body: (_ apiKey: String, _ text: String) -> Void) {
    forEachValue { document, key, value in
      if document.kind(value) == .string { body(document.string(key), document.string(value)) }
    }
  }

  /// The values of all fields except those in `fields`, in the order of the line. Do not use it for
  /// secrets.
  public borrowing func others(than fields: [String]) -> [JSONValue.Member] {
    let known = fields.map { apiKey(of: $0) }
    var members: [JSONValue.Member] = []
    forEachValue { document, key, value in
      let name = document.string(key)
      if !known.contains(name) { members.append(.init(name, JSONValue(document, value))) }
    }
    return members
  }

  /// The element of `fields` that the flow calls `name`; `nil` if there is none.
  public borrowing func field(_ name: String, among fields: [String]) -> String? {
    fields.first { apiKey(of: $0) == name }
  }

  /// The flow's name for a field.
  private borrowing func apiKey(of field: String) -> String {
    fields.first { $0.field.utf8.elementsEqual(field.utf8) }?.apiKey ?? field
  }

  private borrowing func node(of field: String) -> JSONDocument.Node? {
    guard let values else { return nil }
    return member(apiKey(of: field), of: values)
  }

  private borrowing func member(_ name: String, of object: JSONDocument.Node) -> JSONDocument.Node? {
    var child = document.firstChild(object)
    while let key = child, let value = document.sibling(after: key, in: object) {
      if document.equals(key, name) { return value }
      child = document.sibling(after: value, in: object)
    }
    return nil
  }

  private borrowing func forEachValue(
    _ body: (borrowing JSONDocument, _ key: JSONDocument.Node, _ value: JSONDocument.Node) -> Void
  ) {
    guard let values else { return }
    var child = document.firstChild(values)
    while let key = child, let value = document.sibling(after: key, in: values) {
      body(document, key, value)
      child = document.sibling(after: value, in: values)
    }
  }

  private mutating func lend<R: ~Copyable>(
    _ node: JSONDocument.Node, _ body: (UnsafeRawBufferPointer) -> R
  ) -> R? {
    guard document.kind(node) == .string else { return nil }
    guard document.hasEscapes(node) else { return body(document.text(node)) }
    scratch.removeAll()
    JSONString.unescape(document.text(node), into: &scratch)
    defer { scratch.wipe() }
    return scratch.withBytes { body($0) }
  }
}
