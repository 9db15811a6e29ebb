/// What the command line asks for.
struct Options {
  /// The parts of the benchmark, in the order in which they run.
  enum Part: String, CaseIterable {
    case typing, roundtrip, start, idle, login
  }

  var parts = Part.allCases
  /// Sessions in the largest crowd.
  var sessions = 1_000_000
  /// Typing events in one round.
  var events = 200_000
  var rounds = 7
  var roundTrips = 20_000
  var starts = 200
  var logins = 5_000
  /// Logins in flight together, each answered after a second.
  var waiting = 10_000
  var printsJSON = false

  static let help = """
    engine-benchmark: measures login-engine, the program beside it, through its pipes.

    Usage: engine-benchmark [--quick] [--sessions N] [--events N] [--only PART] [--json]

      --quick        a tenth and less of everything, to see that it works; the figures mean little
      --sessions N   sessions in the largest crowd (default 1000000)
      --events N     typing events in each of the rounds (default 200000)
      --only PART    typing, roundtrip, start, idle or login; may be given several times
      --json         print JSON instead of a table

    Every line that the engine puts out is read and checked. Exit status: 0 when all were right, 1 when not or when
    something could not be measured, 2 for a wrong command line. Aims that are not reached do not change it.

    """

  init(_ arguments: [String]) throws(Failure) {
    var rest = arguments[...]
    var only: [Part] = []
    // First, so that numbers given beside it count wherever they stand.
    if arguments.contains("--quick") { shorten() }
    while let option = rest.popFirst() {
      switch option {
      case "--quick": break
      case "--json": printsJSON = true
      case "--sessions": sessions = try Self.number(option, &rest, 1...50_000_000)
      case "--events": events = try Self.number(option, &rest, 1_000...5_000_000)
      case "--only":
        guard let part = rest.popFirst().flatMap({ Part(rawValue: $0) }) else {
          throw Failure("--only takes one of \(Part.allCases.map { $0.rawValue }.joined(separator: ", "))")
        }
        only.append(part)
      default: throw Failure("unknown option \(option)")
      }
    }
    if !only.isEmpty { parts = Part.allCases.filter { only.contains($0) } }
  }

  private mutating func shorten() {
    (sessions, events, rounds, roundTrips, starts, logins, waiting) = (10_000, 20_000, 3, 2_000, 20, 500, 2_000)
  }

  private static func number(
    _ option: String, _ rest: inout ArraySlice<String>, _ range: ClosedRange<Int>
  ) throws(Failure) -> Int {
    guard let number = rest.popFirst().flatMap({ Int($0) }), range.contains(number) else {
      throw Failure("\(option) takes a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}
