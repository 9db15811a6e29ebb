public import JSONCodec

/// Writing the lines of authenticators. Each line ends with a newline.
extension AuthenticatorAnswer {
  /// Appends the answer to the question with this id.
  public func write(to buffer: inout ByteBuffer, id: MessageID) {
    buffer.appendResult(id) { buffer in
      buffer.append(outcome: outcome.text)
      switch self {
      case .accepted(let principal, let data, let proofs, let secret, let message, let retryAfterMs):
        buffer.append(member: Name.principal, principal)
        buffer.append(member: Name.data, json: data)
        buffer.append(proofs: proofs)
        buffer.append(member: Name.secret, json: secret)
        buffer.append(member: Name.message, message)
        buffer.append(member: Name.retryAfterMs, retryAfterMs)
      case .rejected(let reason, let message, let items):
        buffer.append(member: Name.reason, reason)
        buffer.append(member: Name.message, message)
        buffer.append(items)
      case .throttled(let retryAfterMs, let message):
        buffer.append(member: Name.retryAfterMs, retryAfterMs)
        buffer.append(member: Name.message, message)
      case .notice(let message, let screen):
        buffer.append(member: Name.message, message)
        buffer.append(member: Name.screen, screen)
      case .challenge(let challenge): challenge.write(to: &buffer)
      }
    }
  }
}

extension AuthenticatorChallenge {
  fileprivate func write(to buffer: inout ByteBuffer) {
    buffer.append(member: Name.screen, json: screen)
    buffer.append(member: Name.error, error)
    buffer.append(member: Name.notice, notice)
    buffer.append(items)
    if let pollAfterMs {
      buffer.append(member: Name.wait)
      buffer.append(first: Name.pollAfterMs)
      buffer.append(decimal: pollAfterMs)
      buffer.append(0x7D)
    }
    buffer.append(member: Name.expiresInMs, expiresInMs)
    buffer.append(member: Name.resume, resume)
  }
}

extension CheckAnswer {
  /// Appends the answer to the check with this id.
  public func write(to buffer: inout ByteBuffer, id: MessageID) {
    buffer.appendResult(id) { buffer in
      switch self {
      case .valid: buffer.append(outcome: Outcome.valid.text)
      case .invalid(let message):
        buffer.append(outcome: Outcome.invalid.text)
        buffer.append(member: Name.message, message)
      case .notice(let message):
        buffer.append(outcome: Outcome.notice.text)
        buffer.append(member: Name.message, message)
      }
    }
  }
}

extension AuthenticatorFailure {
  /// Appends the error response to the request with this id. If the id is `nil`, because the line's
  /// id could not be read, the response has the id `null`.
  public func write(to buffer: inout ByteBuffer, id: MessageID?) {
    buffer.append(#"{"jsonrpc":"2.0","id":"#)
    if let id, !id.text.isEmpty { buffer.append(id.text) } else { buffer.append("null") }
    buffer.append(#","error":{"code":"#)
    buffer.append(String(number))
    buffer.append(member: Name.message, message)
    if name != nil || !details.isEmpty {
      buffer.append(member: Name.data)
      var isFirst = true
      for detail in (name.map { [.init(Name.code, .string($0))] } ?? []) + details {
        buffer.append(isFirst ? 0x7B : 0x2C)
        isFirst = false
        buffer.appendJSONString(detail.key)
        buffer.append(0x3A)
        detail.value.write(to: &buffer)
      }
      buffer.append(0x7D)
    }
    buffer.append("}}\n")
  }
}

extension MessageID {
  /// Appends a response with an empty result, which says that the request with this id is done.
  public func writeDone(to buffer: inout ByteBuffer) {
    buffer.appendResponse(self)
    buffer.append("{}}\n")
  }
}

extension ByteBuffer {
  /// Appends the part of a response that precedes its result.
  mutating func appendResponse(_ id: MessageID) {
    append(#"{"jsonrpc":"2.0","id":"#)
    append(id.text)
    append(member: Name.result)
  }

  /// Appends a response whose result is an object. `write` appends the object without its closing
  /// brace.
  mutating func appendResult(_ id: MessageID, _ write: (inout ByteBuffer) -> Void) {
    appendResponse(id)
    write(&self)
    append("}}\n")
  }

  fileprivate mutating func append(outcome: StaticString) {
    append(first: Name.outcome)
    append(0x22)
    append(outcome)
    append(0x22)
  }

  fileprivate mutating func append(_ items: [AuthenticatorAnswer.ItemMessages]) {
    guard !items.isEmpty else { return }
    append(member: Name.items)
    for (index, item) in items.enumerated() {
      append(index == 0 ? 0x7B : 0x2C)
      appendJSONString(item.key)
      append(0x3A)
      append(item.messages)
    }
    append(0x7D)
  }
}
