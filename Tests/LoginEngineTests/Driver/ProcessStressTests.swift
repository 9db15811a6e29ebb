import TestSupport
import Testing

/// The workloads of other tests at the largest size that an engine has to support.
@Suite("Stress tests of the engine", .serialized, .enabled(if: Workload.includesStress, "\(Workload.stressHint)"))
struct ProcessStressTests {
  @Test("1 GiB of events without a reader takes under 64 MiB, and then every update arrives in order")
  func gibibyte() throws { try BackpressureTests.offerUnread(byteCount: 1 << 30) }

  @Test("10,000 sessions are pending at the same time at one authenticator, and all end correctly")
  func crowd() throws { try CrowdTests.logIn(10_000) }
}
