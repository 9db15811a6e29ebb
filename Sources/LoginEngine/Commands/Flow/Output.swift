import System

/// Standard output and standard error of `login-engine flow`.
enum Output {
  /// Writes to standard output. Returns the exit status: 1 if not everything could be written.
  static func write(_ text: String) -> Int32 { write(Array(text.utf8)) }

  static func write(_ bytes: [UInt8]) -> Int32 { BlockingOutput.write(bytes, to: 1) ? 0 : 1 }

  /// Writes a line to standard error.
  static func reportError(_ text: String) { BlockingOutput.printError("login-engine flow: \(text)\n") }
}
