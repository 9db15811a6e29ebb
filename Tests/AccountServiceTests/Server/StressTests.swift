import TestSupport
import Testing

/// What other tests do with less, done with as much as accounts have to stand.
@Suite("Stress tests of the accounts", .enabled(if: Workload.includesStress, "\(Workload.stressHint)"))
struct StressTests {
  @Test func `every acknowledged account outlives SIGKILL a thousand times and the file stays whole`() throws {
    try CrashTests.killAtRegistrations(Workload.amount(1_000))
  }
}
