import JSONCodec
import LoginProtocol

/// Renames a `clock/advance` that the engine refused because its clock is the system's. A replay's
/// clock is manual and would accept the call, so the recording contains an unknown method, which a
/// replay refuses.
enum ClockCall {
  /// The message as it is recorded: a refused `clock/advance` gets the name of an unknown method,
  /// and every other message stays the same.
  static func renamed(_ message: [UInt8], unless isClockManual: Bool) -> [UInt8] {
    message.withUnsafeBytes { bytes in
      var document = JSONDocument()
      guard !isClockManual, firstOffset(of: "clock/", in: bytes) != nil, (try? document.parse(bytes)) != nil,
        let root = document.root,
        case .call(let call) = IncomingMessage(document, root), document.equals(call.method, Method.advance.name)
      else { return message }
      var text = ByteBuffer()
      var isEmpty = true
      document.forEachMember(root) { key, value in
        text.appendKey(document, key, &isEmpty)
        if value == call.method {
          text.append(#""clock/none""#)
        } else if value == call.params {
          text.appendShape(document, value)
        } else {
          text.append(document.fullText(value))
        }
      }
      text.appendEnd(isEmpty: isEmpty)
      return text.array()
    }
  }
}
