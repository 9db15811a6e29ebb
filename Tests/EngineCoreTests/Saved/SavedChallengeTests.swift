import FlowFiles
import Foundation
import JSONCodec
import LoginMachine
import Testing

@testable import EngineCore

/// Screens for challenges, one for each kind of item that the keyboard focus may be on. The item
/// follows more items than any screen of the flows has.
enum SavedChallenges {
  private static let before = (0..<12).map { #"{"id":"t\#($0)","kind":"text","title":"\#($0)"}"# }

  /// An item of each kind, on which the focus may be.
  static let items = [
    #"{"id":"i","kind":"input","inputType":"text","apiKey":"i"}"#,
    #"{"id":"i","kind":"input","inputType":"oneTimeCode","apiKey":"i","rules":[{"rule":"required","message":"m"}]}"#,
    #"{"id":"i","kind":"selection","options":[{"id":"a","title":"A"},{"id":"b","title":"B"}]}"#,
    #"{"id":"i","kind":"switch","rules":[{"rule":"required","message":"m"}]}"#,
    #"{"id":"i","kind":"external","type":"x.y","text":"E","rules":[{"rule":"required","message":"m"}]}"#,
    #"{"id":"i","kind":"link","title":"L","url":"https://example.com/"}"#,
    #"{"id":"i","kind":"code","text":"A","format":"plain"}"#,
  ]

  static let screens = items.map { screen(before + [$0]) } + [screen(before.prefix(1) + items.prefix(1))]

  private static func screen(_ items: some Sequence<String>) -> String {
    let head = #"{"id":"c","title":"T","links":[{"id":"other","title":"O"}],"sections":[{"id":"s","items":["#
    return head + items.joined(separator: ",") + "]}]}"
  }
}

@Suite("Challenges in saved sessions")
struct SavedChallengeTests {
  /// Ways to begin a conversation: the flow, the actions to press, and the question that the test
  /// answers with a challenge.
  private static let ways: [(flow: String, actions: [String], asked: String)] = [
    ("standard", ["forgotPassword", "submit"], #"authenticator/submit "forgotPassword""#),
    ("account", ["submit"], #"authenticator/submit "account""#),
    ("beside", ["next"], #"authenticator/submit "passkey""#),
    ("beside", ["next"], #"authenticator/submit "hint""#),
    ("loading", [], #"authenticator/submit "load""#),
    ("sign-up", [], #"authenticator/submit "loadProviders""#),
  ]

  private static let flows = ["beside", "loading", "sign-up"].compactMap { try? SavedWalkTests.flow($0) }

  /// For each way to begin a conversation, calls `body` with a session that has asked the question.
  private func forEachWay(_ body: (MovingSession, String) throws -> Void) throws {
    var taken = 0
    for way in Self.ways {
      let flow = try #require(Self.flows.first { $0.id == way.flow } ?? BuiltInFlows.flow(named: way.flow))
      let session = try MovingSession(flow, flows: Self.flows, run: "first")
      for action in way.actions {
        for item in try session.shown().shownItems where item["filled"] == nil && item["kind"]?.string == "input" {
          try session.send("session/edit", #""item":\#(item["id"]?.text ?? ""),"value":"ada@example.com""#)
        }
        try session.send("session/press", #""action":"\#(action)""#)
        if way.flow == "beside" {
          try session.answer(#"authenticator/submit "begin""#, #""result":{"outcome":"accepted"}"#)
        }
      }
      guard session.open[way.asked] != nil else { continue }
      taken += 1
      try body(session, way.asked)
    }
    #expect(taken >= 4, "there are ways to a conversation")
  }

  /// A fault would be to save the index of the focused item, which is valid only on the challenge's
  /// screen.
  @Test(
    "a session can be saved and opened at every step of a conversation, wherever the focus is",
    arguments: SavedChallenges.screens)
  func everyStep(screen: String) throws {
    let mirror = try SavedMirror(Self.flows)
    for resume in [#","resume":"R""#, ""] {
      try forEachWay { session, asked in
        func check(_ step: String) throws {
          if let fault = try mirror.fault(of: session) { Issue.record("\(asked), \(step): \(fault)") }
          guard let saved = try session.save(), saved["request"]?["resume"] != nil else { return }
          // The saved session shows the form on which the request began. Only an alert can have the
          // focus there.
          let focus = saved["alerts"] == nil ? nil : "alert"
          #expect(saved["focus"]?["kind"]?.string == focus, "\(asked), \(step): \(saved.text)")
          #expect(saved["state"]?.string == "requestPending", "\(asked), \(step): \(saved.text)")
        }
        try check("pending")
        try session.answer(asked, #""result":{"outcome":"challenge","screen":\#(screen)\#(resume)}"#)
        #expect(try session.shown()["snapshot"]?["screen"]?.string == "c")
        try check("asked back")
        try session.send("session/edit", #""item":"i","value":"b""#)
        try session.send("session/edit", #""item":"i","value":true"#)
        try check("entered")
        try session.send("session/press", #""action":"other""#)
        try check("going on")
        try session.answer("authenticator/continue ", #""result":{"outcome":"challenge","error":"No."\#(resume)}"#)
        try check("refused")
        try session.send("session/press", #""action":"other""#)
        try session.answer("authenticator/continue ", #""error":{"code":1,"message":"Down"}"#)
        try check("lost")
        try session.send("session/press", #""action":"other""#)
        try session.answer("authenticator/continue ", #""result":{"outcome":"rejected"}"#)
        try check("rejected")
        for action in ["retry", "ok", "dismiss"] { try session.send("session/press", #""action":"\#(action)""#) }
        try check("again")
      }
    }
  }

  @Test("a background request with a challenge continues in another core, and can be retried there after it has failed")
  func beganBeside() throws {
    let flow = try #require(Self.flows.first { $0.id == "beside" })
    let session = try MovingSession(flow, flows: Self.flows, run: "first")
    try session.send("session/edit", #""item":"email","value":"ada@example.com""#)
    try session.send("session/press", #""action":"next""#)
    try session.answer(#"authenticator/submit "begin""#, #""result":{"outcome":"accepted"}"#)
    let passkey = #"authenticator/submit "passkey""#
    let challenge = #""result":{"outcome":"challenge","screen":\#(SavedChallenges.screens[0]),"resume":"R"}"#
    try session.answer(passkey, challenge)
    #expect(try session.move())
    #expect(session.lastAsked?["resume"]?.string == "R" && session.lastAsked?["request"]?.string == "passkey")
    // All other background requests were cancelled when the challenge arrived.
    #expect(session.open.keys.sorted() == [passkey])
    try session.answer(passkey, challenge)
    #expect(try session.shown()["snapshot"]?["screen"]?.string == "c")
    try session.send("session/press", #""action":"other""#)
    try session.answer("authenticator/continue ", #""result":{"outcome":"rejected"}"#)
    #expect(try session.move())
    #expect(session.saved?["state"]?.string == "requestFailed")
    try session.send("session/press", #""action":"retry""#)
    #expect(session.open.keys.sorted() == [passkey])
    #expect(try session.move())
    #expect(session.saved?["state"]?.string == "requestPending" && session.open.keys.sorted() == [passkey])
    try session.answer(passkey, #""result":{"outcome":"accepted","principal":"ada"}"#)
    #expect(try session.shown()["snapshot"]?["scene"]?["principal"]?.string == "ada")
  }

  @Test(
    "a saved session is refused if the same request both covers the form and is in the background"
  )
  func besideTwice() throws {
    let saved =
      #"{"version":1,"flow":"beside","digest":"DIGEST","locale":"en","screen":"login","revision":2,"events":1,"#
    let flow = try #require(Self.flows.first { $0.id == "beside" })
    for (stage, isRefused) in [
      (#""state":"requestPending","request":{"source":"begin","begin":0,"resume":"R"},"beside":[1]"#, false),
      (#""state":"requestPending","request":{"source":"begin","begin":0,"resume":"R"},"beside":[0]"#, true),
      (#""state":"requestPending","request":{"source":"begin","begin":2,"key":"k-1"},"beside":[1,2]"#, true),
      (#""state":"requestFailed","request":{"source":"begin","begin":1,"message":{"code":"m"}},"beside":[1]"#, true),
      (#""state":"requestPending","request":{"source":"begin","begin":3,"resume":"R"}"#, true),
    ] {
      let harness = try Harness(flows: Self.flows)
      let text = saved.replacing("DIGEST", with: FlowDigest(of: flow).text) + #""items":{},\#(stage)}"#
      harness.view(#"{"jsonrpc":"2.0","id":1,"method":"session/open","params":{"session":"s","saved":\#(text)}}"#)
      let reply = try #require(harness.takeOutput().last { $0.contains(#""id":1,"#) })
      #expect(reply.contains(#""error""#) == isRefused, "\(reply)")
    }
  }

  @Test(
    "a session with a throttle of any length can be saved and opened",
    arguments: ["0", "1", "9007199254740991", "9007199254740992", "4611686018427387904", "9223372036854775807"])
  func longestWait(milliseconds: String) throws {
    try forEachWay { session, asked in
      try session.answer(asked, #""result":{"outcome":"throttled","retryAfterMs":\#(milliseconds)}"#)
      let fault = try SavedMirror(Self.flows).fault(of: session)
      #expect(fault == nil, "\(asked): \(fault ?? "")")
    }
  }
}
