extension EngineConfiguration {
  // The ranges that hosts accept for their options, in the units of the properties.
  public static var sessionCounts: ClosedRange<Int> { 1...100_000_000 }
  public static var lineByteCounts: ClosedRange<Int> { 256...256 << 20 }
  public static var valueByteCounts: ClosedRange<Int> { 1...1 << 20 }
  /// The valid values of the idle timeout and of the drain timeout, in milliseconds: at most a
  /// year.
  public static var timeouts: ClosedRange<UInt64> { 0...31_536_000_000 }
  /// The times at which a manual clock may start, in milliseconds. The upper bound is far below
  /// 2^53, the last time that the clock can show.
  public static var clockStarts: ClosedRange<UInt64> { 0...1 << 52 }

  /// Whether the frontend itself decides requests.
  public var includesFrontend: Bool { authenticators.contains { $0.backend == .frontend } }
}
