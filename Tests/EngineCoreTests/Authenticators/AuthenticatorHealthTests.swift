import Testing

@testable import EngineCore

@Suite("Faults and timeouts of an authenticator")
struct AuthenticatorHealthTests {
  private func question(_ id: UInt64, silence: Int) -> OutgoingLines.SentQuestion {
    .init(key: key(id), silence: silence)
  }

  @Test(
    "an authenticator restarts at once after its first failure, and then after a delay that doubles from 100 ms to 5 s"
  )
  func delays() {
    var health = AuthenticatorHealth()
    var delays: [UInt64?] = []
    for _ in 0..<10 {
      health.noteFault(at: 1000)
      delays.append(health.earliestStart.map { $0 - 1000 })
      health.noteStart()
    }
    #expect(delays == [nil, 100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000])
  }

  @Test("an answer resets the number of failures that delays the next start of an authenticator")
  func answers() {
    var health = AuthenticatorHealth()
    for _ in 0..<5 { health.noteFault(at: 0) }
    health.noteStart()
    health.noteAnswer()
    health.noteFault(at: 0)
    #expect(health.earliestStart == nil)
    health.noteFault(at: 0)
    #expect(health.earliestStart == 100)
  }

  @Test(
    "an authenticator counts as hung if two questions, asked one after the other, time out while it writes nothing")
  func silence() {
    var health = AuthenticatorHealth()
    #expect(health.noteTimeout(of: question(1, silence: 0)) == false)
    #expect(health.noteTimeout(of: question(2, silence: 0)) == false, "asked at the same time as the first")
    #expect(health.silence == 1)
    #expect(health.noteTimeout(of: question(3, silence: 1)) == true)
    #expect(health.silence == 2)
  }

  @Test("a line of output resets the number of timeouts after which an authenticator counts as hung")
  func words() {
    var health = AuthenticatorHealth()
    _ = health.noteTimeout(of: question(1, silence: 0))
    health.noteOutput()
    #expect(health.noteTimeout(of: question(2, silence: 1)) == false)
    #expect(health.silence == 1)
  }

  @Test(
    "an authenticator that has closed its input fails one second after the first question began to wait for it"
  )
  func unresponsiveness() {
    var health = AuthenticatorHealth()
    #expect(health.unresponsiveDeadline == nil)
    health.startUnresponsiveTimeout(from: 500)
    health.startUnresponsiveTimeout(from: 900)
    #expect(health.unresponsiveDeadline == 1500)
    health.noteFault(at: 1500)
    #expect(health.unresponsiveDeadline == nil)
    #expect(health.silence == 0)
  }
}
