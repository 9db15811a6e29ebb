public import LoginProtocol

/// The settings of an engine, fixed before it runs.
public struct EngineConfiguration: Sendable {
  /// The authenticators, and which requests each of them decides. Each set of requests may be named
  /// only once. The accounts decide all requests that no entry names.
  public var authenticators: [AuthenticatorChoice] = []
  /// Whether the view's lines wait while a question to an authenticator is open (`--lockstep`).
  public var isLockstep = false
  /// The time at which a manual clock starts, in milliseconds; `nil` for a clock that follows the
  /// times that the host passes in. A manual clock moves only by `clock/advance`. Its steady time
  /// and its UTC time are always the same number.
  public var manualClock: UInt64?
  /// The most sessions that may be open at once.
  public var maximumSessions = 100_000
  /// The maximum length of an input line, in bytes, without its terminator.
  public var maximumLineBytes = 1 << 20
  /// The maximum length of an item's value, in bytes of UTF-8.
  public var maximumValueBytes = 4096
  /// How long a session may be without an event before the engine closes it, in milliseconds; 0 for
  /// no limit.
  public var idleTimeout: UInt64 = 0
  /// How long the engine waits for the answers to open questions after the end of input, in
  /// milliseconds.
  public var drainTimeout: UInt64 = 30_000
  /// The maximum number of entries in a batch.
  public static var maximumBatchEntries: Int { Batch.maximumEntries }
  /// The name of this run of the engine: 1 to 64 letters, digits, `_`, `-` and `.`. The idempotency
  /// keys of the run begin with it. Runs that share an authenticator need different names, so hosts
  /// choose each name at random.
  public var run = "run"

  /// Gives this run of the engine a random name.
  public mutating func nameRun(with generator: inout some RandomNumberGenerator) {
    // `String(_:radix:)` is avoided, because its first call in a process takes 100,000
    // instructions, which each start of the engine would need.
    var letters: [UInt8] = []
    for _ in 0..<2 {
      let number: UInt64 = generator.next()
      letters += stride(from: 0, to: 64, by: 4).map { UInt8(ascii: "a") + UInt8(number >> $0 & 15) }
    }
    run = String(decoding: letters, as: UTF8.self)
  }

  /// The versions that the engine reports.
  public var version = EngineVersion()

  public init() {}
}

/// The destination of an engine's log.
public struct EngineLog {
  /// The least important level that is logged.
  public let level: LogLevel
  private let write: (LogLevel, String) -> Void

  /// - Parameter write: called with one line, without its terminator. The line never contains user
  ///   input.
  public init(level: LogLevel, write: @escaping (LogLevel, String) -> Void) {
    self.level = level
    self.write = write
  }

  /// A log that discards everything.
  public static var silent: EngineLog { EngineLog(level: .error) { _, _ in } }

  func write(_ level: LogLevel, _ text: @autoclosure () -> String) {
    if level <= self.level { write(level, text()) }
  }
}
