import EngineCore
import Testing

@Suite("Answers of the frontend behind lines that wait for these answers")
struct FrontendAheadTests {
  @Test(
    "the frontend's answers are handled even if they follow lines that wait for them, however long these lines are",
    arguments: [0, 100, 65_536, 200_000])
  func longLines(length: Int) throws {
    let harness = try Harness {
      $0.isLockstep = true
      $0.authenticators = [.init(.all, .frontend)]
    }
    harness.view(Calls.open())
    for line in Calls.signUp() { harness.view(line) }
    harness.view(Calls.press("submit"))
    #expect(harness.takeOutput().contains { $0.contains("authenticator/submit") })
    harness.view(
      #"{"jsonrpc":"2.0","id":1,"method":"\#(String(repeating: "x", count: length))"}"#,
      #"{"jsonrpc":"2.0","id":"authenticator-1","result":{"outcome":"accepted"}}"#)
    let output = harness.takeOutput()
    #expect(output.contains { $0.contains("requestSucceeded") })
    #expect(output.last?.contains("methodNotFound") == true)
  }
}
