import EngineCore
import Testing

@Suite("What an authenticator says of itself")
struct DescriptionTests {
  private let harness: Harness

  /// An authenticator runs, was asked what it is, and has not answered.
  init() throws {
    harness = try Harness { $0.authenticators = [AuthenticatorChoice(.all, .command(["check"]))] }
    harness.signUp()
    _ = harness.takeOutput()
  }

  /// Whether views are told this of it.
  private func isTold(_ description: String) -> Bool {
    harness.view(#"{"jsonrpc":"2.0","id":9,"method":"engine/describe"}"#)
    let end = #""authenticators":[{"for":"*","kind":"command"\#(description)}]}}"#
    return harness.takeOutput().last?.hasSuffix(end) == true
  }

  private func describe(_ name: String) {
    harness.answer(#"{"jsonrpc":"2.0","id":"describe","result":{"name":"\#(name)","requests":["\#(name)"]}}"#)
  }

  @Test("only the first description of a process counts")
  func once() {
    describe("first")
    describe("second")
    #expect(isTold(#","name":"first","requests":["first"]"#))
  }

  @Test(
    "one that does not describe itself, or not as it should, does not do so later",
    arguments: [#""error":{"code":-32601,"message":"no"}"#, #""result":7"#])
  func refused(answer: String) {
    harness.answer(#"{"jsonrpc":"2.0","id":"describe",\#(answer)}"#)
    describe("later")
    #expect(isTold(""))
  }

  @Test("each process is asked, and what one has said is not said of the next")
  func nextProcess() {
    describe("first")
    harness.exit()
    #expect(isTold(""))
    harness.view(Calls.change("password", "123456789"), Calls.perform("submit"))
    describe("next")
    #expect(isTold(#","name":"next","requests":["next"]"#))
  }

  @Test("what it says of itself, which may be what somebody has typed, is not in the log")
  func log() {
    describe("123456789")
    #expect(harness.allLogLines.contains { $0.contains("check") })
    #expect(!harness.allLogLines.contains { $0.contains("123456789") })
  }

  @Test("accounts that were not asked are not heard")
  func unasked() throws {
    let accounts = try Harness()
    accounts.signUp()
    accounts.answer(#"{"jsonrpc":"2.0","id":"describe","result":{"requests":[]}}"#)
    accounts.signUp("next")
    #expect(accounts.takeSent().count { $0.contains("authenticator/submit") } == 2)
  }
}
