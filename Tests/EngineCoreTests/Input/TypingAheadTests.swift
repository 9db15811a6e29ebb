import EngineCore
import JSONCodec
import TestSupport
import Testing

/// A view that sends edits before it has read what became of those before, and does with refusals what protocol/updates.md says under *Typing fast*.
private struct HastyView {
  /// What the fields of the screen hold, by item.
  private(set) var fields: [String: String]
  /// The edits and presses that were sent.
  private(set) var sent = 0
  /// The number of the last edit of each item.
  private var lastEdits: [String: Int] = [:]
  /// The events of the newest update that was drawn.
  private var drawn = 0
  /// The events that the engine says it has counted.
  private(set) var taken = 0

  init(_ items: [String]) { fields = Dictionary(uniqueKeysWithValues: items.map { ($0, "") }) }

  mutating func type(_ text: String, into item: String) {
    sent += 1
    fields[item] = text
    lastEdits[item] = sent
  }

  mutating func press() { sent += 1 }

  mutating func receive(_ message: JSONValue) {
    for reply in message.array ?? [message] {
      let refusal = reply["error"]?["data"] ?? reply["params"]
      guard let events = refusal?["events"]?.integer else { continue }
      taken = max(taken, events)
      if let snapshot = refusal?["snapshot"], reply["error"] == nil {
        draw(snapshot, events)
      } else if drawn <= events {
        for command in refusal?["commands"]?.array ?? [] { undo(command, events) }
      }
    }
  }

  private mutating func draw(_ snapshot: JSONValue, _ events: Int) {
    drawn = events
    for item in (snapshot["sections"]?.array ?? []).flatMap({ $0["items"]?.array ?? [] }) {
      guard let id = item["id"]?.string, fields[id] != nil, lastEdits[id, default: 0] <= events else { continue }
      if let value = item["value"]?.string { fields[id] = value }
      if item["filled"]?.bool == false { fields[id] = "" }
    }
  }

  private mutating func undo(_ command: JSONValue, _ events: Int) {
    guard let item = command["item"]?.string, lastEdits[item, default: 0] <= events else { return }
    if let value = command["value"]?.string { fields[item] = value }
    if command["filled"]?.bool == false { fields[item] = "" }
  }
}

@Suite("Typing ahead")
struct TypingAheadTests {
  private static let texts = ["", "a", "b", "ab"]

  @Test("what a view has that types ahead is what the engine has, once the view is level", arguments: seeds)
  func level(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let harness = try Harness()
    var view = HastyView(["email", "password"])
    harness.view(Calls.open(screen: "login"))
    func read() throws { for line in harness.takeOutput() { view.receive(try JSONValue(parsing: line)) } }
    try read()
    for round in 0..<Workload.amount(20_000) {
      let lines = (0..<Int.random(in: 1...4, using: &random)).map { _ in
        let (item, text) = (random.pick(["email", "password"]), random.pick(Self.texts))
        view.type(text, into: item)
        let (id, revision) = (random.chance(2) ? #""id":1,"# : "", random.chance(3) ? 1 << 40 : 1)
        return #"{"jsonrpc":"2.0",\#(id)"method":"session/change","params":"#
          + #"{"session":"s","item":"\#(item)","value":"\#(text)","revision":\#(revision)}}"#
      }
      harness.view(random.chance(2) ? "[" + lines.joined(separator: ",") + "]" : lines.joined(separator: "\n"))
      try read()
      try #require(view.taken == view.sent, "round \(round)")
      guard random.chance(8), let password = view.fields["password"], !password.isEmpty else { continue }
      // What the engine has is what it submits.
      view.type("ada@example.com", into: "email")
      view.press()
      harness.view(Calls.change("email", "ada@example.com"), Calls.perform("submit"))
      let asked = try #require(harness.takeSent().last, "round \(round)")
      #expect(try JSONValue(parsing: asked)["params"]?["values"]?["password"]?.string == password, "round \(round)")
      view.press()
      harness.view(Calls.perform("cancel"))
      _ = harness.takeSent()
      try read()
      let level = #"{"jsonrpc":"2.0","id":1,"method":"session/snapshot","params":{"session":"s"}}"#
      harness.view(level)
      let result = try #require(harness.takeOutput().first.map { try JSONValue(parsing: $0) })["result"]
      try #require(result?["events"]?.integer == view.sent, "round \(round)")
    }
  }
}
