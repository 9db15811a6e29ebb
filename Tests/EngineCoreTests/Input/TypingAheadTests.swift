import EngineCore
import JSONCodec
import TestSupport
import Testing
import ViewModel

@Suite("Typing ahead")
struct TypingAheadTests {
  private static let texts = ["", "a", "b", "ab"]

  @Test(
    "a view that does not wait for updates while the user types has the engine's values once all updates have arrived",
    arguments: seeds)
  func level(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let harness = try Harness()
    var view = FieldState()
    var (sent, taken, requests) = (0, 0, 0)
    func send(_ lines: [String], asBatch: Bool = false) throws {
      for line in lines {
        view.recordViewMessage(try JSONValue(parsing: line))
        sent += 1
      }
      harness.view(asBatch ? "[" + lines.joined(separator: ",") + "]" : lines.joined(separator: "\n"))
    }
    func read() throws {
      for message in try harness.takeOutput().map({ try JSONValue(parsing: $0) }) {
        for reply in message.array ?? [message] {
          view.recordEngineMessage(reply)
          let events = (reply["error"]?["data"] ?? reply["params"])?["events"]?.integer
          taken = max(taken, events ?? 0)
        }
      }
    }
    let open = Calls.open(screen: "login")
    view.recordViewMessage(try JSONValue(parsing: open))
    harness.view(open)
    try read()
    for round in 0..<Workload.amount(20_000) {
      let lines = (0..<Int.random(in: 1...4, using: &random)).map { _ in
        let (item, text) = (random.pick(["email", "password"]), random.pick(Self.texts))
        requests += 1
        let (id, revision) = (random.chance(2) ? #""id":\#(requests),"# : "", random.chance(3) ? 1 << 40 : 1)
        return #"{"jsonrpc":"2.0",\#(id)"method":"session/edit","params":"#
          + #"{"session":"s","item":"\#(item)","value":"\#(text)","revision":\#(revision)}}"#
      }
      try send(lines, asBatch: random.chance(2))
      try read()
      try #require(taken == sent, "round \(round)")
      guard random.chance(8), let password = view.values(of: "s")?.items["password"]?.string, !password.isEmpty else {
        continue
      }
      // The engine submits the values that it has, which are the view's.
      try send([Calls.edit("email", "ada@example.com"), Calls.press("submit")])
      let asked = try #require(harness.takeSent().last, "round \(round)")
      #expect(try JSONValue(parsing: asked)["params"]?["values"]?["password"]?.string == password, "round \(round)")
      try send([Calls.press("cancel")])
      _ = harness.takeSent()
      try read()
      let level = #"{"jsonrpc":"2.0","id":0,"method":"session/snapshot","params":{"session":"s"}}"#
      harness.view(level)
      let result = try #require(harness.takeOutput().first.map { try JSONValue(parsing: $0) })["result"]
      try #require(result?["events"]?.integer == sent, "round \(round)")
    }
  }
}
