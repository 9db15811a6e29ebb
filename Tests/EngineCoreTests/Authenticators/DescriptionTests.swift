import EngineCore
import LoginProtocol
import Testing

@Suite("The description of an authenticator")
struct DescriptionTests {
  private let harness: Harness

  /// Starts an authenticator that was asked to describe itself and has not answered.
  init() throws {
    harness = try Harness { $0.authenticators = [AuthenticatorChoice(.all, .command(["check"]))] }
    harness.signUp()
    _ = harness.takeOutput()
  }

  /// Whether the result of `engine/describe` ends with these members of the authenticator's
  /// description.
  private func usesSteps(_ description: String) -> Bool {
    harness.view(#"{"jsonrpc":"2.0","id":9,"method":"engine/describe"}"#)
    let end = #""authenticators":[{"for":"*","kind":"command"\#(description)}]}}"#
    return harness.takeOutput().last?.hasSuffix(end) == true
  }

  private func describe(_ name: String) {
    harness.answer(#"{"jsonrpc":"2.0","id":"describe","result":{"name":"\#(name)","requests":["\#(name)"]}}"#)
  }

  @Test("only the first description that a process sends of itself is used")
  func once() {
    describe("first")
    describe("second")
    #expect(usesSteps(#","name":"first","requests":["first"]"#))
  }

  @Test(
    "after refusing to describe itself or sending an invalid description, a process can no longer describe itself",
    arguments: [#""error":{"code":-32601,"message":"no"}"#, #""result":7"#])
  func refused(answer: String) {
    harness.answer(#"{"jsonrpc":"2.0","id":"describe",\#(answer)}"#)
    describe("later")
    #expect(usesSteps(""))
  }

  @Test("each process is asked to describe itself, and the description of one process does not apply to the next")
  func nextProcess() {
    describe("first")
    harness.exit()
    #expect(usesSteps(""))
    harness.view(Calls.edit("password", "123456789"), Calls.press("submit"))
    describe("next")
    #expect(usesSteps(#","name":"next","requests":["next"]"#))
  }

  @Test("the text of an authenticator's description, which may repeat user input, is not in the log")
  func log() {
    describe("123456789")
    #expect(harness.allLogLines.contains { $0.contains("check") })
    #expect(!harness.allLogLines.contains { $0.contains("123456789") })
  }

  private func want(_ wants: String) {
    harness.answer(#"{"jsonrpc":"2.0","id":"describe","result":{"wants":[\#(wants)]}}"#)
  }

  @Test("an authenticator gets exactly the settings that it asks for, before questions that are not sent even in part")
  func wants() {
    harness.inputsAreFull = true
    _ = harness.takeSent()
    harness.view(Calls.open("next"))
    for line in Calls.signUp("next") { harness.view(line) }
    harness.view(Calls.press("submit", session: "next"))
    want(#""minimumLengths","colour""#)
    harness.drain()
    let sent = harness.takeSent()
    #expect(
      sent.first
        == #"{"jsonrpc":"2.0","method":"authenticator/configure","params":{"minimumLengths":{"resetPassword":{"password":9},"setup":{"password":9}}}}"#
    )
    #expect(sent.count == 2 && sent.last?.contains("authenticator/submit") == true)
  }

  @Test("an authenticator gets the texts of mails in all languages, and the names of secret values")
  func texts() throws {
    want(#""texts","secretValues","clock""#)
    let line = try #require(harness.takeSent().last)
    #expect(
      line.contains(
        #""clock":{"manual":false},"secretValues":["code","password"],"texts":{"defaultLocale":"en","locales":{"de":{"mail."#
      ))
    #expect(line.contains(#""mail.reset.subject":"Your code for a new password""#))
    #expect(!line.contains(#""login.title""#))
  }

  @Test(
    "an accounts program of another build is reported in the log, with both builds and a remedy",
    arguments: ["0.0.9", ""])
  func builds(version: String) throws {
    let accounts = try Harness { $0.version.build = "abc" }
    accounts.signUp()
    let named =
      version.isEmpty
      ? #""version":"\#(EngineVersion().program)","build":"abc""# : #""version":"\#(version)","build":"xyz""#
    accounts.answer(#"{"jsonrpc":"2.0","id":"describe","result":{"name":"login-accounts",\#(named)}}"#)
    let warning = accounts.allLogLines.first { $0.contains("build xyz") }
    #expect((warning == nil) == version.isEmpty)
    #expect(warning.map { $0.contains("build abc, runs with login-accounts 0.0.9, build xyz: install both") } != false)
  }
}
