import LoginProtocol
import Testing

@testable import EngineCore

@Suite("Routing of requests to authenticators")
struct AuthenticatorRoutingTests {
  private typealias Requests = AuthenticatorChoice.Requests

  private func table(_ choices: [AuthenticatorChoice], manualClock: UInt64? = nil) -> AuthenticatorTable {
    var configuration = EngineConfiguration()
    configuration.authenticators = choices
    configuration.manualClock = manualClock
    return AuthenticatorTable(configuration)
  }

  private func process(_ index: Int) -> AuthenticatorReference { .process(AuthenticatorID(index: index)) }

  @Test("the requests of an --authenticator option are written in the notation in which the option states them")
  func text() {
    #expect(Requests.all.text == "*")
    #expect(Requests(request: "login").text == "login")
    #expect(Requests(flow: "standard").text == "standard/*")
    #expect(Requests(flow: "standard", request: "login").text == "standard/login")
  }

  @Test("requests of an --authenticator option are refused if no flow can have requests with such names")
  func reading() {
    let longest = String(repeating: "a", count: 64)
    for text in ["*", "login", "standard/*", "standard/login", longest, "\(longest)/\(longest)"] {
      #expect(Requests(text)?.text == text)
    }
    for text in ["", "/", "*/login", "a b", "a/b/c", "/*", longest + "a", "\(longest)a/*"] {
      #expect(Requests(text) == nil)
    }
  }

  @Test("without an --authenticator option, the accounts decide all requests")
  func fallback() {
    let table = table([])
    #expect(table.authenticator(for: "login", of: "standard") == process(0))
    #expect(table.profiles.map(\.backend) == [.accounts])
    #expect(!table.includesFrontend)
    #expect(table.routes.map(\.requests) == [.all])
  }

  @Test("of several --authenticator options for a request, the most specific one applies, whatever their order")
  func exactness() {
    let choices: [AuthenticatorChoice] = [
      .init(.all, .frontend), .init(Requests(flow: "staged"), .command(["flow"])),
      .init(Requests(request: "login"), .command(["request"])),
      .init(Requests(flow: "staged", request: "login"), .command(["both"])),
    ]
    for rotation in choices.indices {
      let table = table(Array(choices[rotation...] + choices[..<rotation]))
      func words(_ request: String, _ flow: String) -> AuthenticatorChoice.Backend? {
        switch table.authenticator(for: request, of: flow) {
        case .frontend: .frontend
        case .process(let id): table.profiles[id.index].backend
        }
      }
      #expect(words("login", "staged") == .command(["both"]))
      #expect(words("login", "standard") == .command(["request"]))
      #expect(words("setup", "staged") == .command(["flow"]))
      #expect(words("setup", "standard") == .frontend)
      #expect(table.routes.map(\.requests.rank) == [3, 2, 1, 0])
      #expect(table.includesFrontend)
    }
  }

  @Test("an authenticator has one process, however many --authenticator options name it")
  func sharing() {
    let table = table([
      .init(Requests(request: "login"), .command(["a", "b"])), .init(Requests(request: "setup"), .command(["a", "b"])),
      .init(Requests(request: "reset"), .command(["a"])),
    ])
    #expect(table.profiles.map(\.backend) == [.command(["a", "b"]), .command(["a"]), .accounts])
    #expect(table.profiles.map(\.id.index) == [0, 1, 2])
    #expect(table.authenticator(for: "login", of: "f") == table.authenticator(for: "setup", of: "f"))
    #expect(table.link(AuthenticatorID(index: 3)) == nil)
    #expect(table.link(.frontend) == nil)
  }

  @Test("authenticators have unique names, which come from the file names of their programs")
  func names() {
    let (one, two, odd): (AuthenticatorChoice.Backend, AuthenticatorChoice.Backend, AuthenticatorChoice.Backend) = (
      .command(["/usr/bin/check"]), .command(["check", "-x"]), .command(["a b=c"])
    )
    let names = AuthenticatorNames([
      .init(Requests(request: "a"), one), .init(Requests(request: "b"), two), .init(Requests(request: "c"), odd),
      .init(Requests(request: "d"), .command([""])),
    ])
    #expect(names[one].text == "check")
    #expect(names[two].text == "check-2")
    #expect(names[odd].text == "a_b_c")
    #expect(names[.command([""])].text == "command")
    #expect(names[.accounts].inTranscripts == "accounts")
    #expect(names.hasSeveral)
  }

  @Test(
    "an authenticator that is a script is named after the script, and not after its interpreter",
    arguments: [
      ("python3 authenticator.py", "authenticator.py"),
      ("/usr/bin/python3.12 -u /opt/ldap/check.py --fast", "check.py"),
      ("/bin/sh ./check.sh", "check.sh"), ("node check.js", "check.js"), ("python3 -m totp", "totp"),
      ("/usr/bin/env -i A=b python3 check.py", "check.py"), ("env check", "check"), ("python3", "python3"),
      ("sh -c true", "sh"), ("sh -ec true", "sh"), ("bash -e check", "check"), ("perl -e 1", "perl"),
      ("pythonic check.py", "pythonic"), ("env python3 -c pass", "python3"),
    ])
  func scripts(command: String, name: String) {
    let backend = AuthenticatorChoice.Backend.command(command.split(separator: " ").map(String.init))
    #expect(AuthenticatorNames([.init(.all, backend)])[backend].text == name)
  }

  @Test("transcripts do not name an authenticator if it is the only one, and never name the frontend")
  func singleName() {
    let names = AuthenticatorNames([
      .init(.all, .command(["check"])), .init(Requests(request: "login"), .frontend),
    ])
    #expect(!names.hasSeveral)
    #expect(names[.command(["check"])].text == "check")
    #expect(names[.command(["check"])].inTranscripts == nil)
  }

  @Test("a request is refused only if the authenticator has listed the requests that it knows")
  func knownRequests() throws {
    let table = table([])
    let link = try #require(table.link(process(0)))
    #expect(!table.refuses("login", process(0)))
    #expect(!table.refuses("login", .frontend))
    link.describe(#"{"requests":["login"]}"#)
    #expect(!table.refuses("login", process(0)))
    #expect(table.refuses("setup", process(0)))
  }

  @Test(
    "an authenticator gets clock/advance only if it asked for the clock, with ids that are not ids of questions")
  func clock() {
    var table = table([], manualClock: 0)
    #expect(table.clockFollowers.isEmpty)
    #expect(table.nextClockQuestion().number == (1 << 53) - 1)
    #expect(table.nextClockQuestion().number == (1 << 53) - 2)
  }
}
