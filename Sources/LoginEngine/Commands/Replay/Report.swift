import System

/// The report of a replay, on standard output.
enum Report {
  /// Writes a line. Returns false if it could not be written.
  ///
  /// Control characters are replaced, because transcripts from other people may contain terminal
  /// commands.
  static func line(_ text: String) -> Bool { BlockingOutput.write(text.printable() + "\n", to: 1) }
}
