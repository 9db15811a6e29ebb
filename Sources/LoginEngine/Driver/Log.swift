import LoginProtocol
import System

/// Lines on standard error for who runs the engine. Never holds anything that was typed.
struct Log: Sendable {
  let level: LogLevel

  /// Writes a line unless it is less important than asked for. A line that standard error has no room for now is dropped, because nothing may
  /// block the loop.
  func write(_ level: LogLevel, _ text: @autoclosure () -> String) {
    guard level <= self.level else { return }
    let line = Array("login-engine: \(level.name): \(text())\n".utf8)
    line.withUnsafeBytes { _ = Descriptor.write(2, $0) }
  }
}
