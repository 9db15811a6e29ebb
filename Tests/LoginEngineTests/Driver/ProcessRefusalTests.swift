import Foundation
import JSONCodec
import TestSupport
import Testing

/// What the engine does not take, as requests and as notifications.
@Suite(.waits) struct ProcessRefusalTests {
  private let engine: Running

  init() throws {
    engine = try Running()
    try engine.ask(Line.open("a", id: 0))
  }

  @Test("a refused request undoes the edit in its error, a refused notification in session/refused")
  func undo() throws {
    try engine.send(Line.change("a", "email", "ada@example.com"), Line.change("a", "password", "secret"))
    try engine.send(Line.perform("a", "submit"), Line.change("a", "email", "eve@example.com"))
    let refused = try #require(try engine.until { $0.method == "session/refused" }.last?["params"])
    #expect(refused["session"]?.string == "a")
    #expect(refused["events"]?.integer == 4)
    #expect(refused["method"]?.string == "session/change")
    #expect(refused["error"]?["data"]?["code"]?.string == "notAccepted")
    #expect(refused["error"]?["data"]?["state"]?.string == "requestPending")
    #expect(refused["error"]?["data"]?["accepted"]?["actions"] == .array([.string("cancel")]))
    #expect(refused["commands"]?.text == #"[{"command":"setItem","item":"email","value":"ada@example.com"}]"#)
    // A secret that is refused is emptied on both sides, which is an update of its own.
    let heard = try engine.ask(Line.change("a", "password", "other", id: 2))
    let data = heard.last?["error"]?["data"]
    #expect(data?["code"]?.string == "notAccepted")
    #expect(data?["events"]?.integer == 5)
    #expect(data?["commands"]?.text == #"[{"command":"setItem","item":"password","filled":false}]"#)
    #expect(heard.dropLast().last { $0.isUpdate }?.item("password")?["filled"]?.bool == false)
  }

  @Test(
    "each refusal has its stable code",
    arguments: [
      (Line.change("nobody", "email", "x", id: 1), "unknownSession"),
      (Line.close("nobody", id: 1), "unknownSession"),
      (Line.snapshot("nobody", id: 1), "unknownSession"),
      (Line.call("session/options", id: 1, [.init("session", .string("nobody"))]), "unknownSession"),
      (Line.call("session/options", id: 1, [.init("session", .string("a"))]), "invalidParams"),
      (Line.open("a", id: 1), "sessionExists"),
      (Line.change("a", "userName", "x", id: 1), "unknownItem"),
      (Line.perform("a", "board", id: 1), "unknownAction"),
      (Line.perform("a", "cancel", id: 1), "notAccepted"),
      (Line.perform("a", "retry", id: 1), "notAccepted"),
      (Line.open("b", flow: "none", id: 1), "unknownFlow"),
      (Line.open("b", screen: "none", id: 1), "unknownScreen"),
      (Line.open("", id: 1), "invalidParams"),
      (Line.open(String(repeating: "n", count: 129), id: 1), "invalidParams"),
      (Line.open("new\nline", id: 1), "invalidParams"),
      (Line.change("a", "remember", "x", id: 1), "invalidParams"),
      (Line.change("a", "email", "x", revision: 99, id: 1), "invalidParams"),
      (Line.change("a", "email", String(repeating: "x", count: 4097), id: 1), "limitExceeded"),
      (Line.change("a", "password", String(repeating: "x", count: 4097), id: 1), "limitExceeded"),
      (Line.call("session/change", id: 1, [.init("session", .string("a"))]), "invalidParams"),
      (Line.call("session/change", id: 1, []), "invalidParams"),
      (Line.call("session/list", id: 1, [.init("limit", .number("0"))]), "invalidParams"),
      (Line.call("session/list", id: 1, [.init("limit", .number("1001"))]), "invalidParams"),
      (Line.call("session/list", id: 1, [.init("other", .null)]), "invalidParams"),
      (
        Line.call("session/open", id: 1, [.init("values", .object([.init("password", .string("x"))]))]), "invalidParams"
      ),
      (Line.call("session/open", id: 1, [.init("values", .object([.init("none", .string("x"))]))]), "unknownItem"),
      (Line.advance(1, id: 1), "methodNotFound"),
      (Line.call("session/shout", id: 1, []), "methodNotFound"),
      (#"{"jsonrpc":"2.0","id":1,"method":"session/list","params":[]}"#, "invalidParams"),
      (#"{"jsonrpc":"1.0","id":1,"method":"session/list"}"#, "invalidRequest"),
      (#"{"jsonrpc":"2.0","id":1,"method":7}"#, "invalidRequest"),
    ])
  func codes(line: String, code: String) throws {
    let heard = try engine.ask(line)
    #expect(heard.last?.errorCode == code)
    #expect(heard.last?["error"]?["message"]?.string?.isEmpty == false)
    // As a notification it is never answered, and the engine goes on.
    if let start = line.range(of: #""id":1,"#) {
      try engine.send(line.replacingCharacters(in: start, with: ""))
      #expect(try engine.ask(Line.snapshot("a", id: 2)).last?["result"] != nil)
    }
  }

  @Test("an event is stale only if its screen or action has not been there without a break since")
  func stale() throws {
    #expect(try engine.ask(Line.change("a", "email", "a", revision: 1, id: 1)).last?["result"] != nil)
    #expect(try engine.ask(Line.change("a", "email", "ab", revision: 1, id: 2)).last?["result"] != nil)
    try engine.ask(Line.perform("a", "setup", revision: 1, id: 3))
    try engine.ask(Line.perform("a", "login", revision: 4, id: 4))
    // The same screen again, but not without a break.
    let error = try engine.ask(Line.change("a", "email", "abc", revision: 3, id: 5)).last
    #expect(error?.errorCode == "staleRevision")
    #expect(error?["error"]?["data"]?["revision"]?.integer == 5)
    #expect(error?["error"]?["data"]?["snapshot"]?["screen"]?.string == "login")
    let undo = #"[{"command":"setItem","item":"email","value":"ab"}]"#
    #expect(error?["error"]?["data"]?["commands"]?.text == undo)
    #expect(try engine.ask(Line.perform("a", "setup", revision: 4, id: 6)).last?.errorCode == "staleRevision")
    #expect(try engine.ask(Line.change("a", "email", "abc", revision: 5, id: 7)).last?["result"] != nil)
  }

  @Test("revisions rise by one with each accepted event, events with each that was offered")
  func counting() throws {
    var revision = 1
    for number in 1...20 {
      let isTaken = number % 3 != 0
      let heard = try engine.ask(Line.change("a", isTaken ? "email" : "nowhere", "\(number)", id: number))
      if isTaken {
        revision += 1
        #expect(heard.count == 2)
        #expect(heard.first?.revision == revision)
        #expect(heard.first?.events == number)
        #expect(heard.last?["result"]?["revision"]?.integer == revision)
      } else {
        #expect(heard.last?["error"]?["data"]?["events"]?.integer == number)
      }
    }
  }
}
