public import JSONCodec
import LoginForms
public import LoginMachine

/// What is said between the engine and an authenticator.
public enum AuthenticatorWire {
  /// How questions are numbered in their `id`.
  public enum IDs: Sendable {
    /// By the number itself.
    case numbers
    /// `"authenticator-7"`: for who has numbers of its own.
    case names
  }

  /// Appends a question's id.
  public static func appendID(_ question: QuestionID, _ ids: IDs, to buffer: inout ByteBuffer) {
    switch ids {
    case .numbers: buffer.append(decimal: question.number)
    case .names:
      buffer.append(#""authenticator-"#)
      buffer.append(decimal: question.number)
      buffer.append(0x22)
    }
  }

  /// The number that an id gives.
  public static func questionNumber(
    _ document: borrowing JSONDocument, _ id: JSONDocument.Node, _ ids: IDs
  ) -> UInt64? {
    switch ids {
    case .numbers: return document.wholeNumber(id)
    case .names:
      guard document.kind(id) == .string else { return nil }
      let prefix = "authenticator-", text = document.string(id)
      let digits = text.dropFirst(prefix.count)
      guard text.hasPrefix(prefix), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), digits.first != "0" else {
        return nil
      }
      return UInt64(digits)
    }
  }

  /// Appends the line that puts a question which begins something. `appendSecret` appends the bytes of a secret, escaped, without quotes.
  public static func appendSubmit(
    _ question: Question, from origin: QuestionOrigin, ids: IDs = .numbers, to buffer: inout ByteBuffer,
    appendSecret: (QuestionSecret, inout ByteBuffer) -> Void
  ) {
    appendHead(question, "submit", ConversationID(first: question.id), ids, to: &buffer)
    buffer.append(#","request":"#)
    buffer.appendJSONString(question.request)
    if let action = question.action {
      buffer.append(#","action":"#)
      buffer.appendJSONString(action)
    }
    if let resume = question.resume {
      buffer.append(#","resume":"#)
      buffer.appendJSONString(resume)
    }
    appendValues(of: question, to: &buffer, appendSecret)
    buffer.append(#","locale":"#)
    buffer.appendJSONString(origin.locale)
    if let previous = question.previous { appendPrevious(previous, to: &buffer) }
    appendOrigin(origin, of: question, to: &buffer, appendSecret)
    buffer.append("}}\n")
  }

  /// Appends what links a question to the request that was accepted before it.
  static func appendPrevious(_ previous: AcceptedRequest, to buffer: inout ByteBuffer) {
    buffer.append(#","previous":{"attempt":"#)
    buffer.append(decimal: previous.conversationID.number)
    if let principal = previous.principal {
      buffer.append(#","principal":"#)
      buffer.appendJSONString(principal)
    }
    if let data = previous.data {
      buffer.append(#","data":"#)
      buffer.append(data)
    }
    if let factors = previous.factors { buffer.appendFactors(factors) }
    buffer.append(0x7D)
  }

  /// Appends the line that goes on with a conversation: what was entered, which link was pressed, or whether anything has become of it.
  public static func appendContinue(
    _ question: Question, of conversationID: ConversationID, from origin: QuestionOrigin, ids: IDs = .numbers,
    to buffer: inout ByteBuffer, appendSecret: (QuestionSecret, inout ByteBuffer) -> Void
  ) {
    appendHead(question, "continue", conversationID, ids, to: &buffer)
    if let action = question.action {
      buffer.append(#","action":"#)
      buffer.appendJSONString(action)
    }
    if question.isPoll { buffer.append(#","poll":true"#) }
    appendValues(of: question, to: &buffer, appendSecret)
    buffer.append(#","locale":"#)
    buffer.appendJSONString(origin.locale)
    appendOrigin(origin, of: question, to: &buffer, appendSecret)
    buffer.append("}}\n")
  }

  static func appendHead(
    _ question: Question, _ method: StaticString, _ conversationID: ConversationID, _ ids: IDs,
    to buffer: inout ByteBuffer
  ) {
    buffer.append(#"{"jsonrpc":"2.0","id":"#)
    appendID(question.id, ids, to: &buffer)
    buffer.append(#","method":"authenticator/"#)
    buffer.append(method)
    buffer.append(#"","params":{"attempt":"#)
    buffer.append(decimal: conversationID.number)
    if let first = question.retryOf {
      buffer.append(#","retryOf":"#)
      buffer.append(decimal: first.number)
    }
  }

  private static func appendValues(
    of question: Question, to buffer: inout ByteBuffer,
    _ appendSecret: (QuestionSecret, inout ByteBuffer) -> Void
  ) {
    let screen = question.screen
    buffer.append(#","values":{"#)
    var isFirst = true
    let (values, plainValues) = (question.values?.entries, question.plainValues?.entries)
    for index in 0..<(values?.count ?? plainValues?.count ?? 0) {
      guard let entry = values.map({ $0[index] }) ?? plainValues.flatMap({ $0[index] }), !entry.isHidden,
        let key = screen.items[index].apiKey
      else { continue }
      if !isFirst { buffer.append(0x2C) }
      isFirst = false
      buffer.appendJSONString(key)
      buffer.append(0x3A)
      appendValue(of: index, entry, on: screen, to: &buffer, appendSecret)
    }
    buffer.append(0x7D)
    appendFields(of: screen.items, to: &buffer)
  }

  /// Appends which of the values are fields that the authenticator knows by other names, if some are.
  static func appendFields(of items: some Collection<Item>, to buffer: inout ByteBuffer) {
    var isFirst = true
    for item in items {
      guard let field = item.field, let key = item.apiKey else { continue }
      buffer.append(isFirst ? #","fields":{"# : ",")
      isFirst = false
      buffer.appendJSONString(field)
      buffer.append(0x3A)
      buffer.appendJSONString(key)
    }
    if !isFirst { buffer.append(0x7D) }
  }

  static func appendValue(
    of index: Int, _ entry: Draft.Entry, on screen: Screen, to buffer: inout ByteBuffer,
    _ appendSecret: (QuestionSecret, inout ByteBuffer) -> Void
  ) {
    switch screen.items[index].kind {
    case .input where screen.items[index].isSecret:
      buffer.append(0x22)
      if entry.isFilled { appendSecret(.item(index), &buffer) }
      buffer.append(0x22)
    case .input, .selection:
      if entry.isAbsent {
        buffer.append("null")
      } else {
        entry.withText { buffer.appendJSONString(UnsafeRawBufferPointer($0)) }
      }
    case .external: if entry.isAbsent { buffer.append("null") } else { buffer.append(entry.text) }
    case .text, .link, .code: buffer.append("null")
    case .switch: buffer.append(entry.isOn.map { $0 ? "true" : "false" } ?? "null")
    }
  }

  /// Appends the line that says that nobody waits for anything of a conversation any more.
  public static func appendCancel(_ conversationID: ConversationID, to buffer: inout ByteBuffer) {
    buffer.append(#"{"jsonrpc":"2.0","method":"authenticator/cancel","params":{"attempt":"#)
    buffer.append(decimal: conversationID.number)
    buffer.append("}}\n")
  }

  /// The id of the request to describe itself.
  static var describeID: StaticString { "describe" }

  /// Appends the request to describe itself: the first line to each process.
  public static func appendDescribe(engine version: String, protocol wire: String, to buffer: inout ByteBuffer) {
    buffer.append(#"{"jsonrpc":"2.0","id":"describe","method":"authenticator/describe","params":{"protocol":"#)
    buffer.appendJSONString(wire)
    buffer.append(#","engine":"login-engine","version":"#)
    buffer.appendJSONString(version)
    buffer.append("}}\n")
  }

  /// Appends the request that moves the accounts' clock.
  public static func appendAdvance(_ milliseconds: UInt64, id: ClockQuestionID, to buffer: inout ByteBuffer) {
    buffer.append(#"{"jsonrpc":"2.0","id":"#)
    buffer.append(decimal: id.number)
    buffer.append(#","method":"clock/advance","params":{"milliseconds":"#)
    buffer.append(decimal: milliseconds)
    buffer.append("}}\n")
  }
}
