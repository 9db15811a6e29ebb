import JSONCodec
import LoginProtocol

/// A `clock/advance` that was refused, since the run's clock is the system's. A replay's clock can
/// be moved, so the recording contains an unknown method instead.
enum ClockCall {
  /// The message for the recording: a refused `clock/advance` gets the unknown method's name, and
  /// every other message stays the same.
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
