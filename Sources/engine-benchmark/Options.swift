import System

/// The command-line options of `engine-benchmark`.
struct Options: Sendable {
  /// The measurements that can be chosen, in the order in which they run.
  enum Part: String, CaseIterable, Sendable {
    case typing, opening, roundtrip, start, idle, login, pattern
  }

  /// How the figures are printed.
  enum Output: Sendable {
    /// All figures, as text for people.
    case text
    /// All figures, as JSON for programs.
    case json
    /// The table in protocol/guides/performance.md, with its figures (`table`) or without (`rows`).
    case table, rows
  }

  var parts = Part.allCases
  /// The number of sessions in the largest crowd.
  var sessions = 1_000_000
  /// The number of key presses in one round of typing.
  var events = 200_000
  var rounds = 7
  var roundTrips = 20_000
  var starts = 200
  var logins = 5_000
  /// The number of logins that are pending at the same time, each answered after a second.
  var waiting = 10_000
  var output = Output.text
  var wantsHelp = false

  /// The values of the options as given on the command line; `nil` for options that were not given.
  private struct Values: Sendable {
    var isQuick = false
    var sessions: Int?
    var events: Int?
    var parts: [Part] = []
    var output = Output.text
    var wantsHelp = false
  }

  static func message(_ error: UsageError) -> String { syntax.message(error) }

  private static let syntax = CommandLineSyntax<Values>(
    program: "engine-benchmark",
    options: [
      .flag("--quick", "at most a tenth of everything, to test the benchmark; the figures mean little") {
        $0.isQuick = true
      },
      .value("--sessions", "N", "sessions in the largest crowd (default 1000000)", .number(in: 1...50_000_000)) {
        $0.sessions = $1
      },
      .value("--events", "N", "typing events in each of the rounds (default 200000)", .number(in: 1_000...5_000_000)) {
        $0.events = $1
      },
      .value(
        "--only", "PART", "typing, opening, roundtrip, start, idle, login or pattern; may be given several times",
        .choice(of: Part.allCases.map { ($0.rawValue, $0) })
      ) {
        $0.parts.append($1)
      },
      .flag("--json", "print JSON") { $0.output = .json },
      .flag("--table", "print the table of protocol/guides/performance.md, in Markdown") { $0.output = .table },
      .flag("--rows", "print that table without figures, and measure nothing") { $0.output = .rows },
      .request(["--help", "-h"], "") { $0.wantsHelp = true },
    ])

  static let help = """
    engine-benchmark: measures the login-engine in its folder, through pipes.

    Usage: engine-benchmark [--quick] [--sessions N] [--events N] [--only PART] [--json | --table | --rows]

    \(syntax.optionHelp(column: 17))

    Every output line of the engine is checked. Exit status: 0 when all were right, 1 when not or when something
    could not be measured, 2 for a wrong command line. Missed aims do not change it.

    """

  init(_ arguments: [String]) throws(UsageError) {
    var values = Values()
    let operands = try Self.syntax.read(arguments, into: &values)
    if let operand = operands.first { throw UsageError("unknown argument \(operand)") }
    // `--quick` is applied first, so that numbers given on the command line override it in any
    // order.
    if values.isQuick { shorten() }
    if let number = values.sessions { sessions = number }
    if let number = values.events { events = number }
    if !values.parts.isEmpty { parts = Part.allCases.filter { values.parts.contains($0) } }
    (output, wantsHelp) = (values.output, values.wantsHelp)
  }

  private mutating func shorten() {
    (sessions, events, rounds, roundTrips, starts, logins, waiting) = (10_000, 20_000, 3, 2_000, 20, 500, 2_000)
  }
}
