public import LoginProtocol

/// The settings of an engine, fixed before it runs.
public struct EngineConfiguration: Sendable {
  /// The authenticators and what each decides, at most one for the same requests. The accounts
  /// decide what is not named here.
  public var authenticators: [AuthenticatorChoice] = []
  /// Whether lines wait while a question is open.
  public var isLockstep = false
  /// The start of a manual clock, in milliseconds; `nil` for a clock that follows the times of the
  /// inputs. A manual clock moves only by `clock/advance`. Its steady time and its UTC time are one
  /// number.
  public var manualClock: UInt64?
  /// The most sessions that may be open at once.
  public var maximumSessions = 100_000
  /// The longest input line, in bytes without its terminator.
  public var maximumLineBytes = 1 << 20
  /// The longest value of an item, in bytes of UTF-8.
  public var maximumValueBytes = 4096
  /// The time without an event after which a session is closed, in milliseconds; 0 for never.
  public var idleTimeout: UInt64 = 0
  /// The time that open questions still have after the end of input, in milliseconds.
  public var drainTimeout: UInt64 = 30_000
  /// The most entries of a batch.
  public static var maximumBatchEntries: Int { Batch.maximumEntries }
  /// The name of the engine's run, the prefix of its idempotency keys: 1 to 64 letters, digits,
  /// `_`, `-` and `.`. Runs that share an authenticator need different names, so hosts choose one
  /// at random.
  public var run = "run"

  /// Gives the run a random name.
  public mutating func nameRun(with generator: inout some RandomNumberGenerator) {
    // Not `String(_:radix:)`: this is on the path of each start, and the first call of it in a
    // process takes 100,000 instructions.
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
