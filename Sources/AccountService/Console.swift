import EventLoop

/// Text for a person.
enum Console {
  /// Writes to standard output. Returns false if nobody takes it.
  static func print(_ text: String) -> Bool { BlockingOutput.write(text, to: 1) }

  /// Writes to standard output from memory that the caller wipes. Returns false if nobody takes all of it.
  static func print(secret bytes: UnsafeRawBufferPointer) -> Bool {
    BlockingOutput.failure(writing: bytes, to: 1) == nil
  }

  /// Writes a part of a line to standard error, where it is seen although the output goes elsewhere.
  static func ask(_ text: String) { BlockingOutput.printError(text) }

  /// One line on standard error. Never holds what somebody typed as a secret.
  static func complain(_ text: String) { BlockingOutput.printError("login-engine accounts: " + text + "\n") }
}
