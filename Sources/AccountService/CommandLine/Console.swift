import Synchronization
import System

/// Output for users.
enum Console {
  /// The prefix of error messages, which is the name under which the program was started.
  private static let program = Mutex(AccountProgram.file.name)

  static func setProgram(_ name: String) { program.withLock { $0 = name } }

  /// Writes to standard output. Returns false if the text could not be written.
  static func print(_ text: String) -> Bool { BlockingOutput.write(text, to: 1) }

  /// Writes to standard output from memory that the caller wipes. Returns false if not everything
  /// could be written.
  static func print(secret bytes: UnsafeRawBufferPointer) -> Bool {
    BlockingOutput.failure(writing: bytes, to: 1) == nil
  }

  /// Writes a prompt to standard error, which the user sees even if the output is redirected to a
  /// file.
  static func ask(_ text: String) { BlockingOutput.printError(text) }

  /// Writes one line to standard error. The text must not contain a secret.
  static func reportError(_ text: String) { BlockingOutput.printError(program.withLock { $0 } + ": " + text + "\n") }
}
