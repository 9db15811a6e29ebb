import LoginProtocol
import System

/// The engine's log on standard error. It never contains typed values.
struct Log: Sendable {
  let level: LogLevel

  /// Writes a line, unless its level is below the configured one. The line is dropped if standard
  /// error has no room, because the loop must not block.
  func write(_ level: LogLevel, _ text: @autoclosure () -> String) {
    guard level <= self.level else { return }
    let line = Array("login-engine: \(level.name): \(text())\n".utf8)
    line.withUnsafeBytes { _ = Descriptor.write(2, $0) }
  }
}
