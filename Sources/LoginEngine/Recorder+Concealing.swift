import JSONCodec
import LoginForms
import LoginMachine
import LoginProtocol

/// Messages without what is secret in them: all that the engine's answer depends on is kept, and nothing that may be a secret.
extension Recorder {
  /// Appends a message of the view's. One that was not taken is judged without looking at any session.
  func appendConcealed(
    _ document: borrowing JSONDocument, _ node: JSONDocument.Node, isTaken: Bool = true, to text: inout ByteBuffer
  ) {
    switch IncomingMessage(document, node) {
    case .response: JSONValue(document, node).write(to: &text)
    case .invalid: appendInvalid(document, node, to: &text)
    case .call(let call)
    where engine.routes.frontend != nil && document.equals(call.method, AuthenticatorReply.notifyMethod):
      // What a frontend says that decides logins itself is an authenticator's word.
      JSONValue(document, node).write(to: &text)
    case .call(let call):
      // A replay's clock can be moved. What cannot be done in the run has another name.
      let cannotMove = !engine.clock.isManual && document.equals(call.method, Method.advance.name)
      let method = cannotMove ? nil : Method(document, call.method)
      var isFirst = true
      forEachMember(document, node) { key, value in
        let isParams = document.equals(key, "params")
        guard isParams || isOwn(document, key) else { return }
        appendKey(document, key, &isFirst, to: &text)
        if cannotMove, value == call.method {
          text.append(#""clock/none""#)
        } else if !isParams {
          text.append(document.fullText(value))
        } else if let method, document.kind(value) == .object {
          appendParams(document, value, of: method, isTaken: isTaken, to: &text)
        } else {
          appendShape(document, value, to: &text)
        }
      }
      text.append(isFirst ? "{}" : "}")
    }
  }

  /// Whether the key is one of a call's, params aside, whose value says what is called.
  private func isOwn(_ document: borrowing JSONDocument, _ key: JSONDocument.Node) -> Bool {
    document.equals(key, "jsonrpc") || document.equals(key, "id") || document.equals(key, "method")
  }

  func appendInvalid(_ document: borrowing JSONDocument, _ node: JSONDocument.Node, to text: inout ByteBuffer) {
    guard document.kind(node) == .object else { return appendShape(document, node, to: &text) }
    var isFirst = true
    forEachMember(document, node) { key, value in
      let isID = document.equals(key, "id")
      let isKnown = ["params", "result", "error"].contains { document.equals(key, $0) }
      guard isKnown || isOwn(document, key) else { return }
      appendKey(document, key, &isFirst, to: &text)
      let isScalar = document.kind(value) == .string || document.kind(value) == .number
      let isMethod = document.equals(key, "method") && document.kind(value) == .string
      if isID && isScalar || isMethod || document.equals(value, "2.0") {
        text.append(document.fullText(value))
      } else {
        appendShape(document, value, to: &text)
      }
    }
    text.append(isFirst ? "{}" : "}")
  }

  // MARK: Params

  private func appendParams(
    _ document: borrowing JSONDocument, _ params: JSONDocument.Node, of method: Method, isTaken: Bool,
    to text: inout ByteBuffer
  ) {
    let parameters = Parameters(document, params)
    var isFirst = true
    var hasUnknown = false
    forEachMember(document, params) { key, value in
      guard let name = Parameters.Name.allCases.first(where: { document.equals(key, $0.text) }) else {
        // That there is one is all that counts.
        if !hasUnknown {
          text.append(isFirst ? 0x7B : 0x2C)
          // Not longer than it was: the line may be as long as one can be.
          text.append(0x22)
          for _ in 0..<min(document.text(key).count, 7) { text.append(0x78) }
          text.append(#"":0"#)
        }
        isFirst = false
        hasUnknown = true
        return
      }
      appendKey(document, key, &isFirst, to: &text)
      switch (name, document.kind(value)) {
      case (.value, _):
        let isPlain = isTaken && method == .change && engine.holdsPlainItem(parameters, document)
        append(value, isPlain: isPlain, document, to: &text)
      case (.values, .object): appendValues(document, value, parameters, isTaken && method == .open, to: &text)
      case (.values, _): appendShape(document, value, to: &text)
      case (.revision, .number), (.cursor, .number), (.limit, .number), (.milliseconds, .number),
        (.session, .string), (.item, .string), (.action, .string), (.flow, .string), (.screen, .string),
        (.locale, .string), (.transitions, .string), (.policy, .string):
        text.append(document.fullText(value))
      default: appendShape(document, value, to: &text)
      }
    }
    text.append(isFirst ? "{}" : "}")
  }

  /// The values that a session begins with: those of plain items.
  private func appendValues(
    _ document: borrowing JSONDocument, _ values: JSONDocument.Node, _ parameters: Parameters, _ isTaken: Bool,
    to text: inout ByteBuffer
  ) {
    let chosen = isTaken ? engine.chosenScreen(parameters, document) : nil
    var isFirst = true
    forEachMember(document, values) { key, value in
      appendKey(document, key, &isFirst, to: &text)
      let item = chosen.flatMap { $0.template.item(document, key, on: .flow($0.screen)) }
      let isPlain = chosen.flatMap { chosen in
        item.map { !chosen.template.flow.screens[chosen.screen].items[$0].isSecret }
      }
      if isPlain == true { appendValue(document, value, to: &text) } else { appendShape(document, value, to: &text) }
    }
    text.append(isFirst ? "{}" : "}")
  }

  private func append(
    _ value: JSONDocument.Node, isPlain: Bool, _ document: borrowing JSONDocument, to text: inout ByteBuffer
  ) {
    if isPlain {
      appendValue(document, value, to: &text)
    } else if document.kind(value) == .string {
      appendPlaceholder(document, value, to: &text)
    } else {
      appendShape(document, value, to: &text)
    }
  }

  private func appendPlaceholder(
    _ document: borrowing JSONDocument, _ value: JSONDocument.Node, to text: inout ByteBuffer
  ) {
    var scratch = ByteBuffer()
    let placeholder = document.withString(value, scratch: &scratch) {
      placeholders.placeholder(of: $0, maximum: engine.options.maximumValueBytes)
    }
    scratch.wipe()
    placeholder.withUnsafeBytes { text.appendJSONString($0) }
  }

  // MARK: Questions to the authenticator

  /// Appends what an authenticator is asked, with placeholders for the values of secret items.
  func appendConcealedQuestion(
    _ document: borrowing JSONDocument, _ root: JSONDocument.Node, to text: inout ByteBuffer
  ) {
    guard let params = document.member("params", of: root), document.member("values", of: params) != nil else {
      return JSONValue(document, root).write(to: &text)
    }
    let attempt = document.member("attempt", of: params).flatMap { document.wholeNumber($0) }
    // The screen of the conversation that the question belongs to.
    let screen = attempt.flatMap { engine.sessionAsking(ConversationID(number: $0)) }?.machine.screen
    var isFirst = true
    forEachMember(document, root) { key, value in
      appendKey(document, key, &isFirst, to: &text)
      guard document.equals(key, "params") else { return appendValue(document, value, to: &text) }
      var isFirst = true
      forEachMember(document, params) { key, value in
        appendKey(document, key, &isFirst, to: &text)
        guard document.equals(key, "values") else { return appendValue(document, value, to: &text) }
        appendAsked(document, value, screen, to: &text)
      }
      text.append(isFirst ? "{}" : "}")
    }
    text.append(isFirst ? "{}" : "}")
  }

  private func appendAsked(
    _ document: borrowing JSONDocument, _ values: JSONDocument.Node, _ screen: Screen?, to text: inout ByteBuffer
  ) {
    var isFirst = true
    forEachMember(document, values) { key, value in
      appendKey(document, key, &isFirst, to: &text)
      let name = document.string(key)
      let isPlain = screen.map { $0.items.contains { $0.apiKey == name && !$0.isSecret } } ?? false
      append(value, isPlain: isPlain, document, to: &text)
    }
    text.append(isFirst ? "{}" : "}")
  }

  // MARK: Pieces

  private func forEachMember(
    _ document: borrowing JSONDocument, _ object: JSONDocument.Node,
    _ body: (_ key: JSONDocument.Node, _ value: JSONDocument.Node) -> Void
  ) {
    var child = document.firstChild(object)
    while let key = child, let value = document.sibling(after: key, in: object) {
      body(key, value)
      child = document.sibling(after: value, in: object)
    }
  }

  private func appendKey(
    _ document: borrowing JSONDocument, _ key: JSONDocument.Node, _ isFirst: inout Bool, to text: inout ByteBuffer
  ) {
    text.append(isFirst ? 0x7B : 0x2C)
    isFirst = false
    text.appendJSONString(document.string(key))
    text.append(0x3A)
  }

  private func appendValue(_ document: borrowing JSONDocument, _ value: JSONDocument.Node, to text: inout ByteBuffer) {
    JSONValue(document, value).write(to: &text)
  }

  /// Appends a value of the same kind that says nothing.
  private func appendShape(_ document: borrowing JSONDocument, _ value: JSONDocument.Node, to text: inout ByteBuffer) {
    switch document.kind(value) {
    case .null: text.append("null")
    case .true, .false: text.append("false")
    case .number: text.append("0")
    case .string: text.append(#""""#)
    case .array: text.append("[]")
    case .object: text.append("{}")
    }
  }
}

extension Engine {
  /// Whether a change is one of an item that is not secret. If that cannot be told, or the change was meant for another screen, it is not.
  func holdsPlainItem(_ parameters: Parameters, _ document: borrowing JSONDocument) -> Bool {
    guard let session = try? session(parameters, document), let name = try? parameters.requiredString(.item, document),
      let item = item(document, name, of: session)
    else { return false }
    if let node = parameters[.revision] {
      guard let revision = document.wholeNumber(node), revision >= session.machine.since(item: item) else {
        return false
      }
    } else if let queue = session.transitions?.queue, queue.isBehind(session.machine) {
      return false
    }
    return !session.machine.screen.items[item].isSecret
  }

  /// The session that an attempt or a conversation belongs to.
  func sessionAsking(_ id: ConversationID) -> Session? {
    attempts[id.firstQuestion]?.session ?? conversations[id]?.session
      ?? attempts.values.first { $0.conversationID == id }?.session
  }

  /// The screen that a session would be opened on.
  func chosenScreen(
    _ parameters: Parameters, _ document: borrowing JSONDocument
  ) -> (template: FlowTemplate, screen: Int)? {
    try? choose(parameters, document)
  }

  /// Whether a message moves the clock of the authenticator first.
  func isMovingAuthenticatorsClock(_ document: borrowing JSONDocument, _ node: JSONDocument.Node) -> Bool {
    guard clock.isManual, let accounts = clockFollower, accounts.isRunning,
      case .call(let call) = IncomingMessage(document, node), Method(document, call.method) == .advance
    else { return false }
    return true
  }
}
