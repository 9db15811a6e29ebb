import EngineCore
import JSONCodec
import Testing

@Suite("Context, capabilities and secrets of a session")
struct ParticularsTests {
  private static func open(_ members: String) -> String {
    #"{"jsonrpc":"2.0","id":1,"method":"session/open","params":{"session":"s","screen":"setup","detail":"full",\#(members)}}"#
  }

  /// Opens a session with these params and submits its form. Returns the params of the question,
  /// and all lines of output.
  private func asked(_ members: String) throws -> (params: JSONValue?, output: [String]) {
    let harness = try Harness { $0.run = "r" }
    harness.view(Self.open(members))
    for line in Calls.signUp() { harness.view(line) }
    harness.view(Calls.press("submit"))
    let line = try #require(harness.takeSent().last)
    return (try JSONValue(parsing: Array(line.utf8))["params"], harness.takeOutput())
  }

  @Test("context and secrets are passed to the authenticator unchanged, and to no view")
  func handedOn() throws {
    let (params, output) = try asked(
      #""context":{"b": 1.50, "a": ["\u0041"]},"secrets":{"device":"t\"0\u006Ben","x.y":""}"#)
    #expect(params?["context"]?.text == #"{"b":1.50,"a":["A"]}"#)
    #expect(params?["secrets"]?.text == #"{"device":"t\"0ken","x.y":""}"#)
    #expect(params?["session"] == .string("s") && params?["flow"] == .string("standard"))
    #expect(params?["screen"] == .string("setup") && params?["key"] == .string("r-1"))
    #expect(!output.joined().contains("1.50") && !output.joined().contains("0ken"))
  }

  @Test("the logged-in user is passed to the authenticator, and to no view")
  func principal() throws {
    let (params, output) = try asked(#""principal":"ad\u0061 L.""#)
    #expect(params?["principal"]?.text == #""ada L.""#)
    #expect(!output.joined().contains("ada L."))
    #expect(try asked(#""context":{}"#).params?["principal"] == nil)
    let longest = String(repeating: "p", count: 1024)
    #expect(try asked(#""principal":"\#(longest)""#).params?["principal"]?.string == longest)
  }

  @Test("the capabilities of the view are passed to the authenticator, without duplicates")
  func supports() throws {
    #expect(try asked(#""supports":["a","b.c","a"]"#).params?["supports"]?.text == #"["a","b.c"]"#)
    #expect(try asked(#""supports":[]"#).params?["supports"]?.text == "[]")
    #expect(try asked(#""context":{}"#).params?["supports"] == nil)
  }

  @Test(
    "the engine keeps a submitted secret when an edit of its item is refused, if the view can restore the value",
    arguments: [true, false])
  func restored(_ restores: Bool) throws {
    let harness = try Harness()
    harness.view(Self.open(#""supports":[\#(restores ? #""restoreSecret""# : "")]"#))
    for line in Calls.signUp() { harness.view(line) }
    harness.view(Calls.press("submit"))
    _ = harness.takeOutput()
    harness.view(Calls.edit("password", "1234567890"))
    #expect(
      harness.takeOutput().first?.contains(
        #""commands":[{"command":"setItem","item":"password","filled":\#(restores)"#) == true)
    harness.answer(#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"Busy."}}"#)
    _ = harness.takeSent()
    harness.view(Calls.press("retry"))
    #expect(harness.takeSent().contains { $0.contains(#""password":"123456789""#) } == restores)
  }

  @Test(
    "if an edit of a submitted secret is refused before the item is shown as filled, view and engine clear the secret",
    arguments: ["", "1234567890"])
  func notYetShown(_ refused: String) throws {
    let harness = try Harness()
    harness.view(
      #"{"jsonrpc":"2.0","method":"session/open","params":{"session":"s","flow":"staged","screen":"login","transitions":"acknowledged","detail":"full","supports":["restoreSecret"]}}"#
    )
    harness.view(
      #"{"jsonrpc":"2.0","method":"session/submit","params":{"session":"s","values":{"userName":"ada","password":"123456789"}}}"#
    )
    #expect(harness.takeSent().contains { $0.contains(#""password":"123456789""#) })
    _ = harness.takeOutput()
    harness.view(Calls.edit("password", refused))
    let told = harness.takeOutput()
    #expect(
      told.contains { $0.contains(#""commands":[{"command":"setItem","item":"password","filled":false}"#) },
      "\(told)")
    harness.view(Calls.press("cancel"), Calls.press("submit"))
    let sent = harness.takeSent()
    #expect(!sent.contains { $0.contains("123456789") }, "\(sent)")
  }

  @Test(
    "a typed secret is kept when a later edit of its item is refused, even if the update of the first edit is queued")
  func typedButNotYetShown() throws {
    let harness = try Harness()
    harness.view(
      #"{"jsonrpc":"2.0","method":"session/open","params":{"session":"s","flow":"staged","screen":"login","transitions":"acknowledged","detail":"full","supports":["restoreSecret"]}}"#,
      Calls.edit("userName", "ada"), Calls.edit("password", "123456789"), Calls.press("submit"))
    #expect(harness.takeSent().contains { $0.contains(#""password":"123456789""#) })
    _ = harness.takeOutput()
    harness.view(Calls.edit("password", "1234567890"))
    #expect(
      harness.takeOutput().contains {
        $0.hasSuffix(#""commands":[{"command":"setItem","item":"password","filled":true}]}}"#)
      })
  }

  @Test(
    "the engine keeps a secret when an alert makes it refuse an edit, if the view can restore the value",
    arguments: [true, false], ["coordinators", "acknowledged", "staged"])
  func restoredUnderAlert(_ restores: Bool, _ flow: String) throws {
    let harness = try Harness()
    let supports = restores ? #","supports":["restoreSecret"]"# : ""
    harness.view(
      #"{"jsonrpc":"2.0","method":"session/open","params":{"session":"s","flow":"\#(flow)","screen":"login","transitions":"instant","detail":"full"\#(supports)}}"#
    )
    let (name, submit, dismiss) =
      switch flow {
      case "acknowledged": ("username", "authenticate", "ackError")
      default: ("userName", "submit", "dismiss")
      }
    // In a flow that validates only on submit, an invalid form leads to the alert.
    harness.view(
      Calls.edit(name, flow == "coordinators" ? "" : "ada lovelace"), Calls.edit("password", "123456789"))
    harness.view(Calls.press(submit))
    if flow != "coordinators" {
      harness.answer(#"{"jsonrpc":"2.0","id":1,"result":{"outcome":"rejected"}}"#)
    }
    #expect(harness.takeOutput().contains { $0.contains(#""alert":{"id""#) })
    harness.view(Calls.edit("password", "1234567890"))
    #expect(
      harness.takeOutput().first?.contains(
        #""commands":[{"command":"setItem","item":"password","filled":\#(restores)"#) == true)
    _ = harness.takeSent()
    harness.view(Calls.press(dismiss), Calls.edit(name, "ada lovelace"), Calls.press(submit))
    #expect(harness.takeSent().contains { $0.contains(#""password":"123456789""#) } == restores)
  }

  @Test(
    "a question has no context and no secrets if the view gave none",
    arguments: [#""context":{}"#, #""secrets":{}"#])
  func absent(_ members: String) throws {
    let params = try asked(members).params
    #expect(params?["secrets"] == nil)
    #expect((params?["context"] == nil) == !members.contains("context"))
  }

  @Test(
    "session/open with an invalid context, principal, capability or secret gets an error without the invalid value",
    arguments: [
      (#""context":"hunter2""#, "invalidParams"), (#""context":null"#, "invalidParams"),
      (#""context":{"a":"\#(String(repeating: "h", count: 4096))"}"#, "limitExceeded"),
      (
        #""context":\#(String(repeating: #"{"a":"#, count: 33))1\#(String(repeating: "}", count: 33))"#,
        "limitExceeded"
      ),
      (#""principal":["hunter2"]"#, "invalidParams"), (#""principal":null"#, "invalidParams"),
      (#""principal":"""#, "invalidParams"),
      (#""principal":"\#(String(repeating: "h", count: 1025))""#, "invalidParams"),
      (#""supports":"hunter2""#, "invalidParams"), (#""supports":["hunter 2"]"#, "invalidParams"),
      (#""supports":[7]"#, "invalidParams"), (#""supports":{"hunter2":1}"#, "invalidParams"),
      (#""supports":[\#(Array(repeating: #""a""#, count: 64).joined(separator: ",")),"hunter 2"]"#, "invalidParams"),
      (#""supports":[\#(Array(repeating: #""a""#, count: 65).joined(separator: ","))]"#, "invalidParams"),
      (#""secrets":["hunter2"]"#, "invalidParams"), (#""secrets":{"a":7}"#, "invalidParams"),
      (#""secrets":{"hunter 2":"a"}"#, "invalidParams"),
      (#""secrets":{"a":"\#(String(repeating: "h", count: 4097))"}"#, "limitExceeded"),
      (#""secrets":{\#((0..<17).map { #""a\#($0)":"""# }.joined(separator: ","))}"#, "limitExceeded"),
    ])
  func refused(members: String, code: String) throws {
    let harness = try Harness()
    harness.view(Self.open(members))
    let output = harness.takeOutput()
    #expect(output.count == 1 && output[0].contains(#""code":"\#(code)""#), "\(output)")
    #expect(!output.joined().contains("hunter") && !output.joined().contains("hhhh"))
    #expect(harness.core.sessionCount == 0)
  }

  @Test("a context of exactly 4,096 bytes and 32 levels is accepted")
  func limits() throws {
    let harness = try Harness()
    let text = String(repeating: "h", count: 4096 - #"{"a":""}"#.count)
    harness.view(Self.open(#""context":{"a" : "\#(text)"}"#))
    let deep = String(repeating: #"{"a":"#, count: 32) + "1" + String(repeating: "}", count: 32)
    harness.view(Self.open(#""context":\#(deep)"#).replacing(#""session":"s""#, with: #""session":"t""#))
    #expect(harness.core.sessionCount == 2)
  }
}
