import Foundation
import JSONCodec
import TestSupport
import Testing

/// Refusals of the engine, for requests and for notifications.
@Suite(.waits) struct ProcessRefusalTests {
  private let engine: RunningEngine

  init() throws {
    engine = try RunningEngine()
    try engine.ask(
      Line.call("session/open", id: 0, [.init("session", .string("a")), .init("detail", .string("full"))]))
  }

  @Test("a refused edit is undone by an update, and requests and notifications get errors of the same shape")
  func undo() throws {
    try engine.send(Line.edit("a", "email", "ada@example.com"), Line.edit("a", "password", "secret"))
    try engine.send(Line.press("a", "submit"), Line.edit("a", "email", "eve@example.com"))
    let told = try engine.until { $0.method == "session/refused" }
    let refused = try #require(told.last?["params"])
    let undo = told.dropLast().last?["params"]
    #expect(undo?["events"]?.integer == 4)
    #expect(undo?["commands"]?.text == #"[{"command":"setItem","item":"email","value":"ada@example.com"}]"#)
    #expect(refused["session"]?.string == "a")
    #expect(refused.members?.map(\.key) == ["session", "method", "error"])
    #expect(refused["error"]?["data"]?["events"]?.integer == 4)
    #expect(refused["method"]?.string == "session/edit")
    #expect(refused["error"]?["data"]?["code"]?.string == "notAccepted")
    #expect(refused["error"]?["data"]?["state"]?.string == "requestPending")
    #expect(refused["error"]?["data"]?["accepted"]?["actions"] == .array([.string("cancel")]))
    // A secret whose edit is refused is emptied in the view and in the engine.
    let heard = try engine.ask(Line.edit("a", "password", "other", id: 2))
    let data = heard.last?["error"]?["data"]
    #expect(data?["code"]?.string == "notAccepted")
    #expect(data?["events"]?.integer == 5)
    #expect(heard.dropLast().last { $0.isUpdate }?.item("password")?["filled"]?.bool == false)
  }

  @Test(
    "each refusal by the engine has its stable error code",
    arguments: [
      (Line.edit("nobody", "email", "x", id: 1), "unknownSession"),
      (Line.close("nobody", id: 1), "unknownSession"),
      (Line.snapshot("nobody", id: 1), "unknownSession"),
      (Line.call("session/options", id: 1, [.init("session", .string("nobody"))]), "unknownSession"),
      (Line.call("session/options", id: 1, [.init("session", .string("a"))]), "invalidParams"),
      (Line.open("a", id: 1), "sessionExists"),
      (Line.edit("a", "userName", "x", id: 1), "unknownItem"),
      (Line.press("a", "board", id: 1), "unknownAction"),
      (Line.press("a", "cancel", id: 1), "notAccepted"),
      (Line.press("a", "retry", id: 1), "notAccepted"),
      (Line.open("b", flow: "none", id: 1), "unknownFlow"),
      (Line.open("b", screen: "none", id: 1), "unknownScreen"),
      (Line.open("", id: 1), "invalidParams"),
      (Line.open(String(repeating: "n", count: 129), id: 1), "invalidParams"),
      (Line.open("new\nline", id: 1), "invalidParams"),
      (Line.edit("a", "remember", "x", id: 1), "invalidParams"),
      (Line.edit("a", "email", "x", revision: 99, id: 1), "invalidParams"),
      (Line.edit("a", "email", String(repeating: "x", count: 4097), id: 1), "limitExceeded"),
      (Line.edit("a", "password", String(repeating: "x", count: 4097), id: 1), "limitExceeded"),
      (Line.call("session/edit", id: 1, [.init("session", .string("a"))]), "invalidParams"),
      (Line.call("session/edit", id: 1, []), "invalidParams"),
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
    // The same line as a notification gets no response, and the engine continues.
    if let start = line.range(of: #""id":1,"#) {
      try engine.send(line.replacingCharacters(in: start, with: ""))
      #expect(try engine.ask(Line.snapshot("a", id: 2)).last?["result"] != nil)
    }
  }

  @Test("the log entry of a refused notification contains the error's data if the error's message refers to the data")
  func logged() throws {
    try engine.send(#"{"jsonrpc":"2.0","method":"session/open","params":{"flow":"none"}}"#)
    try engine.ask(Line.snapshot("a", id: 2))
    let line = try #require(engine.log.split(separator: "\n").first { $0.contains("unknownFlow") })
    #expect(line.contains(#"There is no flow "none"; see data.flows. data: {"name":"none","flows":["#), "\(line)")
    #expect(line.contains(#""immediate""#))
  }

  @Test("an event is stale if its screen or action has not been shown continuously since the revision in the event")
  func stale() throws {
    #expect(try engine.ask(Line.edit("a", "email", "a", revision: 1, id: 1)).last?["result"] != nil)
    #expect(try engine.ask(Line.edit("a", "email", "ab", revision: 1, id: 2)).last?["result"] != nil)
    try engine.ask(Line.press("a", "setup", revision: 1, id: 3))
    try engine.ask(Line.press("a", "login", revision: 4, id: 4))
    // The same screen is shown, but another one was shown in between.
    let told = try engine.ask(Line.edit("a", "email", "abc", revision: 3, id: 5))
    #expect(told.last?.errorCode == "staleRevision")
    let update = told.dropLast().last?["params"]
    #expect(update?["revision"]?.integer == 5)
    #expect(update?["snapshot"]?["screen"]?.string == "login")
    #expect(update?["commands"]?.text == #"[{"command":"setItem","item":"email","value":"ab"}]"#)
    #expect(try engine.ask(Line.press("a", "setup", revision: 4, id: 6)).last?.errorCode == "staleRevision")
    #expect(try engine.ask(Line.edit("a", "email", "abc", revision: 5, id: 7)).last?["result"] != nil)
  }

  @Test("the revision grows by one with each accepted event, and the event count with every event")
  func counting() throws {
    var revision = 1
    for number in 1...20 {
      let isTaken = number % 3 != 0
      let heard = try engine.ask(Line.edit("a", isTaken ? "email" : "nowhere", "\(number)", id: number))
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
