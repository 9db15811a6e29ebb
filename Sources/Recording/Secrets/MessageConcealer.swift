import JSONCodec
import LoginMachine
import LoginProtocol

/// Removes secrets from messages, for recordings and traces: it keeps everything on which the
/// engine's answer depends, and nothing that may be secret.
///
/// A concealer needs all messages of a run, in their order.
struct MessageConcealer {
  private let frontendDecides: Bool
  private let maximumValueBytes: Int
  private var placeholders = Placeholders()
  private var values = ExternalValues()
  var strings: RecordedStrings

  init(_ options: RecordingOptions) {
    frontendDecides = options.frontendDecides
    maximumValueBytes = options.maximumValueBytes
    strings = RecordedStrings(KnownWords(options.knownDocuments))
  }

  /// Whether a string has a meaning in the protocol or in a flow.
  func isWord(_ text: UnsafeRawBufferPointer) -> Bool { strings.words.contains(text) }

  /// What the recording contains in place of a name in the engine's output.
  func recorded(_ name: [UInt8]) -> [UInt8] { strings.recorded(name) }

  /// What the recording contains in place of the id of an unreadable line, which the error reply
  /// repeats. It is the same JSON text, unless the id contains a secret.
  mutating func recordedID(_ id: UnsafeRawBufferPointer) -> [UInt8] {
    var document = JSONDocument()
    guard (try? document.parse(id)) != nil, let root = document.root else { return [] }
    var text = ByteBuffer()
    appendID(document, root, to: &text)
    return text.array()
  }

  // MARK: Messages of the view

  /// A message of the view, with its secrets replaced.
  mutating func view(_ message: UnsafeRawBufferPointer, _ known: KnownValues) -> [UInt8] {
    var document = JSONDocument()
    guard (try? document.parse(message)) != nil, let root = document.root else { return Array("{}".utf8) }
    var text = ByteBuffer()
    let isAuthenticators = frontendDecides && AuthenticatorReply.isMeant(by: document, root)
    if isAuthenticators {
      text.append(GrantedSecret.concealed(inAnswer: message))
    } else {
      appendView(document, root, known, to: &text)
    }
    return conceal(text.array(), from: isAuthenticators ? .authenticator : .view)
  }

  private mutating func appendView(
    _ document: borrowing JSONDocument, _ root: JSONDocument.Node, _ known: KnownValues, to text: inout ByteBuffer
  ) {
    switch IncomingMessage(document, root) {
    // A response that arrives here answers no open question.
    case .response, .invalid: appendInvalid(document, root, isViews: true, to: &text)
    case .call(let call): appendCall(document, root, Method(document, call.method), known, to: &text)
    }
  }

  private mutating func appendCall(
    _ document: borrowing JSONDocument, _ root: JSONDocument.Node, _ method: Method?, _ known: KnownValues,
    to text: inout ByteBuffer
  ) {
    var isEmpty = true
    var child = document.firstChild(root)
    while let key = child, let value = document.sibling(after: key, in: root) {
      child = document.sibling(after: value, in: root)
      switch IncomingMessage.MemberName(document, key) {
      case nil: continue
      case .jsonrpc:
        text.appendKey(document, key, &isEmpty)
        text.append(document.fullText(value))
      case .id:
        text.appendKey(document, key, &isEmpty)
        appendID(document, value, to: &text)
      case .method:
        text.appendKey(document, key, &isEmpty)
        appendMethod(document, value, to: &text)
      case .params:
        text.appendKey(document, key, &isEmpty)
        if let method, document.kind(value) == .object {
          appendParams(document, value, of: method, known, to: &text)
        } else {
          text.appendShape(document, value)
        }
      case .result, .error: continue
      }
    }
    text.appendEnd(isEmpty: isEmpty)
  }

  /// Appends an invalid message, reduced to the members that determine the error reply.
  ///
  /// - Parameter isViews: whether the message comes from a view. In such a message, the user may
  ///   have pasted a secret anywhere.
  mutating func appendInvalid(
    _ document: borrowing JSONDocument, _ root: JSONDocument.Node, isViews: Bool, to text: inout ByteBuffer
  ) {
    guard document.kind(root) == .object else { return text.appendShape(document, root) }
    var isEmpty = true
    var child = document.firstChild(root)
    while let key = child, let value = document.sibling(after: key, in: root) {
      child = document.sibling(after: value, in: root)
      guard let name = IncomingMessage.MemberName(document, key) else { continue }
      text.appendKey(document, key, &isEmpty)
      let kind = document.kind(value)
      switch name {
      case .id where kind == .string && isViews: appendID(document, value, to: &text)
      case .id where kind == .string || kind == .number: text.append(document.fullText(value))
      case .method where kind == .string && isViews: appendMethod(document, value, to: &text)
      case .method where kind == .string: text.append(document.fullText(value))
      case .jsonrpc, .id, .method, .params, .result, .error:
        if document.equals(value, "2.0") {
          text.append(document.fullText(value))
        } else {
          text.appendShape(document, value)
        }
      }
    }
    text.appendEnd(isEmpty: isEmpty)
  }

  /// Appends a method. An unknown method may be any text.
  private mutating func appendMethod(
    _ document: borrowing JSONDocument, _ value: JSONDocument.Node, to text: inout ByteBuffer
  ) {
    append(document, value, to: &text) { $0.strings.alias(ofName: $1) }
  }

  /// Appends an id. The engine repeats the id unchanged in its reply.
  private mutating func appendID(
    _ document: borrowing JSONDocument, _ value: JSONDocument.Node, to text: inout ByteBuffer
  ) {
    append(document, value, to: &text) { $0.strings.replacement(ofID: $1, placeholder: $0.placeholders.known($1)) }
  }

  /// Appends a value, with `replacement` applied if it is a string.
  mutating func append(
    _ document: borrowing JSONDocument, _ value: JSONDocument.Node, to text: inout ByteBuffer,
    replacement: (inout MessageConcealer, UnsafeRawBufferPointer) -> [UInt8]?
  ) {
    guard document.kind(value) == .string else { return text.append(document.fullText(value)) }
    var scratch = ByteBuffer()
    let new = document.withString(value, scratch: &scratch) { replacement(&self, $0) }
    scratch.wipe()
    guard let new else { return text.append(document.fullText(value)) }
    new.withUnsafeBytes { text.appendJSONString($0) }
  }

  // MARK: Values

  /// Appends the value of an item that is not external. If the value may be secret, appends a
  /// placeholder instead. A value of the wrong kind may be secret, because the user may have meant
  /// it for another item.
  mutating func appendTyped(
    _ document: borrowing JSONDocument, _ value: JSONDocument.Node, isPlain: Bool, _ rules: [Rule] = [],
    to text: inout ByteBuffer
  ) {
    let kind = document.kind(value)
    if isPlain, [.string, .true, .false].contains(kind) {
      text.appendValue(document, value)
    } else if kind == .string {
      let maximum = maximumValueBytes
      append(document, value, to: &text) { $0.placeholders.placeholder(of: $1, maximum: maximum, rules) }
    } else {
      text.appendShape(document, value)
    }
  }

  /// Appends the value of `item`, or of an unknown item if `item` is `nil`. The placeholder of a
  /// secret meets the rules in `rules` that the secret meets, and breaks the others.
  mutating func appendValue(
    _ document: borrowing JSONDocument, _ value: JSONDocument.Node, of item: Item?, _ rules: [Rule] = [],
    to text: inout ByteBuffer
  ) {
    if case .external = item?.kind {
      appendExternal(document, value, to: &text)
    } else {
      appendTyped(document, value, isPlain: item.map { !$0.isSecret } ?? false, rules, to: &text)
    }
  }

  /// Appends the value of an external item. If the value carries information, appends a placeholder
  /// instead.
  mutating func appendExternal(
    _ document: borrowing JSONDocument, _ value: JSONDocument.Node, to text: inout ByteBuffer
  ) {
    if let new = values.placeholder(document, value) {
      text.append(new)
    } else {
      append(document, value, to: &text) { $0.replacement(ofValue: $1) }
    }
  }

  /// The replacement of a text that is the whole value of an external item; `nil` to keep it.
  ///
  /// The engine may repeat this text in the same places as the text of a plain item, so the text
  /// has the same replacement everywhere.
  private mutating func replacement(
    ofValue text: UnsafeRawBufferPointer, maximum: Int = Item.External.maximumBytes
  ) -> [UInt8]? {
    if let replacement = strings.replacement(of: text) { return replacement }
    guard strings.isNew(text) else { return nil }
    let new = placeholders.placeholder(of: text, maximum: maximum)
    strings.replace(text, by: new)
    return new
  }

  /// Replaces the `resume` text of `node`, here and wherever it occurs later, because anyone who
  /// has this text can continue the conversation without a password.
  mutating func concealResume(_ document: borrowing JSONDocument, _ node: JSONDocument.Node) {
    guard document.kind(node) == .object, let resume = document.member("resume", of: node),
      document.kind(resume) == .string
    else { return }
    var scratch = ByteBuffer()
    document.withString(resume, scratch: &scratch) { text in
      if text.count >= TextHash.shortest {
        _ = replacement(ofValue: text, maximum: Challenge.maximumResumeBytes)
      }
    }
    scratch.wipe()
  }

  /// Appends the name of the session that a call opens. The name is kept unless it is a secret.
  mutating func appendNewSession(
    _ document: borrowing JSONDocument, _ value: JSONDocument.Node, to text: inout ByteBuffer
  ) {
    append(document, value, to: &text) {
      $0.strings.alias(ofNewSession: $1, isSecret: $0.placeholders.known($1) != nil)
    }
  }

  private mutating func conceal(_ message: [UInt8], from origin: RecordedStrings.Origin) -> [UInt8] {
    message.withUnsafeBytes { conceal($0, from: origin) }
  }

  private mutating func conceal(
    _ message: UnsafeRawBufferPointer, from origin: RecordedStrings.Origin
  ) -> [UInt8] {
    strings.conceal(message, from: origin, &placeholders, &values)
  }

  // MARK: Messages of the engine and of authenticators

  /// A line of the engine's output, with its secrets replaced.
  mutating func output(_ line: OutputLine) -> [UInt8] {
    if let granted = GrantedSecret.concealed(inOutput: line.bytes) {
      return conceal(granted, from: .engine)
    }
    guard frontendDecides, let question = question(line.bytes, line.asking, mustHaveValues: true) else {
      return conceal(line.bytes, from: .engine)
    }
    return conceal(question, from: .engine)
  }

  /// A line to an authenticator, with its secrets replaced; `nil` if the line is not valid.
  mutating func question(_ line: QuestionLine) -> [UInt8]? {
    guard let question = question(line.bytes, line.asking, mustHaveValues: false) else { return nil }
    return conceal(question, from: .view)
  }

  /// A valid message of an authenticator, with its secrets replaced.
  mutating func reply(_ line: UnsafeRawBufferPointer) -> [UInt8] {
    conceal(GrantedSecret.concealed(inAnswer: line), from: .authenticator)
  }

  /// An invalid message of an authenticator, reduced to what makes it invalid.
  mutating func invalidReply(_ document: borrowing JSONDocument, _ root: JSONDocument.Node) -> [UInt8] {
    var text = ByteBuffer()
    appendInvalid(document, root, isViews: false, to: &text)
    return conceal(text.array(), from: .authenticator)
  }

  /// A question to an authenticator, with placeholders for the values of secret items.
  private mutating func question(
    _ line: UnsafeRawBufferPointer, _ asking: AskingSession?, mustHaveValues: Bool
  ) -> [UInt8]? {
    // The line may repeat data of an authenticator's earlier step, nested more deeply than in that
    // step.
    var document = JSONDocument(maximumDepth: MessageWalk.maximumDepth)
    guard (try? document.parse(line)) != nil, let root = document.root, document.kind(root) == .object else {
      return nil
    }
    var text = ByteBuffer()
    guard let params = document.member("params", of: root), let values = document.member("values", of: params) else {
      if mustHaveValues { return nil }
      text.appendValue(document, root)
      return text.array()
    }
    let secrets = document.member("secrets", of: params)
    appendObject(document, root, replacing: [params], to: &text) { concealer, _, text in
      concealer.appendObject(document, params, replacing: [values, secrets], to: &text) { concealer, node, text in
        // Secrets with which the session was opened belong to no item.
        concealer.appendAsked(document, node, node == values ? asking?.screen : nil, to: &text)
      }
    }
    return text.array()
  }

  /// Appends an object. `body` appends the values of the members in `nodes`; the other values are
  /// appended unchanged.
  private mutating func appendObject(
    _ document: borrowing JSONDocument, _ object: JSONDocument.Node, replacing nodes: [JSONDocument.Node?],
    to text: inout ByteBuffer, _ body: (inout MessageConcealer, JSONDocument.Node, inout ByteBuffer) -> Void
  ) {
    var isEmpty = true
    var child = document.firstChild(object)
    while let key = child, let value = document.sibling(after: key, in: object) {
      text.appendKey(document, key, &isEmpty)
      if nodes.contains(value) { body(&self, value, &text) } else { text.appendValue(document, value) }
      child = document.sibling(after: value, in: object)
    }
    text.appendEnd(isEmpty: isEmpty)
  }

  private mutating func appendAsked(
    _ document: borrowing JSONDocument, _ values: JSONDocument.Node, _ screen: Screen?, to text: inout ByteBuffer
  ) {
    var isEmpty = true
    var child = document.firstChild(values)
    while let key = child, let value = document.sibling(after: key, in: values) {
      text.appendKey(document, key, &isEmpty)
      let name = document.string(key)
      let item = screen?.items.first { $0.apiKey == name && !$0.isSecret }
      appendValue(document, value, of: item, to: &text)
      child = document.sibling(after: value, in: values)
    }
    text.appendEnd(isEmpty: isEmpty)
  }
}
