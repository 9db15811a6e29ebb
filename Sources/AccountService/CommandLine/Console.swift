import Synchronization
import System

/// Text for people.
enum Console {
  /// What is in front of errors: the program as it is started.
  private static let program = Mutex(AccountProgram.file.name)

  static func setProgram(_ name: String) { program.withLock { $0 = name } }

  /// Writes to standard output. Returns false if it could not be written.
  static func print(_ text: String) -> Bool { BlockingOutput.write(text, to: 1) }

  /// Writes to standard output from memory that the caller wipes. Returns false if not all of it could be written.
  static func print(secret bytes: UnsafeRawBufferPointer) -> Bool {
    BlockingOutput.failure(writing: bytes, to: 1) == nil
  }

  /// Writes a part of a line to standard error, which people see even if the output goes into a file.
  static func ask(_ text: String) { BlockingOutput.printError(text) }

  /// One line on standard error. It never holds a secret.
  static func reportError(_ text: String) { BlockingOutput.printError(program.withLock { $0 } + ": " + text + "\n") }
}
