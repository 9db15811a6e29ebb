import EventLoop

/// The report of a replay, on standard output.
enum Report {
  /// Writes a line. Returns false if it could not be written.
  static func line(_ text: String) -> Bool { BlockingOutput.write(text + "\n", to: 1) }
}
