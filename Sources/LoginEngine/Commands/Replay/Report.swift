import System

/// The report of a replay, on standard output.
enum Report {
  /// Writes a line. Returns false if it could not be written.
  ///
  /// Replaces control characters, because transcripts of others may contain terminal commands.
  static func line(_ text: String) -> Bool { BlockingOutput.write(text.printable() + "\n", to: 1) }
}
