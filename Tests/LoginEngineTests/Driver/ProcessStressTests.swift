import TestSupport
import Testing

/// The workloads of other tests at the largest size that an engine has to support.
@Suite("Stress tests of the engine", .serialized, .enabled(if: Workload.includesStress, "\(Workload.stressHint)"))
struct ProcessStressTests {
  @Test("while the view does not read, 1 GiB of events takes under 64 MiB, and then every update arrives in order")
  func gibibyte() throws { try BackpressureTests.offerUnread(byteCount: 1 << 30) }

  @Test("10,000 sessions can wait for one authenticator at the same time, and each gets its own answer")
  func crowd() throws { try CrowdTests.logIn(10_000) }
}
