import FlowFiles
import Foundation
import JSONCodec
import LoginMachine
import TestSupport
import Testing

@testable import EngineCore

@Suite("Sessions that move to another core")
struct SavedTests {
  private static let fixture = Checkout.tests.appending(path: "Fixtures/saved/version-1.jsonl")

  private func open(_ saved: JSONValue, _ harness: Harness, _ session: String = "s") throws -> JSONValue {
    harness.view(
      #"{"jsonrpc":"2.0","id":1,"method":"session/open","params":{"session":"\#(session)","saved":\#(saved.text)}}"#)
    return try JSONValue(parsing: try #require(harness.takeOutput().last { $0.contains(#""id":1,"#) }))
  }

  /// The params of the questions that were asked since the last call.
  private func asked(_ harness: Harness) throws -> [JSONValue] {
    try harness.takeSent().map { try JSONValue(parsing: $0) }.compactMap { line in
      line["method"]?.string == "authenticator/describe" ? nil : line["params"]
    }
  }

  @Test("sessions that the first version saved can be opened, and are saved again unchanged")
  func keptFile() throws {
    let flows = try ["beside", "loading"].map { try SavedWalkTests.flow($0) }
    let lines = try String(contentsOf: Self.fixture, encoding: .utf8).split(separator: "\n")
    #expect(lines.count >= 14)
    for line in lines {
      let harness = try Harness(flows: flows) { $0.run = "other" }
      let saved = try JSONValue(parsing: String(line))
      #expect(try open(saved, harness)["result"] != nil, "\(line)")
      harness.view(#"{"jsonrpc":"2.0","id":1,"method":"session/save","params":{"session":"s"}}"#)
      let again = try JSONValue(parsing: try #require(harness.takeOutput().last))["result"]?["saved"]
      let revision = try #require(saved["revision"]?.integer)
      #expect(again?["revision"]?.integer == revision + 1)
      #expect(without("revision", again) == without("revision", saved), "\(line)")
    }
  }

  private func without(_ name: String, _ value: JSONValue?) -> JSONValue? {
    value?.members.map { .object($0.filter { $0.key != name }) }
  }

  @Test("a saved session contains no secret, in any state")
  func noSecrets() throws {
    let secret = "correct-horse-battery"
    let answers = [
      nil, #""result":{"outcome":"rejected"}"#, #""error":{"code":1,"message":"Down"}"#,
      #""result":{"outcome":"throttled","retryAfterMs":1000}"#,
    ]
    for name in BuiltInFlows.names {
      for answer in answers {
        let flow = try #require(BuiltInFlows.flow(named: name))
        let session = try MovingSession(flow, flows: [], run: "first")
        for item in try session.shown().shownItems where item["kind"]?.string == "input" {
          let value = item["filled"] != nil ? secret : "ada@example.com"
          try session.send("session/edit", #""item":\#(item["id"]?.text ?? ""),"value":"\#(value)""#)
          #expect(try session.save()?.text.contains(secret) == false)
        }
        let action = try #require(try session.shown()["snapshot"]?["actions"]?[0]?["id"]?.text)
        try session.send("session/press", #""action":\#(action)"#)
        #expect(try session.save()?.text.contains(secret) == false)
        if let answer { for asked in session.open.keys { try session.answer(asked, answer) } }
        #expect(try session.save()?.text.contains(secret) == false)
      }
    }
    let harness = try Harness()
    harness.view(
      #"{"jsonrpc":"2.0","method":"session/open","params":{"session":"s","secrets":{"device":"\#(secret)"},"context":{"a":1}}}"#,
      #"{"jsonrpc":"2.0","id":1,"method":"session/save","params":{"session":"s"}}"#)
    let line = try #require(harness.takeOutput().last)
    #expect(line.contains(#""context":{"a":1}"#) && !line.contains(secret))
  }

  @Test(
    "lines that the engine saves contain the principal, but session/save omits it, so the frontend must state it again"
  )
  func principal() throws {
    let harness = try Harness()
    harness.view(
      #"{"jsonrpc":"2.0","method":"session/open","params":{"session":"s","principal":"ada \"a\""}}"#,
      #"{"jsonrpc":"2.0","id":1,"method":"session/save","params":{"session":"s"}}"#)
    let reply = try #require(harness.takeOutput().last)
    let saved = try #require(try JSONValue(parsing: reply)["result"]?["saved"])
    #expect(!saved.text.contains("ada"))
    var lines: [String] = []
    harness.core.forEachSaved { lines.append(String(decoding: $0, as: UTF8.self)) }
    try #require(lines.count == 1)
    let kept = try JSONValue(parsing: lines[0])["params"]
    #expect(kept?["principal"]?.string == #"ada "a""#)
    #expect(kept?["saved"] == saved)

    let other = try Harness()
    other.view(
      #"{"jsonrpc":"2.0","id":1,"method":"session/open","params":{"session":"s","saved":\#(saved.text),"principal":"ada"}}"#,
      #"{"jsonrpc":"2.0","method":"session/edit","params":{"session":"s","item":"email","value":"a@b.at"}}"#,
      #"{"jsonrpc":"2.0","method":"session/edit","params":{"session":"s","item":"password","value":"secret"}}"#,
      #"{"jsonrpc":"2.0","method":"session/press","params":{"session":"s","action":"submit"}}"#)
    #expect(try asked(other).compactMap { $0["principal"]?.string } == ["ada"])
  }

  @Test("a question that is asked again in another core keeps its idempotency key, however often the session moves")
  func keys() throws {
    let flow = try #require(BuiltInFlows.flow(named: "standard"))
    let session = try MovingSession(flow, flows: [], run: "first")
    try session.send("session/press", #""action":"forgotPassword""#)
    try session.send("session/edit", #""item":"email","value":"ada@example.com""#)
    try session.send("session/press", #""action":"submit""#)
    #expect(try session.move())
    #expect(try session.move())
    #expect(session.saved?["request"]?["key"]?.string == "first-1")
    #expect(session.open.keys.sorted() == [#"authenticator/submit "forgotPassword""#])
    try session.answer(#"authenticator/submit "forgotPassword""#, #""error":{"code":1,"message":"Down"}"#)
    #expect(try session.move())
    #expect(session.saved?["request"]?["key"]?.string == "first-1")
    // A new edit leads to a new request.
    try session.send("session/edit", #""item":"email","value":"grace@example.com""#)
    try session.send("session/press", #""action":"submit""#)
    let key = try session.save()?["request"]?["key"]?.string
    #expect(key?.hasPrefix("moved3-") == true, "\(key ?? "none")")
  }

  @Test("a session that moves to another core asks its background requests and checks again")
  func besideAndChecks() throws {
    let flows = try ["beside", "checked"].map { try SavedWalkTests.flow($0) }
    let beside = try MovingSession(flows[0], flows: flows, run: "first")
    try beside.send("session/edit", #""item":"email","value":"ada@example.com""#)
    try beside.send("session/press", #""action":"next""#)
    let open = beside.open.keys.sorted()
    #expect(!open.isEmpty)
    #expect(try beside.move())
    #expect(beside.open.keys.sorted() == open)
    let checked = try MovingSession(flows[1], flows: flows, run: "first")
    try checked.send("session/edit", #""item":"userName","value":"adalovelace""#)
    #expect(try checked.save()?["checks"]?.text == #"["userName"]"#)
    #expect(try checked.move())
    try checked.wait(2000)
    #expect(checked.open.keys.contains { $0.hasPrefix("authenticator/check") })
  }

  private static let screen =
    #""screen":{"id":"more","title":"More","sections":[{"id":"all","items":[{"id":"code","kind":"input","apiKey":"code","inputType":"oneTimeCode","title":"Code"}]}]}"#

  /// A session whose login was answered with a challenge. `rest` has further members of the answer.
  private func challenged(_ rest: String) throws -> MovingSession {
    let flow = try #require(BuiltInFlows.flow(named: "standard"))
    let session = try MovingSession(flow, flows: [], run: "first")
    try session.send("session/edit", #""item":"email","value":"ada@example.com""#)
    try session.send("session/edit", #""item":"password","value":"correct horse""#)
    try session.send("session/press", #""action":"submit""#)
    try session.answer(Self.login, #""result":{"outcome":"challenge",\#(Self.screen)\#(rest)}"#)
    return session
  }

  private static let login = #"authenticator/submit "login""#

  @Test("a conversation continues in another core with the resume text of the authenticator's last answer")
  func resume() throws {
    let session = try challenged(#","resume":"one""#)
    #expect(try session.save()?["request"]?.text == #"{"source":"submit","resume":"one"}"#)
    try session.send("session/edit", #""item":"code","value":"123456""#)
    try session.send("session/press", #""action":"submit""#)
    // The resume text is saved even while the question is not answered yet.
    #expect(try session.save()?["request"]?["resume"]?.string == "one")
    try session.answer(
      "authenticator/continue ", #""result":{"outcome":"challenge","error":{"code":"wrong"},"resume":"two"}"#)
    #expect(try session.move())
    #expect(session.saved?["state"]?.string == "requestPending")
    #expect(session.saved?.text.contains("123456") == false)
    let question = try #require(session.lastAsked)
    #expect(question["resume"]?.string == "two")
    #expect(question["values"]?.text == "{}")
    #expect(question["request"]?.string == "login")
    #expect(question["key"]?.string?.hasPrefix("moved1-") == true)
    #expect(question["retryOf"] == nil)
    try session.answer(Self.login, #""result":{"outcome":"challenge",\#(Self.screen),"resume":"three"}"#)
    let shown = try session.shown()["snapshot"]
    #expect(shown?["screen"]?.string == "more" && shown?["error"] == .null && shown?["notice"] == .null)
    try session.send("session/edit", #""item":"code","value":"123456""#)
    try session.send("session/press", #""action":"submit""#)
    try session.answer("authenticator/continue ", #""result":{"outcome":"accepted","principal":"ada"}"#)
    #expect(try session.shown()["snapshot"]?["scene"]?["principal"]?.string == "ada")
  }

  @Test("after an answer has withdrawn a resume text with null, the text is no longer saved")
  func noResume() throws {
    let session = try challenged(#","resume":"one""#)
    try session.send("session/press", #""action":"submit""#)
    try session.answer("authenticator/continue ", #""result":{"outcome":"challenge","resume":null}"#)
    #expect(try session.save()?["request"]?["message"]?["code"]?.string == "challengeInterrupted")
  }

  @Test("a moved session's new core asks once to resume the conversation; if that fails, the login starts again")
  func resumeOnce() throws {
    for answer in [
      #""result":{"outcome":"rejected","reason":"challengeExpired"}"#, #""error":{"code":1,"message":"Down"}"#,
    ] {
      let session = try challenged(#","resume":"one""#)
      #expect(try session.move())
      // Before the answer to the question that resumes, the conversation cannot be saved.
      #expect(try session.save()?["request"]?.text.contains("challengeInterrupted") == true)
      try session.answer(Self.login, answer)
      #expect(try session.shown()["snapshot"]?["state"]?.string == "requestFailed")
      try session.send("session/edit", #""item":"password","value":"correct horse""#)
      let action = try #require(try session.shown()["snapshot"]?["actions"]?[0]?["id"]?.text)
      try session.send("session/press", #""action":\#(action)"#)
      let question = try #require(session.lastAsked)
      #expect(question["retryOf"] == nil && question["resume"] == nil)
      #expect(question["values"]?["password"]?.string == "correct horse")
    }
  }

  @Test(
    "an invalid resume text makes the answer invalid, and a saved session with one is refused",
    arguments: [#""""#, "1", "[]"])
  func badResume(value: String) throws {
    let session = try challenged(#","resume":\#(value)"#)
    #expect(try session.shown()["snapshot"]?["error"]?["code"]?.string == "network.invalidAnswer")
    let good = try challenged(#","resume":"one""#)
    let saved = try #require(try good.save())
    for (old, new, place) in [
      (#""resume":"one""#, #""resume":\#(value)"#, "saved.request.resume"),
      (#""resume":"one""#, #""resume":"one","key":"k-1""#, "saved.request.resume"),
      (#""state":"requestPending""#, #""state":"requestFailed""#, "saved.request.resume"),
    ] {
      let reply = try open(try JSONValue(parsing: saved.text.replacing(old, with: new)), try Harness())
      #expect(reply["error"]?["data"]?["param"]?.string == place, "\(reply.text)")
    }
  }

  @Test("a throttle does not get longer when its session moves, whatever the clock of the other engine says")
  func clocks() throws {
    let line = try #require(
      try String(contentsOf: Self.fixture, encoding: .utf8).split(separator: "\n").first {
        $0.contains(#""duration":60000"#)
      })
    // The throttle ends in 2026, and the clock of this core starts in 1970.
    let harness = try Harness()
    #expect(try open(try JSONValue(parsing: String(line)), harness)["result"] != nil)
    harness.wait(until: 59_999)
    #expect(harness.takeOutput().isEmpty)
    harness.wait(until: 60_000)
    #expect(harness.takeOutput().first?.contains("throttleOver") == true)
  }

  @Test("opening a saved session is refused if its name is taken or there are too many sessions")
  func limits() throws {
    let saved = try JSONValue(
      parsing: String(try #require(try String(contentsOf: Self.fixture, encoding: .utf8).split(separator: "\n").first)))
    let harness = try Harness { $0.maximumSessions = 2 }
    #expect(try open(saved, harness)["result"] != nil)
    #expect(try open(saved, harness)["error"]?["code"]?.integer == 2)
    #expect(try open(saved, harness, "t")["result"] != nil)
    #expect(try open(saved, harness, "u")["error"]?["code"]?.integer == 10)
  }

  @Test("a session that would be too long for one line is not saved")
  func tooLong() throws {
    let harness = try Harness { $0.maximumLineBytes = 2048 }
    harness.view(Calls.open(screen: "setup"), Calls.edit("email", String(repeating: "a", count: 1500)))
    harness.view(#"{"jsonrpc":"2.0","id":1,"method":"session/save","params":{"session":"s"}}"#)
    #expect(harness.takeOutput().last?.contains("limitExceeded") == true)
  }

  /// The saved form of the session `s`, or the error.
  private func save(_ harness: Harness) throws -> JSONValue? {
    harness.view(#"{"jsonrpc":"2.0","id":1,"method":"session/save","params":{"session":"s"}}"#)
    let reply = try JSONValue(parsing: try #require(harness.takeOutput().last))
    return reply["result"]?["saved"] ?? reply["error"]
  }

  /// The lines that an engine writes at its end to save its sessions.
  private func kept(_ harness: Harness) -> [String] {
    var lines: [String] = []
    harness.core.forEachSaved { lines.append(String(decoding: $0, as: UTF8.self)) }
    return lines
  }

  @Test(
    "a session at the limit of its revision or event count can be saved and opened, but not saved after another edit",
    arguments: ["revision", "events"])
  func highestCount(_ name: String) throws {
    let flow = try #require(BuiltInFlows.flow(named: "standard"))
    let saved = try #require(try MovingSession(flow, flows: [], run: "first").save())
    let highest = Int(SavedState.maximumCount)
    func counted(to count: Int) -> JSONValue {
      .object((saved.members ?? []).map { .init($0.key, $0.key == name ? .number(String(count)) : $0.value) })
    }
    // The revision grows when a session opens. Both the revision and the number of events grow with
    // an edit.
    let last = name == "revision" ? highest - 1 : highest
    let harness = try Harness()
    #expect(try open(counted(to: last), harness)["result"] != nil)
    let again = try #require(try save(harness))
    #expect(again[name]?.integer == highest)
    let other = try Harness()
    #expect(try open(again, other)["result"] != nil)
    #expect(try open(counted(to: highest + 1), other, "t")["error"]?["data"]?["param"]?.string == "saved.\(name)")

    harness.view(Calls.edit("email", "grace@example.com"))
    _ = harness.takeOutput()
    let refusal = try #require(try save(harness)?["data"])
    #expect(refusal["code"]?.string == "limitExceeded" && refusal["limit"]?.string == "maxSavedCount")
    #expect(refusal["maximum"]?.integer == highest)
    #expect(kept(harness).isEmpty)
    harness.view(Calls.open("t"))
    #expect(kept(harness).count == 1)
  }

  @Test(
    "a session with a thousand messages of an authenticator can be saved and opened, and one with more is not saved")
  func manyMessages() throws {
    let flow = try #require(BuiltInFlows.flow(named: "standard"))
    func said(_ result: (_ list: String, _ params: String) -> String, times: Int) throws -> MovingSession {
      let session = try MovingSession(flow, flows: [], run: "first")
      try session.send("session/press", #""action":"setup""#)
      for (item, value) in [("email", "ada@example.com"), ("userName", "adalovelace"), ("password", "correct horse")] {
        try session.send("session/edit", #""item":"\#(item)","value":"\#(value)""#)
      }
      try session.send("session/press", #""action":"submit""#)
      #expect(session.open[#"authenticator/submit "setup""#] != nil)
      let list = Array(repeating: #"{"text":"No."}"#, count: times).joined(separator: ",")
      let params = (0..<times).map { #""p\#($0)":1"# }.joined(separator: ",")
      try session.answer(#"authenticator/submit "setup""#, #""result":\#(result(list, params))"#)
      return session
    }
    let results: [(String, String) -> String] = [
      { list, _ in #"{"outcome":"rejected","items":{"email":[\#(list)]}}"# },
      { _, params in #"{"outcome":"rejected","message":{"code":"no","params":{\#(params)}}}"# },
      { _, params in #"{"outcome":"rejected","items":{"email":[{"code":"no","params":{\#(params)}}]}}"# },
    ]
    for result in results {
      #expect(try said(result, times: 1000).move())
      let refusal = try said(result, times: 1001).send("session/save")["error"]?["data"]
      #expect(refusal?["limit"]?.string == "maxSavedEntries" && refusal?["maximum"]?.integer == 1000)
    }
  }
}
