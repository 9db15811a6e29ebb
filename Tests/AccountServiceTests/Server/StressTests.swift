import TestSupport
import Testing

/// Runs tests at full scale that other suites run on a small scale.
@Suite("Stress tests of the accounts", .enabled(if: Workload.includesStress, "\(Workload.stressHint)"))
struct StressTests {
  @Test func `every acknowledged account survives SIGKILL a thousand times, and the file stays intact`() throws {
    try CrashTests.killAtRegistrations(Workload.amount(1_000))
  }
}
