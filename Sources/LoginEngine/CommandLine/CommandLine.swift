import EngineCore
import LoginMachine
import LoginProtocol
import System

extension EngineOptions {
  /// The result of parsing a command line.
  enum Request {
    case run(EngineOptions)
    case help, version
  }

  /// Parses the engine's options.
  static func parse(_ arguments: [String]) throws(UsageError) -> Request {
    // Without arguments the option table need not be built.
    guard !arguments.isEmpty else { return .run(EngineOptions()) }
    var line = EngineCommandLine()
    let operands = try EngineCommandLine.syntax.read(arguments, into: &line) { option in
      "unknown option \(option); give options of the accounts to login-accounts, as in --authenticator 'login-accounts \(option) …'"
    }
    if let information = line.information { return information }
    if let operand = operands.first {
      throw UsageError("unknown command \(operand); login-accounts has the commands of the accounts")
    }
    let choices = line.options.configuration.authenticators
    for (index, choice) in choices.enumerated()
    where choices[..<index].contains(where: { $0.requests == choice.requests }) {
      throw UsageError("--authenticator was given twice for \(choice.requests.text)")
    }
    return .run(line.options)
  }
}

/// The state of parsing the engine's command line.
struct EngineCommandLine: Sendable {
  var options = EngineOptions()
  /// The request for help or the version. If there is one, no engine runs.
  var information: EngineOptions.Request?

  static let syntax = CommandLineSyntax(
    program: "login-engine",
    groups: [
      { @Sendable in flows }, { @Sendable in time }, { @Sendable in sessions },
      { @Sendable in limits },
      { @Sendable in observation }, { @Sendable in information },
    ])
  typealias Option = CommandLineOption<EngineCommandLine>

  private static let flows: [Option] = [
    .value("--flow", "FILE", "add the flow in FILE before the built-in flows; may be given several times", .text) {
      $0.options.flowFiles.append($1)
    },
    .value(
      "--authenticator", "[WHICH=]WHAT",
      """
      the authenticator: a command, such as 'login-accounts --settings FILE', accounts (the same
      without options), frontend (the reader of the output) or demo (lets everyone in, to try flows:
      see login-engine demo --help).
      WHICH: REQUEST, FLOW/REQUEST, FLOW/* or * (default: *); may be given several times,
      and the most specific one applies
      """, OptionReader(AuthenticatorChoice.parse)
    ) { $0.options.configuration.authenticators.append($1) },
    .value(
      "--accounts", "FILE",
      """
      the accounts file, short for --authenticator 'login-accounts --file FILE'
      (default: login-engine/accounts.sqlite3 under $XDG_DATA_HOME or ~/.local/share)
      """, .text
    ) { $0.options.accountsFile = $1 },
  ]

  private static let time: [Option] = [
    .flag("--lockstep", "take no further line while a login is pending") {
      $0.options.configuration.isLockstep = true
    },
    .value(
      "--clock", "manual[=UTCMS]",
      """
      time passes only by the method clock/advance, and begins at UTCMS milliseconds since 1970
      (default: 0); system is the default
      """, OptionReader(readClock)
    ) { $0.options.configuration.manualClock = $1 },
  ]

  /// Parses the value of `--clock`. Returns the time at which a manual clock starts; `nil` for the
  /// system's clock.
  @Sendable private static func readClock(_ text: String, _ option: String) throws(UsageError) -> UInt64? {
    switch text {
    case "system": return nil
    case "manual": return 0
    default: break
    }
    let prefix = "manual="
    guard text.hasPrefix(prefix), let start = UInt64(text.dropFirst(prefix.count)),
      EngineConfiguration.clockStarts.contains(start)
    else {
      let latest = EngineConfiguration.clockStarts.upperBound
      throw UsageError(
        "\(option) takes system, manual or manual=UTCMS, milliseconds since 1970 as a whole number up to \(latest)")
    }
    return start
  }

  @Sendable private static func readRun(_ text: String, _ option: String) throws(UsageError) -> String {
    guard ASCIIName.isName(text.utf8) else {
      throw UsageError("\(option) takes 1 to 64 letters, digits, dots, hyphens and underscores")
    }
    return text
  }

  private static let sessions: [Option] = [
    .value(
      "--save-on-exit", "FILE",
      """
      write all sessions that have not succeeded into FILE at the end, without secrets;
      see --restore
      """, .text
    ) { $0.options.savingFile = $1 },
    .value(
      "--restore", "FILE",
      "if FILE exists, open its sessions before reading input, and remove it", .text
    ) { $0.options.restoring = $1 },
  ]

  private static let limits: [Option] = [
    .value(
      "--max-sessions", "N", "sessions open at a time (default 100000)",
      .number(in: EngineConfiguration.sessionCounts)
    ) {
      $0.options.configuration.maximumSessions = $1
    },
    .value(
      "--max-line-bytes", "N", "the longest line taken (default 1048576)",
      .number(in: EngineConfiguration.lineByteCounts)
    ) {
      $0.options.configuration.maximumLineBytes = $1
    },
    .value(
      "--max-value-bytes", "N", "the longest value of an item (default 4096)",
      .number(in: EngineConfiguration.valueByteCounts)
    ) {
      $0.options.configuration.maximumValueBytes = $1
    },
    .value(
      "--idle-timeout", "SECONDS", "end sessions after so long without an event (default 0: never)",
      .seconds(inMilliseconds: EngineConfiguration.timeouts)
    ) {
      $0.options.configuration.idleTimeout = $1
    },
    .value(
      "--drain-timeout", "SECONDS",
      """
      how long pending logins may take after the end of input; after them, or after a signal,
      how long authenticators may take to finish work such as mails (default 30)
      """, .seconds(inMilliseconds: EngineConfiguration.timeouts)
    ) { $0.options.configuration.drainTimeout = $1 },
  ]

  private static let observation: [Option] = [
    .value(
      "--run", "NAME",
      """
      the prefix of the idempotency keys of this run's questions; no two runs with the same
      authenticators may have the same name (default: a random one)
      """, OptionReader(readRun)
    ) { $0.options.configuration.run = $1 },
    .value(
      "--record", "FILE", "write a transcript of the run into FILE, with placeholders for secrets; see replay", .text
    ) {
      $0.options.recording = $1
    },
    .value(
      "--trace", "FILE", "write a trace into FILE as JSON lines: events, states, effects, late answers", .text
    ) { $0.options.trace = $1 },
    .flag("--overwrite", "let --record and --trace replace existing contents, which they otherwise refuse") {
      $0.options.overwrites = true
    },
    .value(
      "--audit", "FILE",
      "append each attempt that was accepted, failed or was throttled to FILE as a JSON line", .text
    ) { $0.options.audit = $1 },
    .value(
      "--log-level", LogLevel.allCases.map(\.name).joined(separator: "|"),
      "the least severe level that is logged (default warning); the log goes to standard error",
      .choice(of: LogLevel.allCases.map { ($0.name, $0) })
    ) {
      $0.options.logLevel = $1
    },
    .value(
      "--hardening", "off", "allow debuggers and core dumps to read the memory; for tests only",
      .choice(of: [("off", false), ("on", true)])
    ) {
      $0.options.forbidsDumps = $1
    },
    .value(
      "--fence", "off",
      """
      let the engine and the accounts keep all rights of their user, for systems that cannot
      restrict them
      """,
      .choice(of: [("off", false), ("on", true)])
    ) {
      $0.options.isFenced = $1
    },
  ]

  private static let information: [Option] = [
    .request(["--help", "-h", "help"], nil) { $0.information = .help },
    .request(["--version"], nil) { $0.information = .version },
  ]
}
