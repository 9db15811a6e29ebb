import Glibc
import Simulation
import System

/// The program `engine-simulation`: runs the simulation and prints its report.
enum SimulationProgram {
  private static let help = """
    engine-simulation: runs the engine's core in simulated worlds and checks the laws.

    Usage: engine-simulation [OPTIONS]

    \(Options.syntax.optionHelp(column: 22))

    The last line is "N passed, N failed", of worlds. A world that fails can be repeated alone with its seed and
    --events 1; login-engine replay FILE plays its transcript. Exit status: 0 when all passed, 1 when one did not,
    2 for a wrong command line.

    """

  /// Runs the program with these command-line arguments. Returns the exit status.
  static func run(arguments: [String]) -> Int32 {
    var options = Options()
    options.simulation.seed = UInt64.random(in: 1..<1_000_000_000)
    do throws(UsageError) {
      let operands = try Options.syntax.read(arguments, into: &options)
      if let operand = operands.first, !options.wantsHelp { throw UsageError("unknown operand \(operand)") }
    } catch {
      BlockingOutput.printError(Options.syntax.message(error))
      return 2
    }
    guard !options.wantsHelp else { return BlockingOutput.write(help, to: 1) ? 0 : 1 }
    return simulate(options.simulation)
  }

  /// Writes a line at once, so that it is visible even if the core traps later.
  private static func say(_ text: String) { _ = BlockingOutput.write(text + "\n", to: 1) }

  private static func simulate(_ given: Simulation.Options) -> Int32 {
    var options = given
    options.willBegin = { TrapReport.seed = $0 }
    TrapReport.install()
    say("seed \(options.seed)")
    let start = seconds()
    let progress = ProgressLine("events", of: options.events)
    let report = Simulation(options, isUnderWay: { progress.show($0) }) { text in
      progress.clear()
      say(text)
    }.run()
    progress.clear()
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
