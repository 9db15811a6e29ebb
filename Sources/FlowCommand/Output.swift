import EventLoop

/// Standard output and standard error of this command.
enum Output {
  /// Writes all of it to standard output. Returns the exit status: 1 if nobody takes it.
  static func write(_ text: String) -> Int32 { write(Array(text.utf8)) }

  static func write(_ bytes: [UInt8]) -> Int32 { BlockingOutput.write(bytes, to: 1) ? 0 : 1 }

  /// Tells a person on standard error.
  static func complain(_ text: String) { BlockingOutput.printError("login-engine flow: \(text)\n") }
}
