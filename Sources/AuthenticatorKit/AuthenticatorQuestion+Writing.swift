public import JSONCodec

extension AuthenticatorQuestion {
  /// Appends the line that asks this question.
  ///
  /// - Parameters:
  ///   - appendValues: appends the members of the object `values`.
  ///   - appendSecret: appends a secret that the view passed when it opened the session, escaped
  ///     and without quotes. It gets the secret's index in `secretNames`.
  public func write(
    to buffer: inout ByteBuffer, number: UInt64, _ numbering: QuestionNumbering = .numbers,
    appendValues: (inout ByteBuffer) -> Void, appendSecret: (Int, inout ByteBuffer) -> Void = { _, _ in }
  ) {
    buffer.appendCall(method) { numbering.append(number, to: &$0) }
    buffer.append(first: Name.attempt)
    buffer.append(decimal: attempt)
    buffer.append(member: Name.retryOf, retryOf)
    buffer.append(member: Name.request, request)
    buffer.append(member: Name.item, item)
    buffer.append(member: Name.action, action)
    buffer.append(member: Name.resume, resume)
    if isPoll {
      buffer.append(member: Name.poll)
      buffer.append("true")
    }
    buffer.append(member: Name.values)
    buffer.append(0x7B)
    appendValues(&buffer)
    buffer.append(0x7D)
    appendFields(to: &buffer)
    buffer.append(member: Name.locale, locale)
    previous?.write(to: &buffer)
    appendOrigin(to: &buffer)
    appendSecrets(to: &buffer, appendSecret)
    buffer.append("}}\n")
  }

  private var method: AuthenticatorMethod {
    switch kind {
    case .submit: .submit
    case .continue: .continue
    case .check: .check
    }
  }

  private func appendFields(to buffer: inout ByteBuffer) {
    guard !fields.isEmpty else { return }
    buffer.append(member: Name.fields)
    for (index, field) in fields.enumerated() {
      buffer.append(index == 0 ? 0x7B : 0x2C)
      buffer.appendJSONString(field.field)
      buffer.append(0x3A)
      buffer.appendJSONString(field.apiKey)
    }
    buffer.append(0x7D)
  }

  private func appendOrigin(to buffer: inout ByteBuffer) {
    buffer.append(member: Name.session)
    session.withUnsafeBytes { buffer.appendJSONString($0) }
    buffer.append(member: Name.flow, flow)
    buffer.append(member: Name.screen, screen)
    if let key {
      buffer.append(member: Name.key)
      key.write(to: &buffer)
    }
    buffer.append(member: Name.principal, principal)
    buffer.append(member: Name.context, json: context)
    buffer.append(member: Name.supports, supports)
  }

  private func appendSecrets(to buffer: inout ByteBuffer, _ appendSecret: (Int, inout ByteBuffer) -> Void) {
    guard !secretNames.isEmpty else { return }
    buffer.append(member: Name.secrets)
    for (index, name) in secretNames.enumerated() {
      buffer.append(index == 0 ? 0x7B : 0x2C)
      buffer.appendJSONString(name)
      buffer.append(#":""#)
      appendSecret(index, &buffer)
      buffer.append(0x22)
    }
    buffer.append(0x7D)
  }
}

extension PreviousRequest {
  fileprivate func write(to buffer: inout ByteBuffer) {
    buffer.append(member: Name.previous)
    buffer.append(first: Name.attempt)
    buffer.append(decimal: attempt)
    buffer.append(member: Name.principal, principal)
    buffer.append(member: Name.data, json: data)
    buffer.append(proofs: proofs)
    buffer.append(0x7D)
  }
}

extension IdempotencyKey {
  fileprivate func write(to buffer: inout ByteBuffer) {
    switch self {
    case .text(let text): buffer.appendJSONString(text)
    case .numbered(var run, let number):
      buffer.append(0x22)
      run.withUTF8 { buffer.appendJSONEscaped(UnsafeRawBufferPointer($0)) }
      buffer.append(0x2D)
      buffer.append(decimal: number)
      buffer.append(0x22)
    }
  }
}

extension QuestionNumbering {
  private static var prefix: StaticString { "authenticator-" }

  /// Appends the id of the question with this number.
  public func append(_ number: UInt64, to buffer: inout ByteBuffer) {
    switch self {
    case .numbers: buffer.append(decimal: number)
    case .names:
      buffer.append(0x22)
      buffer.append(Self.prefix)
      buffer.append(decimal: number)
      buffer.append(0x22)
    }
  }

  /// The number of the question with this id; `nil` if no question can have this id.
  public func number(_ document: borrowing JSONDocument, _ id: JSONDocument.Node) -> UInt64? {
    switch self {
    case .numbers: return document.wholeNumber(id)
    case .names:
      guard let text = document.optionalString(id), text.hasPrefix("\(Self.prefix)") else { return nil }
      let digits = text.dropFirst(Self.prefix.utf8CodeUnitCount)
      guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), digits.first != "0" else { return nil }
      return UInt64(digits)
    }
  }
}

/// Writes the engine's calls that cancel a conversation or move an authenticator's clock.
public enum EngineNotice {
  /// Appends the notification `authenticator/cancel`: the engine has abandoned a conversation with
  /// the authenticator.
  public static func writeCancel(attempt: UInt64, to buffer: inout ByteBuffer) {
    buffer.appendNotification(.cancel)
    buffer.append(first: Name.attempt)
    buffer.append(decimal: attempt)
    buffer.append("}}\n")
  }

  /// Appends the request with which an authenticator is asked to move its clock forward.
  public static func writeAdvance(milliseconds: UInt64, number: UInt64, to buffer: inout ByteBuffer) {
    buffer.appendCall(.advance) { $0.append(decimal: number) }
    buffer.append(first: Name.milliseconds)
    buffer.append(decimal: milliseconds)
    buffer.append("}}\n")
  }
}
