public import JSONCodec
import LoginForms
public import LoginMachine

/// What is said between the engine and an authenticator.
public enum AuthenticatorWire {
  /// Appends the line that asks an authenticator. `appendSecret` appends the bytes of the secret of an item, escaped, without quotes.
  public static func appendSubmit(
    _ submission: Submission, locale: String, to buffer: inout ByteBuffer,
    appendSecret: (_ item: Int, inout ByteBuffer) -> Void
  ) {
    let screen = submission.screen
    buffer.append(#"{"jsonrpc":"2.0","id":"#)
    buffer.append(decimal: submission.attempt.id)
    buffer.append(#","method":"authenticator/submit","params":{"attempt":"#)
    buffer.append(decimal: submission.attempt.id)
    if let first = submission.attempt.retryOf {
      buffer.append(#","retryOf":"#)
      buffer.append(decimal: first)
    }
    buffer.append(#","request":"#)
    buffer.appendJSONString(screen.request)
    buffer.append(#","values":{"#)
    var isFirst = true
    for index in screen.items.indices where !submission.values.entries[index].isHidden {
      guard let key = screen.items[index].apiKey else { continue }
      if !isFirst { buffer.append(0x2C) }
      isFirst = false
      buffer.appendJSONString(key)
      buffer.append(0x3A)
      appendValue(of: index, submission, to: &buffer, appendSecret)
    }
    buffer.append(#"},"locale":"#)
    buffer.appendJSONString(locale)
    buffer.append("}}\n")
  }

  private static func appendValue(
    of index: Int, _ submission: Submission, to buffer: inout ByteBuffer,
    _ appendSecret: (_ item: Int, inout ByteBuffer) -> Void
  ) {
    let entry = submission.values.entries[index]
    switch submission.screen.items[index].kind {
    case .input where submission.screen.items[index].isSecret:
      buffer.append(0x22)
      if entry.isFilled { appendSecret(index, &buffer) }
      buffer.append(0x22)
    case .input, .selection:
      if entry.isAbsent { buffer.append("null") } else { entry.text.withUnsafeBytes { buffer.appendJSONString($0) } }
    case .text: buffer.append("null")
    case .toggle: buffer.append(entry.isOn.map { $0 ? "true" : "false" } ?? "null")
    }
  }

  /// Appends the line that says that nobody waits for an attempt any more.
  public static func appendCancel(_ attempt: AttemptID, to buffer: inout ByteBuffer) {
    buffer.append(#"{"jsonrpc":"2.0","method":"authenticator/cancel","params":{"attempt":"#)
    buffer.append(decimal: attempt)
    buffer.append("}}\n")
  }

  /// Appends the request that moves the built-in accounts' clock.
  public static func appendAdvance(_ milliseconds: UInt64, id: UInt64, to buffer: inout ByteBuffer) {
    buffer.append(#"{"jsonrpc":"2.0","id":"#)
    buffer.append(decimal: id)
    buffer.append(#","method":"clock/advance","params":{"milliseconds":"#)
    buffer.append(decimal: milliseconds)
    buffer.append("}}\n")
  }
}
