import JSONCodec
import LoginProtocol
import SecretMemory

/// The effects that the host has not taken yet, as lines of JSON.
final class EffectLines {
  private var text = LentText()

  var hasRoom: Bool { text.hasRoom }

  func lend() -> UnsafeRawBufferPointer { text.lend() }
  func takeBack() { text.takeBack() }

  /// Appends a line of the core for an authenticator, as an `ask` or `cancel` effect.
  func appendLine(_ line: UnsafeRawBufferPointer, to authenticator: AuthenticatorName) {
    let end = line.last == 0x0A ? line.count - 1 : line.count
    appendHead(EffectLines.isRequest(line) ? "ask" : "cancel", of: authenticator)
    // The line is appended directly, because another buffer would hold a copy of the passwords in
    // it.
    text.append(#","line":"#)
    text.append(UnsafeRawBufferPointer(rebasing: line[..<end]))
    text.append("}\n")
  }

  func appendStart(of authenticator: AuthenticatorName) {
    appendHead("start", of: authenticator)
    text.append("}\n")
  }

  /// - Parameter reason: why the authenticator is stopped, as a clause that begins with a verb.
  func appendStop(of authenticator: AuthenticatorName, reason: String) {
    appendHead("stop", of: authenticator)
    append { buffer in
      buffer.append(#","reason":"#)
      buffer.appendJSONString(reason)
      buffer.append("}\n")
    }
  }

  /// Appends a line of the log, or drops it if too many effects are waiting.
  func appendLog(_ level: LogLevel, _ line: String) {
    guard hasRoom else { return }
    append { buffer in
      buffer.append(#"{"effect":"log","level":""#)
      buffer.append(level.name)
      buffer.append(#"","text":"#)
      buffer.appendJSONString(line)
      buffer.append("}\n")
    }
  }

  private func appendHead(_ effect: StaticString, of authenticator: AuthenticatorName) {
    append { buffer in
      buffer.append(#"{"effect":""#)
      buffer.append(effect)
      buffer.append(#"","authenticator":"#)
      buffer.appendJSONString(authenticator.text)
    }
  }

  private func append(_ write: (inout ByteBuffer) -> Void) {
    var buffer = ByteBuffer()
    write(&buffer)
    buffer.withBytes { text.append($0) }
  }

  /// Whether a line to an authenticator needs an answer. The core's lines begin with the JSON-RPC
  /// version, followed by the id if the line has one.
  private static func isRequest(_ line: UnsafeRawBufferPointer) -> Bool {
    let head: StaticString = #"{"jsonrpc":"2.0","id":"#
    return line.starts(with: UnsafeRawBufferPointer(start: head.utf8Start, count: head.utf8CodeUnitCount))
  }
}
