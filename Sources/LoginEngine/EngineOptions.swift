/// What the command line decides about an engine.
public struct EngineOptions: Sendable {
  /// Files with flows, the first of which becomes the one for who names none.
  public var flowFiles: [String] = []
  /// Who decides what; the built-in accounts decide what is not named here. At most one for the same requests.
  public var authenticators: [AuthenticatorChoice] = []
  /// The built-in accounts' file; `nil` for the usual place.
  public var accountsFile: String?
  /// The cost of the built-in accounts' password hashes; `nil` for libcrypt's default.
  public var hashCost: Int?
  /// The command that takes the built-in accounts' mails; `nil` for the outbox.
  public var mailCommand: [String]?
  /// The folder that the built-in accounts' mails are put into; `nil` for `outbox` beside their file.
  public var outbox: String?
  /// Takes no line while an attempt is in flight.
  public var isLockstep = false
  /// Time passes only by `clock/advance`.
  public var usesManualClock = false
  /// The most sessions that are open at a time.
  public var maximumSessions = 100_000
  /// The longest line taken, in bytes without its end.
  public var maximumLineBytes = 1 << 20
  /// The longest value of an item, in bytes of UTF-8.
  public var maximumValueBytes = 4096
  /// After how many milliseconds without an event a session is ended; 0 for never.
  public var idleTimeout: UInt64 = 0
  /// How many milliseconds attempts in flight may still take after the end of input.
  public var drainTimeout: UInt64 = 30_000
  public var logLevel = Log.Level.warning
  /// The file that a transcript of the run is written to.
  public var recording: String?
  /// The file that is told everything that happens.
  public var trace: String?
  /// Whether memory is kept from dumps and debuggers. Off only for tests that look for secrets in it.
  public var forbidsDumps = true

  public init() {}
}
