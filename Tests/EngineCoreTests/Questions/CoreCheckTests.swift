import FlowFiles
import JSONCodec
import LoginProtocol
import Testing

@testable import EngineCore

@Suite("Checks of values while they are entered")
struct CoreCheckTests {
  private static let flow = #"""
    {"flow":"own","screens":[{"id":"all","title":"t","request":"login","sections":[{"id":"s","items":[
    {"id":"name","apiKey":"name","kind":"input","inputType":"text","check":{"afterMs":500}},
    {"id":"word","apiKey":"word","kind":"input","inputType":"password","check":{"afterMs":1000}},
    {"id":"free","apiKey":"free","kind":"input","inputType":"text"}]}],
    "actions":{"submit":{"id":"go","title":"t"}},"links":[{"id":"on","title":"t","screen":"all"}],
    "success":{"scene":"home"}}],"defaultLocale":"en","strings":{"en":{"t":"T"}}}
    """#
  private static let invalid = #"{"outcome":"invalid","message":"Taken."}"#

  private func harness(_ configure: (inout EngineConfiguration) -> Void = { _ in }) throws -> Harness {
    let flow = try FlowFile.read(Array(Self.flow.utf8), name: "own")
    let harness = try Harness(flows: [flow], configure)
    harness.view(Calls.open(screen: "all"))
    return harness
  }

  private func result(_ question: Int, _ result: String) -> String {
    #"{"jsonrpc":"2.0","id":\#(question),"result":\#(result)}"#
  }

  /// The methods of the lines that authenticators were sent since the last call, without the first
  /// line to each process.
  private func methods(_ harness: Harness) throws -> [String] {
    try harness.takeSent().map { try JSONValue(parsing: Array($0.utf8))["method"]?.string ?? "" }
      .filter { $0 != "authenticator/describe" }
  }

  @Test("an item has at most one timer for its check, and none after the check was sent or cancelled")
  func timers() throws {
    let harness = try harness()
    let idle = harness.core.tableCounts
    for value in ["a", "ad", "ada"] {
      harness.view(Calls.edit("name", value))
      harness.wait(until: harness.now + 400)
    }
    harness.view(Calls.edit("word", "x"), Calls.edit("free", "x"))
    #expect(harness.core.tableCounts.timers == idle.timers + 2 && harness.core.tableCounts.questions == 0)
    harness.view(Calls.edit("word", ""))
    #expect(harness.core.tableCounts.timers == idle.timers + 1)
    harness.wait(until: harness.now + 99)
    #expect(try methods(harness) == [])
    harness.wait(until: harness.now + 1)
    #expect(try methods(harness) == ["authenticator/check"] && harness.core.tableCounts.questions == 1)
    harness.answer(result(1, Self.invalid))
    #expect(harness.core.tableCounts == idle)
  }

  @Test(
    "when the view closes a session, or an idle one is closed, no timer and no question of a check remains",
    arguments: [true, false])
  func closing(isAsked: Bool) throws {
    let harness = try harness()
    harness.view(Calls.edit("name", "ada"), Calls.edit("word", "x"))
    if isAsked { harness.wait(until: 500) }
    harness.view(#"{"jsonrpc":"2.0","method":"session/close","params":{"session":"s"}}"#)
    #expect(harness.core.tableCounts == TableCounts())
    #expect(try methods(harness) == (isAsked ? ["authenticator/check", "authenticator/cancel"] : []))
    harness.wait(until: 5000)
    #expect(try methods(harness) == [])
  }

  @Test("if a check is cancelled before it was sent, its line and the secret in the line are withdrawn") func unsent()
    throws
  {
    let harness = try harness()
    harness.inputsAreFull = true
    harness.view(Calls.edit("word", "correct horse"))
    harness.wait(until: 1000)
    #expect(harness.core.tableCounts.questions == 1)
    harness.view(Calls.edit("word", "correct horse battery"))
    harness.drain()
    #expect(try methods(harness) == [] && harness.core.tableCounts.questions == 0)
  }

  @Test("under --lockstep, neither the view's next lines nor the end of input wait for the answer to a check")
  func lockstep() throws {
    let harness = try harness { $0.isLockstep = true }
    harness.view(Calls.edit("name", "ada"))
    harness.wait(until: 500)
    _ = harness.takeOutput()
    harness.view(Calls.list())
    #expect(harness.takeOutput().count == 1)
    harness.view(Calls.edit("word", "x"))
    harness.endInput()
    #expect(try methods(harness) == ["authenticator/check", "authenticator/cancel"] && harness.core.isFinished)
  }

  @Test("a check is no attempt: it is neither counted nor audited") func noTry() throws {
    final class Attempts: AttemptObserver {
      var count = 0
      func observe(_ attempt: Attempt, at moment: Moment) { count += 1 }
    }
    let harness = try harness(), tries = Attempts()
    harness.core.observeAttempts(with: tries)
    for (value, answer) in [("a", Self.invalid), ("ab", #"{"outcome":"rejected"}"#), ("abc", "7")] {
      harness.view(Calls.edit("name", value))
      harness.wait(until: harness.now + 500)
      harness.answer(result(value.count, answer))
    }
    harness.view(Calls.edit("name", "abcd"))
    harness.wait(until: harness.now + 40_000)
    harness.view(Calls.edit("name", "abcde"))
    #expect(tries.count == 0 && harness.core.statistics.asked == 0 && harness.core.statistics.answered == 0)
    #expect(harness.core.statistics.cancelled == 0)
  }

  @Test("an authenticator that leaves checks unanswered is not given up for that") func silence() throws {
    let harness = try harness()
    for count in 1...8 {
      harness.view(Calls.edit("name", String(repeating: "a", count: count)))
      harness.wait(until: harness.now + 31_000)
    }
    #expect(!harness.effects.contains { if case .stop = $0 { true } else { false } })
    #expect(try methods(harness).count(where: { $0 == "authenticator/cancel" }) == 8)
  }

  @Test("an authenticator gets no checks of a request that is missing from its list of requests") func refused() throws
  {
    let harness = try harness { $0.authenticators = [AuthenticatorChoice(.all, .command(["check"]))] }
    harness.view(Calls.edit("name", "a"))
    harness.wait(until: 500)
    harness.answer(#"{"jsonrpc":"2.0","id":"describe","result":{"requests":["other"]}}"#)
    harness.answer(result(1, Self.invalid))
    _ = try methods(harness)
    harness.view(Calls.edit("name", "ab"))
    harness.wait(until: harness.now + 600)
    #expect(try methods(harness) == [] && harness.core.tableCounts.questions == 0)
  }

  @Test("the log entry about an invalid answer to a check contains no text of the answer") func log() throws {
    let harness = try harness()
    harness.view(Calls.edit("word", "correct horse"))
    harness.wait(until: 1000)
    let before = harness.takeOutput().count
    harness.answer(result(1, #"{"outcome":"correct horse"}"#))
    #expect(before > 0 && harness.takeOutput() == [] && harness.logLines.count == 1)
    #expect(!harness.allLogLines.joined().contains("correct horse"))
  }
}
