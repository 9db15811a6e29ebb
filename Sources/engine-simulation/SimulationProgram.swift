import Glibc
import Simulation

/// The simulation as a program.
enum SimulationProgram {
  private static let help = """
    engine-simulation: lets the engine's core live through simulated worlds and holds it to the laws.

    Usage: engine-simulation [--seed N] [--events N] [--sessions N] [--transcript FILE] [--print-progress]

      --seed N            the seed of the first world; each world after it has the next number (default: any)
      --events N          at least so many messages of views (default 1000000)
      --sessions N        the most sessions at a time in one world (default 100)
      --transcript FILE   where the transcript of a failure goes (default simulation-failure.jsonl);
                          an empty name for none
      --print-progress    print a line for each world

    The last line is "N passed, N failed", of worlds. A world that fails can be repeated alone with its seed and
    --events 1; login-engine replay FILE plays its transcript. Exit status: 0 when all passed, 1 when one did not,
    2 for a wrong command line.

    """

  /// Returns the exit status.
  static func run(arguments: [String]) -> Int32 {
    var options = Simulation.Options()
    options.seed = UInt64.random(in: 1..<1_000_000_000)
    var rest = arguments[...]
    while let option = rest.popFirst() {
      func number() -> UInt64? { rest.popFirst().flatMap { UInt64($0) } }
      switch option {
      case "--help":
        say(help, to: 1)
        return 0
      case "--print-progress": options.printsProgress = true
      case "--transcript":
        guard let path = rest.popFirst() else { return refuse("--transcript takes a file") }
        options.transcript = path.isEmpty ? nil : path
      case "--seed", "--events", "--sessions":
        guard let number = number(), option == "--seed" || (1...1_000_000_000_000).contains(number) else {
          return refuse("\(option) takes a whole number")
        }
        switch option {
        case "--seed": options.seed = number
        case "--events": options.events = Int(number)
        default: options.sessions = Int(number)
        }
      default: return refuse("unknown option \(option)")
      }
    }
    return simulate(options)
  }

  private static func refuse(_ reason: String) -> Int32 {
    say("engine-simulation: \(reason); see engine-simulation --help", to: 2)
    return 2
  }

  /// Writes a line at once, so that it stands there even if the core traps.
  private static func say(_ text: String, to descriptor: Int32 = 1) {
    let line = Array((text + "\n").utf8)
    var start = 0
    while start < line.count {
      let count = line[start...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count <= 0 { return }
      start += count
    }
  }

  private static func simulate(_ given: Simulation.Options) -> Int32 {
    var options = given
    options.willBegin = { TrapReport.seed = $0 }
    TrapReport.install()
    say("seed \(options.seed)")
    let start = seconds()
    let report = Simulation(options) { say($0) }.run()
    let rate = Double(report.events) / max(seconds() - start, 0.001)
    say("\(report.events) events, \(report.lines) lines, \(Int(rate)) events a second")
    say("\(report.passed) passed, \(report.failed) failed")
    return report.failed == 0 ? 0 : 1
  }

  private static func seconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
