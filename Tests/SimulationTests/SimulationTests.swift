import Simulation
import Testing

/// Runs the simulation for a short time.
struct SimulationTests {
  /// The seeds of the runs: a fixed one and a random one. Both are printed as arguments of the
  /// test.
  private static let seeds: [UInt64] = [20_250_607, .random(in: 0..<1_000_000_000_000)]

  @Test("the engine breaks no law of ARCHITECTURE.md in simulated worlds", arguments: seeds)
  func worlds(_ seed: UInt64) {
    print("SIMULATION_SEED=\(seed)")
    var options = Simulation.Options()
    options.seed = seed
    options.events = 3000
    options.transcript = nil
    let report = Simulation(options) { print($0) }.run()
    #expect(
      report.failed == 0 && report.passed > 0, "\(report.violation?.description ?? "") with seed \(report.seed ?? 0)")
    #expect(report.lines > 1000)
  }
}
