public import AuthenticatorKit
public import JSONCodec
public import LoginMachine

/// Writes the questions of machines as lines to an authenticator, in the format of the contract.
public enum AuthenticatorWire {
  /// Appends the line of a question. `appendSecret` appends the bytes of a secret, escaped, without
  /// quotes.
  public static func append(
    _ question: Question, from origin: QuestionOrigin, numbering: QuestionNumbering = .numbers,
    to buffer: inout ByteBuffer, appendSecret: (QuestionSecret, inout ByteBuffer) -> Void
  ) {
    AuthenticatorQuestion(question, from: origin).write(to: &buffer, number: question.id.number, numbering) { buffer in
      if let (item, entry) = question.checked {
        appendMember(item, entry, on: question.screen, isFirst: true, to: &buffer, appendSecret)
      } else {
        appendValues(of: question, to: &buffer, appendSecret)
      }
    } appendSecret: { index, buffer in
      appendSecret(.opening(index), &buffer)
    }
  }

  private static func appendValues(
    of question: Question, to buffer: inout ByteBuffer, _ appendSecret: (QuestionSecret, inout ByteBuffer) -> Void
  ) {
    var isFirst = true
    let (values, plainValues) = (question.values?.entries, question.plainValues?.entries)
    for index in 0..<(values?.count ?? plainValues?.count ?? 0) {
      guard let entry = values.map({ $0[index] }) ?? plainValues.flatMap({ $0[index] }), !entry.isHidden,
        question.screen.items[index].apiKey != nil
      else { continue }
      appendMember(index, entry, on: question.screen, isFirst: isFirst, to: &buffer, appendSecret)
      isFirst = false
    }
  }

  private static func appendMember(
    _ index: Int, _ entry: Draft.Entry, on screen: Screen, isFirst: Bool, to buffer: inout ByteBuffer,
    _ appendSecret: (QuestionSecret, inout ByteBuffer) -> Void
  ) {
    if !isFirst { buffer.append(0x2C) }
    buffer.appendJSONString(screen.items[index].apiKey ?? "")
    buffer.append(0x3A)
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
}

/// Identifies a secret that a question contains.
public enum QuestionSecret: Equatable, Sendable {
  /// The secret that was entered in the item with this index.
  case item(Int)
  /// A secret that the view provided when it opened the session, by its index in `secretNames`.
  case opening(Int)
}

extension AuthenticatorQuestion {
  /// Converts a machine's question. A check has no side effects, so it contains neither an
  /// idempotency key nor the secrets that the view passed when it opened the session.
  init(_ question: Question, from origin: QuestionOrigin) {
    let isCheck = question.checked != nil
    let kind: Kind = isCheck ? .check : question.conversationID == nil ? .submit : .continue
    self.init(
      kind, attempt: (question.conversationID ?? ConversationID(first: question.id)).number,
      request: kind == .continue ? nil : question.request, locale: origin.locale, session: origin.session,
      flow: origin.flow, screen: origin.screen)
    retryOf = question.retryOf?.number
    action = question.action
    resume = question.resume
    isPoll = question.isPoll
    principal = origin.principal
    context = origin.context
    supports = origin.supports
    if kind != .continue, let step = question.previous { previous = PreviousRequest(step) }
    if let (item, _) = question.checked {
      self.item = question.screen.items[item].apiKey
      appendField(of: question.screen.items[item])
    } else {
      key = origin.key(of: question.retryOf ?? question.id)
      secretNames = origin.secretNames
      for item in question.screen.items { appendField(of: item) }
    }
  }

  private mutating func appendField(of item: Item) {
    if let field = item.field, let apiKey = item.apiKey { fields.append(.init(field, is: apiKey)) }
  }
}

extension PreviousRequest {
  fileprivate init(_ step: AcceptedRequest) {
    self.init(
      attempt: step.conversationID.number, principal: step.principal, data: step.data, proofs: step.proofs)
  }
}
