import EngineCore
import TestSupport
import Testing

@Suite("Lines to so many sessions that memory is prefetched")
struct ManySessionsTests {
  /// Lines of all kinds to sessions with names of all lengths, so that the engine prefetches the
  /// right session, a wrong one, or one that is closed before its line is handled.
  private static func lines(_ random: inout SeededRandom) -> String {
    var lines = ""
    for number in 0..<1_100 { lines += call("open", #""session":"s\#(number)""#) }
    for _ in 0..<Workload.amount(6_000, atLeast: 600) {
      let session =
        #""session":"\#(random.pick(["s", "s", "s", "none-of-these", "s\\u0031"]))\#(Int.random(in: 0..<1_200, using: &random))""#
      switch Int.random(in: 0..<20, using: &random) {
      case 0: lines += call("open", session)
      case 1: lines += call("close", session)
      case 2: lines += call("press", session + #","action":"submit""#)
      case 3: lines += "\n \n{"
      case 4: lines += call("edit", #""item":"email","value":"\#(random.pick(["a", "ada@example.com"]))","# + session)
      default: lines += call("edit", session + #","item":"\#(random.pick(["email", "password"]))","value":"ada""#)
      }
    }
    return lines
  }

  private static func call(_ method: String, _ parameters: String) -> String {
    #"{"jsonrpc":"2.0","method":"session/\#(method)","params":{\#(parameters)}}"# + "\n"
  }

  @Test(
    "lines to many sessions get the same answers whether they arrive at once, with prefetching, or one by one",
    arguments: seeds)
  func sameAnswers(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let lines = Self.lines(&random)
    let (ahead, alone) = (try Harness(), try Harness())
    ahead.view(bytes: lines)
    for line in lines.split(separator: "\n", omittingEmptySubsequences: false).dropLast() { alone.view(String(line)) }
    let (first, second) = (ahead.takeOutput(), alone.takeOutput())
    #expect(first.count > 1_500)
    #expect(first == second, "seed \(seed)")
  }
}
