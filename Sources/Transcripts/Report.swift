import EventLoop

/// What a replay says on standard output.
enum Report {
  /// Writes a line. Returns false if nobody takes it.
  static func line(_ text: String) -> Bool { BlockingOutput.write(text + "\n", to: 1) }
}
