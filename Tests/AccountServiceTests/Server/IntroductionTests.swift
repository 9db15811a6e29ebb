import Foundation
import JSONCodec
import TestServer
import TestSupport
import Testing

@Suite("The description and settings that the account service and the engine exchange", .waits)
struct IntroductionTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private static let describe =
    #"{"jsonrpc":"2.0","id":"describe","method":"authenticator/describe","#
    + #""params":{"protocol":"1.0","engine":"login-engine","version":"0","offers":["clock","minimumLengths"]}}"#

  private func setup(_ password: String) -> [String: String] {
    ["email": "ada@example.com", "userName": "ada", "password": password]
  }

  @Test func `the service's description gives its name, the settings that it wants and the files that it keeps`() throws
  {
    let description = try Service(directory.file).introduce("")["result"]
    #expect(description?["name"]?.string == (TestServer.isUsed ? "login-accounts-postgres" : "login-accounts"))
    #expect(description?["version"]?.string?.isEmpty == false)
    #expect(description?["wants"]?.text == #"["clock","minimumLengths","secretValues","texts"]"#)
    let files = description?["files"]?.array?.compactMap { $0["path"]?.string } ?? []
    #expect(files.contains(directory.file + ".key"))
    #expect(TestServer.isUsed || files.contains(directory.file))
  }

  @Test
  func `the service asks only for settings that the engine offers and that no option of the service gives`() throws {
    let service = try Service(directory.file, ["--clock", "manual"])
    #expect(try service.ask(Self.describe)["result"]?["wants"]?.text == #"["minimumLengths"]"#)
  }

  @Test func `lines that arrive before the settings wait for the settings, and are then processed with them`() throws {
    let service = try Service(directory.file)
    service.send(Self.describe)
    service.send(Service.submit(1, "setup", setup("11 chars!!!")))
    service.send(Service.submit(2, "setup", setup("twelve chars")))
    #expect(try service.nextAnswer()["id"]?.string == "describe")
    service.send(
      #"{"jsonrpc":"2.0","method":"authenticator/configure","params":{"minimumLengths":{"setup":{"password":12}}}}"#)
    var outcomes: [Int: String] = [:]
    for _ in 0..<2 {
      let answer = try service.nextAnswer()
      answer["id"]?.integer.map { outcomes[$0] = answer.outcome }
    }
    #expect(outcomes == [1: "rejected", 2: "accepted"])
  }

  @Test func `the texts of mails are those that the engine sent as a setting`() throws {
    let mails = Mails(directory: directory.path)
    let service = try Service(directory.file, try mails.script("cat > '\(directory.path)/mail'"))
    let texts = #"{"mail.reset.subject":"The bank's code","mail.reset.text":"{code}","mail.repeated.text":"again"}"#
    try service.introduce(#""texts":{"defaultLocale":"en","locales":{"en":\#(texts)}}"#)
    #expect(try service.ask(1, "setup", setup("correct horse at sea")).outcome == "accepted")
    #expect(try service.ask(2, "forgotPassword", ["email": "ada@example.com"]).outcome == "notice")
    service.closeInput()
    _ = service.wait()
    let mail = try String(contentsOfFile: directory.path + "/mail", encoding: .utf8)
    #expect(mail.contains("\nSubject: The bank's code\n"))
  }

  @Test func `a manual clock starts at the engine's time and advances by clock/advance`() throws {
    let service = try Service.withAda(directory.file)
    service.closeInput()
    _ = service.wait()
    let next = try Service(directory.file)
    try next.introduce(#""clock":{"manual":true,"now":1000}"#)
    #expect(
      try next.ask(#"{"jsonrpc":"2.0","id":9,"method":"clock/advance","params":{"milliseconds":5}}"#)["result"] != nil)
    let system = try Service(directory.file)
    try system.introduce(#""clock":{"manual":false}"#)
    #expect(
      try system.ask(#"{"jsonrpc":"2.0","id":9,"method":"clock/advance","params":{"milliseconds":5}}"#)["error"] != nil)
  }

  @Test func `the service answers at once if no engine offers settings`() throws {
    let service = try Service(directory.file)
    #expect(try service.ask(1, "setup", setup("fourteen chars")).outcome == "accepted")
    let description = try service.ask(
      #"{"jsonrpc":"2.0","id":"describe","method":"authenticator/describe","params":{"protocol":"1.0"}}"#)
    #expect(description["result"]?["wants"] == nil)
    #expect(try service.ask(2, "setup", setup("fourteen chars")).outcome == "rejected")
  }
}
