import EngineCore
import Testing

@Suite("Timeouts of questions")
struct AnswerTimeoutTests {
  private func harness(
    transitions: String = "instant", _ configure: (inout EngineConfiguration) -> Void = { _ in }
  ) throws -> Harness {
    let harness = try Harness(flows: [], configure)
    harness.view(
      #"{"jsonrpc":"2.0","method":"session/open","params":{"session":"s","flow":"staged","detail":"full","transitions":"\#(transitions)"}}"#
    )
    if transitions == "acknowledged" { harness.view(presented(1)) }
    harness.view(
      Calls.edit("userName", "ada"), Calls.edit("password", "123456789"))
    if transitions == "acknowledged" { for revision in 2...3 { harness.view(presented(revision)) } }
    harness.view(Calls.press("submit"))
    _ = harness.takeOutput()
    return harness
  }

  private func presented(_ revision: Int) -> String {
    #"{"jsonrpc":"2.0","method":"session/presented","params":{"session":"s","revision":\#(revision)}}"#
  }

  private func alert(_ text: String = "Look.") -> String {
    #"{"jsonrpc":"2.0","method":"authenticator/notify","params":{"attempt":1,"alert":{"messages":["\#(text)"]}}}"#
  }

  private func timedOut(_ harness: Harness) -> Bool {
    harness.takeOutput().contains { $0.contains("network.timeout") }
  }

  @Test(
    "the timeout of a question is paused while an alert is shown, any number of times, and resumes with the time left")
  func alerts() throws {
    let harness = try harness()
    harness.wait(until: 10_000)
    harness.answer(alert("One."))
    harness.answer(alert("Two."))
    for end in [60_000, 120_000] as [UInt64] {
      harness.wait(until: end)
      #expect(!timedOut(harness))
      harness.view(Calls.press("dismiss"))
    }
    harness.wait(until: 139_999)
    #expect(!timedOut(harness))
    harness.wait(until: 140_000)
    #expect(timedOut(harness))
  }

  @Test("an answer that arrives while an alert is shown is accepted, and the timer of its question is cancelled")
  func answerUnderAlert() throws {
    let harness = try harness()
    harness.answer(alert())
    harness.wait(until: 100_000)
    harness.answer(Calls.accepted(1))
    #expect(harness.takeOutput().last?.contains(#""state":"requestSucceeded""#) == true)
    #expect(harness.core.tableCounts.questions == 0 && harness.core.tableCounts.timers == 0)
  }

  @Test("a notification of the authenticator does not extend the timeout of the question")
  func notices() throws {
    let harness = try harness()
    harness.wait(until: 20_000)
    harness.answer(
      #"{"jsonrpc":"2.0","method":"authenticator/notify","params":{"attempt":1,"message":"Wait."}}"#)
    harness.wait(until: 30_000)
    #expect(timedOut(harness))
  }

  @Test("closing a session while it shows an alert cancels its open question")
  func closing() throws {
    let harness = try harness()
    harness.answer(alert())
    _ = harness.takeSent()
    harness.view(#"{"jsonrpc":"2.0","method":"session/close","params":{"session":"s"}}"#)
    #expect(harness.takeSent().contains { $0.contains("authenticator/cancel") })
    #expect(harness.core.tableCounts == TableCounts())
  }

  @Test("a session that shows an alert is closed when it has been idle too long, even if a question is open")
  func idle() throws {
    let harness = try harness { $0.idleTimeout = 200_000 }
    harness.answer(alert())
    harness.wait(until: 199_999)
    #expect(harness.core.sessionCount == 1)
    harness.wait(until: 400_000)
    #expect(harness.core.sessionCount == 0 && harness.core.tableCounts.questions == 0)
    #expect(harness.takeOutput().last?.contains(#""reason":"idleTimeout""#) == true)
  }

  @Test(
    "a question's timeout is paused while a view presents an update, unless the view took too long for an earlier one")
  func transitions() throws {
    let harness = try harness(transitions: "acknowledged")
    // The view acknowledges the update after 4 of the 5 seconds that it has.
    harness.wait(until: 4_000)
    harness.view(presented(4))
    harness.wait(until: 33_999)
    #expect(!timedOut(harness))
    // The alert is shown only after the activity was hidden.
    _ = harness.takeOutput()
    harness.wait(until: 34_000)
    #expect(harness.takeOutput().last?.contains(#""command":"hideActivity""#) == true)
    #expect(harness.core.tableCounts.questions == 0)

    let silent = try self.harness(transitions: "acknowledged")
    for second in 1...40 {
      silent.wait(until: UInt64(second) * 1000)
      silent.answer(
        #"{"jsonrpc":"2.0","method":"authenticator/notify","params":{"attempt":1,"message":"\#(second)"}}"#)
    }
    #expect(silent.core.tableCounts.questions == 0, "5 seconds for the view, 30 for the service")
  }

  @Test("with --lockstep, an alert does not pause a question's timeout, as it could not be dismissed before the answer")
  func lockstep() throws {
    let harness = try harness { $0.isLockstep = true }
    harness.answer(alert())
    harness.view(Calls.press("dismiss"))
    harness.wait(until: 30_000)
    #expect(timedOut(harness))
  }
}
