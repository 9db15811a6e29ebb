import EventLoop
import JSONCodec

/// Lines on standard error for who runs the engine. Never holds anything that was typed.
public struct Log: Sendable {
  /// How much is said.
  public enum Level: Int, CaseIterable, Sendable, Comparable {
    case error, warning, info, debug

    public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  let level: Level

  /// Writes a line unless it is less important than asked for. A line that standard error has no room for now is dropped, because nothing may
  /// block the loop.
  func write(_ level: Level, _ text: @autoclosure () -> String) {
    guard level <= self.level else { return }
    let line = Array("login-engine: \(level): \(text())\n".utf8)
    line.withUnsafeBytes { _ = Descriptor.write(2, $0) }
  }

  /// Passes on a line that an authenticator wrote on its standard error, whatever is asked for. Control characters, which could do anything to a
  /// terminal, become `?`. Returns false if there was no room for it.
  func pass(_ line: UnsafeRawBufferPointer, from name: String, isCut: Bool) -> Bool {
    var text = ByteBuffer(capacity: line.count + name.utf8.count + 64)
    text.append("login-engine: authenticator \(name): " as String)
    for byte in line { text.append(byte >= 0x20 && byte != 0x7F || byte == 0x09 ? byte : UInt8(ascii: "?")) }
    if isCut { text.append(" …" as StaticString) }
    text.append(0x0A)
    let written = text.withBytes { Descriptor.write(2, $0) }
    // Nobody reads a log that is closed; that is nothing to count.
    return written != .wouldBlock
  }
}
