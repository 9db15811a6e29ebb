import FlowFiles
import Foundation
import JSONCodec
import LoginMachine
import TestSupport
import Testing

@testable import EngineCore

@Suite("Saved sessions that were tampered with")
struct SavedMutationTests {
  /// Saved forms of sessions in every state, of flows with all kinds of items.
  private static func originals(_ flows: [Flow]) throws -> [JSONValue] {
    var originals: [JSONValue] = []
    func collect(_ flow: Flow, _ act: (MovingSession) throws -> Void) throws {
      let session = try MovingSession(flow, flows: flows, run: "first")
      try act(session)
      originals.append(try #require(try session.save()))
    }
    func flow(_ name: String) throws -> Flow {
      try #require(flows.first { $0.id == name } ?? BuiltInFlows.flow(named: name))
    }
    func fill(_ session: MovingSession) throws {
      for item in try session.shown().shownItems where item["kind"]?.string == "input" {
        let isEmail = item["inputType"]?.string == "email"
        let value = isEmail ? "ada@example.com" : "0123456789"
        try session.send("session/edit", #""item":\#(item["id"]?.text ?? ""),"value":"\#(value)""#)
      }
    }
    for answer in [
      nil, #""result":{"outcome":"rejected","items":{"email":["No."]}}"#,
      #""result":{"outcome":"throttled","retryAfterMs":3000}"#, #""error":{"code":1,"message":"Down"}"#,
    ] {
      for name in ["standard", "acknowledged", "coordinators", "dynamic", "code", "beside", "loading", "countries"] {
        try collect(flow(name)) { session in
          try fill(session)
          let actions = try session.shown()["snapshot"]?["actions"]?.array ?? []
          for action in actions.prefix(2) {
            try session.send("session/press", #""action":\#(action["id"]?.text ?? "")"#)
          }
          guard let answer else { return }
          for asked in session.open.keys { try session.answer(asked, answer) }
        }
      }
      try collect(flow("standard")) { session in
        try session.send("session/press", #""action":"forgotPassword""#)
        try fill(session)
        try session.send("session/press", #""action":"submit""#)
        if let answer { for asked in session.open.keys { try session.answer(asked, answer) } }
      }
    }
    return originals
  }

  @Test(
    "a saved session that was tampered with is opened or refused with an error, and never ends the engine",
    arguments: seeds)
  func mutations(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let flows = try SavedWalkTests.files.map { try SavedWalkTests.flow($0) }
    let originals = try Self.originals(flows)
    let count = Workload.amount(100_000)
    var (opened, refused) = (0, 0)
    var harness = try Harness(flows: flows)
    for round in 0..<count {
      if round % 2000 == 0 { harness = try Harness(flows: flows) }
      var saved = random.pick(originals)
      for _ in 0...Int.random(in: 0..<3, using: &random) { saved = mutated(saved, &random) }
      var text = saved.text
      if random.chance(20) { text = corrupted(text, &random) }
      harness.view(#"{"jsonrpc":"2.0","id":1,"method":"session/open","params":{"session":"s","saved":\#(text)}}"#)
      let lines = harness.takeOutput()
      // If a saved throttle is over, an update that says so follows right after the reply.
      let reply = try JSONValue(parsing: try #require(lines.last { !$0.contains(#""method":"session/update""#) }))
      if reply["result"] != nil {
        opened += 1
        try use(harness, &random)
      } else {
        refused += 1
        let error = reply["error"]
        let code = error?["code"]?.integer
        #expect([-32700, -32602, 7].contains(code), "\(lines) for \(text)")
        if code == -32602 {
          #expect(error?["data"]?["param"]?.string?.hasPrefix("saved") == true, "\(lines) for \(text)")
        }
        #expect(harness.core.sessionCount == 0)
      }
    }
    #expect(opened > count / 100 && refused > count / 100, "\(opened) opened, \(refused) refused")
  }

  /// Makes random calls to the opened session.
  private func use(_ harness: Harness, _ random: inout SeededRandom) throws {
    let snapshot = #"{"jsonrpc":"2.0","id":2,"method":"session/snapshot","params":{"session":"s"}}"#
    harness.view(snapshot)
    let shown = try JSONValue(parsing: try #require(harness.takeOutput().last))["result"]?["snapshot"]
    for item in shown?.shownItems.prefix(3) ?? [] {
      harness.view(
        #"{"jsonrpc":"2.0","method":"session/edit","params":{"session":"s","item":\#(item["id"]?.text ?? ""),"value":"ada@example.com"}}"#
      )
    }
    let actions = ((shown?["alert"]?["actions"] ?? .null).array ?? []) + (shown?["actions"]?.array ?? [])
    for action in actions { harness.view(Calls.press(action["id"]?.string ?? "")) }
    if random.chance(4) { harness.wait(until: harness.now + 4000) }
    harness.view(#"{"jsonrpc":"2.0","id":3,"method":"session/locale","params":{"session":"s","locale":"de"}}"#)
    harness.view(#"{"jsonrpc":"2.0","id":3,"method":"session/save","params":{"session":"s"}}"#)
    harness.view(snapshot, #"{"jsonrpc":"2.0","id":4,"method":"session/close","params":{"session":"s"}}"#)
    _ = harness.takeSent()
    let last = harness.takeOutput().last
    #expect(last == #"{"jsonrpc":"2.0","id":4,"result":{}}"#)
  }

  // MARK: Mutations

  private static let values: [JSONValue] = [
    .null, .bool(true), .bool(false), .number("0"), .number("-1"), .number("1e400"), .number("9007199254740991"),
    .number("18446744073709551615"), .number("1099511627776"), .number("0.5"), .string(""), .string("submit"),
    .string("email"), .string("login"), .string("requestPending"), .string("requestFailed"), .string("validated"),
    .string("requestSucceeded"), .string("link"), .string("begin"), .string("item"), .string("alert"), .array([]),
    .object([]), .array([.object([])]), .string("\u{0}\u{2028}🔑"), .string(String(repeating: "x", count: 5000)),
  ]

  /// A copy of a value in which one part is replaced, removed, added or duplicated.
  private func mutated(_ value: JSONValue, _ random: inout SeededRandom) -> JSONValue {
    switch value {
    case .object(var members) where !members.isEmpty && !random.chance(12):
      let index = Int.random(in: 0..<members.count, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0: members.remove(at: index)
      case 1: members[index].key = random.pick(["x", "key", "email", "value"] + SavedName.all)
      case 2: members.append(.init(random.pick(SavedName.all), random.pick(Self.values)))
      default: members[index].value = mutated(members[index].value, &random)
      }
      return .object(members)
    case .array(var elements) where !elements.isEmpty && !random.chance(12):
      let index = Int.random(in: 0..<elements.count, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: elements.remove(at: index)
      case 1: elements.append(elements[index])
      default: elements[index] = mutated(elements[index], &random)
      }
      return .array(elements)
    default: return random.pick(Self.values)
    }
  }

  /// A copy of a text in which one byte is replaced by another ASCII byte.
  private func corrupted(_ text: String, _ random: inout SeededRandom) -> String {
    var bytes = Array(text.utf8)
    bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0x20...0x7E, using: &random)
    return String(decoding: bytes, as: UTF8.self)
  }
}
