public import LoginProtocol

/// What is decided about an engine before it runs.
public struct EngineConfiguration: Sendable {
  /// Who decides what; the accounts decide what is not named here. At most one for the same requests.
  public var authenticators: [AuthenticatorChoice] = []
  /// Whether no line is handled while a question is open.
  public var isLockstep = false
  /// Where a manual clock begins, in milliseconds; `nil` for a clock that follows the times of the inputs. A manual clock
  /// moves only by `clock/advance`. Its steady time and its UTC time are one number.
  public var manualClock: UInt64?
  /// The most sessions that are open at a time.
  public var maximumSessions = 100_000
  /// The longest line read, in bytes without its end.
  public var maximumLineBytes = 1 << 20
  /// The longest value of an item, in bytes of UTF-8.
  public var maximumValueBytes = 4096
  /// After how many milliseconds without an event a session is closed; 0 for never.
  public var idleTimeout: UInt64 = 0
  /// How many milliseconds open questions may still take after the end of input.
  public var drainTimeout: UInt64 = 30_000
  /// The most entries of a batch.
  public static var maximumBatchEntries: Int { Batch.maximumEntries }
  /// The name of the engine's run, with which the keys of its questions begin: 1 to 64 letters, digits, `_`, `-` and `.`. Runs that ask the same authenticators
  /// need names of their own, so a host makes one at random.
  public var run = "run"

  /// Gives the run a name that no other has.
  public mutating func nameRun(with generator: inout some RandomNumberGenerator) {
    // Each start of a program does this, and the first call of `String(_:radix:)` in a process takes 100,000 instructions.
    var letters: [UInt8] = []
    for _ in 0..<2 {
      let number: UInt64 = generator.next()
      letters += stride(from: 0, to: 64, by: 4).map { UInt8(ascii: "a") + UInt8(number >> $0 & 15) }
    }
    run = String(decoding: letters, as: UTF8.self)
  }

  /// The versions that the engine says it has.
  public var version = EngineVersion()

  public init() {}
}

/// Where an engine's log goes.
public struct EngineLog {
  /// What is less important than this is left out.
  public let level: LogLevel
  private let write: (LogLevel, String) -> Void

  /// - Parameter write: is called with one line, without its end. The line never holds anything that was typed.
  public init(level: LogLevel, write: @escaping (LogLevel, String) -> Void) {
    self.level = level
    self.write = write
  }

  /// A log that nobody reads.
  public static var silent: EngineLog { EngineLog(level: .error) { _, _ in } }

  func write(_ level: LogLevel, _ text: @autoclosure () -> String) {
    if level <= self.level { write(level, text()) }
  }
}
