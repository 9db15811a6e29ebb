import TestSupport
import Testing

/// What other tests do with less, done with as much as an engine has to stand.
@Suite("Stress tests of the engine", .serialized, .enabled(if: Workload.includesStress, "\(Workload.stressHint)"))
struct ProcessStressTests {
  @Test("1 GiB of events with nobody reading takes under 64 MiB, and then every update arrives in order")
  func gibibyte() throws { try BackpressureTests.offerUnread(byteCount: 1 << 30) }

  @Test("10,000 sessions are pending together at one authenticator, and all end as they should")
  func crowd() throws { try CrowdTests.logIn(10_000) }
}
