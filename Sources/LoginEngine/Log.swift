import EventLoop

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
}
