import System

/// The report of a replay, on standard output.
enum Report {
  /// Writes a line, without what could command a terminal: transcripts may come from others. Returns false if it could not be written.
  static func line(_ text: String) -> Bool { BlockingOutput.write(text.printable() + "\n", to: 1) }
}
