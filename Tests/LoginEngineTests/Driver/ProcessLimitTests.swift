import Foundation
import JSONCodec
import System
import TestSupport
import Testing

/// The limits that options of the command line set.
@Suite(.waits) struct ProcessLimitTests {
  @Test("--max-sessions limits the number of open sessions")
  func sessions() throws {
    let engine = try RunningEngine(["--max-sessions", "2"])
    try engine.ask(Line.open("a", id: 1))
    try engine.ask(Line.open("b", id: 2))
    let error = try engine.ask(Line.open("c", id: 3)).last?["error"]?["data"]
    #expect(error?["code"]?.string == "limitExceeded")
    #expect(error?["limit"]?.string == "maxSessions")
    #expect(error?["maximum"]?.integer == 2)
    try engine.ask(Line.close("a", id: 4))
    #expect(try engine.ask(Line.open("c", id: 5)).last?["result"]?["session"]?.string == "c")
  }

  @Test("a line over --max-line-bytes gets one error reply, and the next line is handled")
  func lines() throws {
    let engine = try RunningEngine(["--max-line-bytes", "300"])
    let head = #"{"jsonrpc":"2.0","id":1,"method":"session/list""#
    let exact = head + String(repeating: " ", count: 299 - head.utf8.count) + "}"
    #expect(exact.utf8.count == 300)
    #expect(try engine.ask(exact).last?["result"] != nil)
    for length in [301, 400, 100_000, 5_000_000] {
      try engine.send(head + String(repeating: " ", count: length - head.utf8.count - 1) + "}")
      let error = try engine.next()
      #expect(error.errorCode == "parseError")
      #expect(error["id"]?.integer == 1)
      #expect(error["error"]?["data"]?["reason"]?.string == "tooLong")
      #expect(try engine.ask(exact).count == 1)
    }
  }

  @Test("--max-value-bytes limits the UTF-8 bytes of a value, counted without its JSON escapes")
  func values() throws {
    let engine = try RunningEngine(["--max-value-bytes", "6"])
    try engine.ask(Line.open("a", id: 1))
    #expect(try engine.ask(Line.edit("a", "email", "éüö", id: 2)).last?["result"] != nil)
    #expect(try engine.ask(Line.edit("a", "email", "éüöx", id: 3)).last?.errorCode == "limitExceeded")
    let escaped = Line.edit("a", "password", "VALUE", id: 4)
    let fits = escaped.replacingOccurrences(of: "VALUE", with: #"\u00e9\u00fc\u00f6"#)
    #expect(try engine.ask(fits).last?["result"] != nil)
    let long = escaped.replacingOccurrences(of: "VALUE", with: #"\u00e9\u00fc\u00f6\u0041"#)
    #expect(try engine.ask(long).last?.errorCode == "limitExceeded")
  }

  @Test("--idle-timeout closes a session after that time without an event, and leaves other sessions open")
  func idle() throws {
    let engine = try RunningEngine(["--idle-timeout", "60", "--clock", "manual"])
    try engine.ask(Line.open("a", id: 1))
    try engine.ask(Line.open("b", id: 2))
    #expect(try engine.ask(Line.advance(59_999, id: 3)).count == 1)
    try engine.ask(Line.edit("b", "email", "x", id: 4))
    let heard = try engine.ask(Line.advance(1, id: 5))
    #expect(heard.count == 2)
    #expect(heard.first?.method == "session/closed")
    #expect(heard.first?.session == "a")
    #expect(heard.first?["params"]?["reason"]?.string == "idleTimeout")
    #expect(try engine.ask(Line.snapshot("a", id: 6)).last?.errorCode == "unknownSession")
    #expect(try engine.ask(Line.advance(59_998, id: 7)).count == 1)
    #expect(try engine.ask(Line.advance(1, id: 8)).first?.session == "b")
    // The name of the closed session is free, and a new session with this name has its own timeout.
    try engine.ask(Line.open("a", id: 9))
    #expect(try engine.ask(Line.advance(59_999, id: 10)).count == 1)
  }

  @Test("a manual clock can be advanced up to 2^53 ms, and logins work at that time")
  func clockLimit() throws {
    let directory = try Directory()
    let engine = try RunningEngine(["--clock", "manual"] + directory.authenticator("ask; accept"), in: directory)
    let latest = 1 << 53
    #expect(try engine.ask(Line.advance(latest, id: 1)).last?["result"]?["now"]?.integer == latest)
    #expect(try engine.ask(Line.advance(1, id: 2)).last?.errorCode == "invalidParams")
    try engine.send(Line.login("a"))
    _ = try engine.update(of: "a", "requestSucceeded")
  }

  @Test("clock/advance fires timers in the order of their times, before its reply")
  func order() throws {
    let directory = try Directory()
    let engine = try RunningEngine(["--clock", "manual"] + directory.authenticator("exec sleep 600"), in: directory)
    for session in ["a", "b", "c"] {
      try engine.send(Line.login(session))
      _ = try engine.update(of: session, "requestPending")
      try engine.ask(Line.advance(100, id: 1))
    }
    let heard = try engine.ask(Line.advance(100_000, id: 2))
    #expect(heard.compactMap(\.session) == ["a", "b", "c"])
    #expect(heard.last?["result"]?["now"]?.integer == 100_300)
  }
}
