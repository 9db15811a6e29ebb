extension EngineConfiguration {
  // What options of hosts may ask for; the values are in the units of the properties.
  public static var sessionCounts: ClosedRange<Int> { 1...100_000_000 }
  public static var lineByteCounts: ClosedRange<Int> { 256...256 << 20 }
  public static var valueByteCounts: ClosedRange<Int> { 1...1 << 20 }
  /// For idle sessions and for questions after the end of input: at most a year.
  public static var timeouts: ClosedRange<UInt64> { 0...31_536_000_000 }
  /// Where a manual clock may begin. Far from the end of what it can show, which is 2^53.
  public static var clockStarts: ClosedRange<UInt64> { 0...1 << 52 }

  /// Whether the frontend itself decides something.
  public var includesFrontend: Bool { authenticators.contains { $0.backend == .frontend } }
}
