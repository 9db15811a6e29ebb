public import LoginProtocol

/// What recordings and traces have to know of a run, and what does not change in it.
public struct RecordingOptions: Sendable {
  /// The engine's time at which the run begins.
  public var start: Moment
  /// Whether time passes only by `clock/advance`.
  public var isClockManual = false
  /// The UTC time at which a replay's clock begins, in milliseconds since 1970; `nil` to leave it out of the recording.
  public var clockStart: UInt64?
  /// Whether the frontend answers questions of the engine's itself.
  public var frontendDecides = false
  /// The longest value of an item, in bytes of UTF-8.
  public var maximumValueBytes = 4096
  /// The longest line, in bytes without its end.
  public var maximumLineBytes = 1 << 20
  /// The most entries of a batch.
  public var maximumBatchEntries = 1000
  /// How long open questions may still take after the end of input: seconds, as the option takes them.
  public var drainTimeout = "30"
  /// The words of the command line that a replay has to be given, `--clock` and `--drain-timeout` aside.
  public var arguments: [String] = []
  /// Documents whose strings are known not to be secret, beside the built-in flows: the flow files of the run.
  public var knownDocuments: [[UInt8]] = []

  public init(start: Moment) { self.start = start }
}

/// Where the person who runs the engine is told something.
public typealias RecordingLog = (LogLevel, String) -> Void
