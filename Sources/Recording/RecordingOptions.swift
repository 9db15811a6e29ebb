public import LoginProtocol

/// The fixed properties of a run that recordings and traces depend on.
public struct RecordingOptions: Sendable {
  /// The engine's time at the start of the run.
  public var start: Moment
  /// Whether time passes only by `clock/advance`.
  public var isClockManual = false
  /// The UTC time at which a replay's clock starts, in milliseconds since 1970; `nil` to leave it
  /// out of the recording.
  public var clockStart: UInt64?
  /// Whether the frontend answers the authentication questions itself.
  public var frontendDecides = false
  /// The longest value of an item, in bytes of UTF-8.
  public var maximumValueBytes = 4096
  /// The longest line of input, in bytes without its terminator.
  public var maximumLineBytes = 1 << 20
  /// The largest number of entries in a JSON-RPC batch.
  public var maximumBatchEntries = 1000
  /// How long open questions may take after the input has ended: the value of `--drain-timeout`, in
  /// seconds.
  public var drainTimeout = "30"
  /// The command line arguments for a replay, except `--clock` and `--drain-timeout`.
  public var arguments: [String] = []
  /// Documents whose strings are known not to be secret, in addition to the built-in flows: the
  /// flow files of the run.
  public var knownDocuments: [[UInt8]] = []

  public init(start: Moment) { self.start = start }
}

/// A log for the person who runs the engine.
public typealias RecordingLog = (LogLevel, String) -> Void
