import FlowFiles
import Foundation
import JSONCodec
import LoginMachine
import TestSupport
import Testing

@testable import EngineCore

@Suite("Random walks of sessions that move")
struct SavedWalkTests {
  static let folder = Checkout.root.appending(path: "protocol/transcripts/flows")
  /// Flows with initial requests, requests of links, conditions, dates, passkeys and steps. Flows
  /// with checks of values have tests of their own, because their questions depend on when the
  /// session was opened.
  static let files = [
    "accessible", "bank", "beside", "carried", "code", "conditions", "countries", "dates", "kiosk", "loading",
    "sign-up",
    "steps", "two-step", "restarting", "passkey", "passkeys", "mailed-code",
  ]

  static func flow(_ name: String) throws -> Flow {
    let file = folder.appending(path: "\(name).json")
    return try FlowFile.read(Array(Data(contentsOf: file)), name: name)
  }

  private static let texts = ["", "a", "ada@example.com", "abcdefgh", "123456", "2001-02-28", "0123456789 abc", "ä🔑"]
  private static let answers =
    [
      #""result":{"outcome":"rejected","message":{"code":"invalidCredentials"}}"#,
      #""result":{"outcome":"rejected","message":"No \"such\" thing."}"#, #""error":{"code":1,"message":"Down"}"#,
      #""result":{"outcome":"throttled","retryAfterMs":3000}"#, #""result":{"outcome":"rejected"}"#,
      #""result":{"outcome":"notice","message":{"text":"Read this.","severity":"info"}}"#,
      #""result":{"outcome":"accepted","principal":"ada"}"#,
    ]
    + SavedChallenges.screens.flatMap { screen in
      [
        #""result":{"outcome":"challenge","screen":\#(screen),"resume":"R"}"#,
        #""result":{"outcome":"challenge","screen":\#(screen),"notice":"Look."}"#,
      ]
    } + [
      #""result":{"outcome":"challenge","error":"No.","resume":"S"}"#,
      #""result":{"outcome":"challenge","wait":{"pollAfterMs":500},"resume":"T"}"#,
    ]

  @Test(
    "a session that moves to another core at any step shows the same as a session that never moves",
    arguments: seeds)
  func walks(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let flows = try Self.files.map { try Self.flow($0) }
    let names = flows.map(\.id) + BuiltInFlows.names
    let mirror = try SavedMirror(flows)
    var moves = 0
    for _ in 0..<Workload.amount(300, atLeast: 10) {
      let name = random.pick(names)
      let flow = try #require(flows.first { $0.id == name } ?? BuiltInFlows.flow(named: name))
      moves += try walk(flow, flows, mirror, &random)
    }
    #expect(moves > 0, "sessions have moved")
  }

  /// Takes random steps with two sessions, of which one moves. Returns how often it has moved.
  private func walk(
    _ flow: Flow, _ flows: [Flow], _ mirror: SavedMirror, _ random: inout SeededRandom
  ) throws -> Int {
    let staying = try MovingSession(flow, flows: flows, run: "staying")
    let moving = try MovingSession(flow, flows: flows, run: "moving")
    var moves = 0
    var steps: [String] = []
    for _ in 0..<30 {
      let shown = try staying.shown()
      let moved = try moving.shown()
      #expect(moved == shown, "\(flow.id) after \(steps): \(moved.text) in place of \(shown.text)")
      if let fault = try mirror.fault(of: staying) { Issue.record("\(flow.id) after \(steps): \(fault)") }
      guard moved == shown, let snapshot = shown["snapshot"], snapshot["scene"]?.isNull == true else { break }
      switch Int.random(in: 0..<10, using: &random) {
      case 0, 1, 2, 3:
        guard let item = snapshot.shownItems.randomElement(using: &random), let id = item["id"]?.string,
          let value = value(of: item, &random)
        else { continue }
        try step("session/edit", #""item":"\#(id)","value":\#(value)"#)
      case 4, 5:
        let actions = (snapshot["alert"]?["actions"] ?? snapshot["actions"])?.array ?? []
        guard let action = actions.randomElement(using: &random)?["id"]?.string else { continue }
        try step("session/press", #""action":"\#(action)""#)
      case 6, 7:
        guard let asked = staying.open.keys.sorted().randomElement(using: &random) else { continue }
        #expect(moving.open[asked] != nil, "\(flow.id) after \(steps)")
        let answer = random.pick(Self.answers)
        steps.append("\(asked): \(answer)")
        try staying.answer(asked, answer)
        try moving.answer(asked, answer)
      case 8:
        guard staying.open.isEmpty else { continue }
        steps.append("wait")
        try staying.wait(1000)
        try moving.wait(1000)
      default:
        // No move: it would end a request whose values may contain secrets. Other tests do that.
        if snapshot["state"]?.string == "requestPending", snapshot.shownItems.contains(where: { $0["filled"] != nil }) {
          continue
        }
        // No move: it would end a challenge, or show it again only after an answer.
        let request = try staying.save()?["request"]
        if request?["resume"] != nil || request?["message"]?["code"]?.string == "challengeInterrupted" { continue }
        // A move loses secrets and values of external items, so these items are cleared in both
        // sessions first.
        for item in snapshot.shownItems where item["filled"]?.bool == true {
          guard let id = item["id"]?.string else { continue }
          try step("session/edit", #""item":"\#(id)","value":"""#)
        }
        for item in snapshot.shownItems where item["kind"]?.string == "external" && item["value"]?.isNull == false {
          guard let id = item["id"]?.string else { continue }
          try step("session/edit", #""item":"\#(id)","value":null"#)
        }
        guard try staying.shown().shownItems.allSatisfy({ SavedMirror.keeps($0) }) else { continue }
        // No move: a hidden item has a value that would be lost, and no view can clear it.
        if try staying.save()?["notice"]?["code"]?.string == "secretsNotKept" { continue }
        steps.append("move")
        if try moving.move() { moves += 1 }
      }
    }
    return moves

    func step(_ method: String, _ params: String) throws {
      steps.append("\(method) \(params)")
      let (one, other) = (try staying.send(method, params), try moving.send(method, params))
      #expect((one["error"]?["code"] ?? .null) == (other["error"]?["code"] ?? .null), "\(flow.id) after \(steps)")
    }
  }

  private func value(of item: JSONValue, _ random: inout SeededRandom) -> String? {
    switch item["kind"]?.string {
    case "input": JSONValue.string(random.pick(Self.texts)).text
    case "switch": random.pick(["true", "false"])
    case "selection":
      item["options"]?.array.flatMap { options in
        random.pick(["null"] + options.compactMap { $0["id"]?.text })
      }
    case "external": random.pick(["null", "null", "{}"])
    default: nil
    }
  }
}
