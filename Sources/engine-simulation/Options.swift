import Simulation
import System

/// The command-line options of `engine-simulation`.
struct Options: Sendable {
  var simulation = Simulation.Options()
  var wantsHelp = false

  static let syntax = CommandLineSyntax(program: "engine-simulation", options: all)

  private static let all: [CommandLineOption<Options>] = [
    .value(
      "--seed", "N", "the seed of the first world; each world after it has the next number (default: any)",
      .number(in: UInt64.min...UInt64.max)
    ) { $0.simulation.seed = $1 },
    .value("--events", "N", "the minimum number of view messages (default 1000000)", .number(in: counts)) {
      $0.simulation.events = $1
    },
    .value("--sessions", "N", "the largest number of open sessions in a world (default 100)", .number(in: counts)) {
      $0.simulation.sessions = $1
    },
    .value(
      "--transcript", "FILE", "where the transcript of a failure goes (default simulation-failure.jsonl)", .text
    ) { $0.simulation.transcript = $1 },
    .flag("--no-transcript", "write no transcript of a failure") { $0.simulation.transcript = nil },
    .flag("--print-progress", "print a line for each world") { $0.simulation.printsProgress = true },
    .request(["--help", "-h"], nil) { $0.wantsHelp = true },
  ]

  private static var counts: ClosedRange<Int> { 1...1_000_000_000_000 }
}
