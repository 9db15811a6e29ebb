import JSONCodec
import Testing

@testable import EngineCore

@Suite("Refusals of edits")
struct CoreRefusalTests {
  /// An edit that is refused because it names a revision that has not been reached.
  private static func refusedEdit(_ item: String, _ value: String, id: Int) -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"session/edit","params":"#
      + #"{"session":"s","item":"\#(item)","value":\#(value),"revision":999}}"#
  }

  private func messages(_ harness: Harness) throws -> [JSONValue] {
    try harness.takeOutput().map { try JSONValue(parsing: $0) }
  }

  @Test(
    "a refused edit of a secret clears the item in view and engine, whether or not the engine had a value for it",
    arguments: [("instant", false), ("instant", true), ("acknowledged", false), ("acknowledged", true)])
  func emptied(_ transitions: String, _ isFilled: Bool) throws {
    let harness = try Harness()
    func present(_ revision: Int) {
      harness.view(
        #"{"jsonrpc":"2.0","method":"session/presented","params":{"session":"s","revision":\#(revision)}}"#)
    }
    harness.view(
      #"{"jsonrpc":"2.0","method":"session/open","params":{"session":"s","detail":"full","transitions":"\#(transitions)"}}"#
    )
    present(1)
    if isFilled { harness.view(Calls.edit("password", "correct horse")) }
    present(2)
    for (index, value) in [#""""#, #""other""#].enumerated() {
      _ = harness.takeOutput()
      harness.view(Self.refusedEdit("password", value, id: 1))
      let told = try messages(harness)
      let update = try #require(told.dropLast().last?["params"])
      let command = update["commands"]?.array?.first { $0["item"]?.string == "password" }
      #expect(command?["filled"]?.bool == false, "\(told)")
      let events = (isFilled ? 2 : 1) + index
      #expect(update["events"]?.integer == events)
      #expect(told.last?["error"]?["data"]?["events"]?.integer == events)
      present(3)
    }
  }

  @Test("a refused event is answered by an update of the same revision, which undoes an edit")
  func update() throws {
    let harness = try Harness()
    harness.view(Calls.open(screen: "login"), Calls.edit("email", "ada@example.com"))
    _ = harness.takeOutput()
    harness.view(Self.refusedEdit("email", #""b""#, id: 1), Calls.press("nothing"))
    let told = try messages(harness)
    #expect(told.map { $0["method"]?.string } == ["session/update", nil, "session/update", nil])
    let updates = told.compactMap { $0["params"] }
    #expect(updates.map { $0["revision"]?.integer } == [2, 2] && updates.map { $0["events"]?.integer } == [2, 3])
    #expect(updates[0]["commands"]?.text == #"[{"command":"setItem","item":"email","value":"ada@example.com"}]"#)
    #expect(updates[1]["commands"]?.text == "[]")
  }

  @Test(
    "if a batch has too many replies, further events are refused and counted, and edits are also undone")
  func noRoom() throws {
    let harness = try Harness()
    let long = String(repeating: "a", count: 4090)
    harness.view(Calls.open(screen: "login"), Calls.edit("email", long), Calls.edit("password", "secret1"))
    _ = harness.takeOutput()
    let look = #"{"jsonrpc":"2.0","id":1,"method":"session/snapshot","params":{"session":"s"}}"#
    let edits = [("email", #""b""#), ("password", #""other""#), ("nothing", #""x""#)].enumerated().map { index, edit in
      #"{"jsonrpc":"2.0","id":\#(index + 2),"method":"session/edit","params":"#
        + #"{"session":"s","item":"\#(edit.0)","value":\#(edit.1)}}"#
    }
    let press = Calls.press("submit", id: 5)
    let submit = #"{"jsonrpc":"2.0","id":6,"method":"session/submit","params":{"session":"s"}}"#
    let nowhere = Calls.press("submit", session: "gone", id: 7)
    let count = Batch.maximumReplyBytes / 4600
    let calls = Array(repeating: look, count: count) + edits + [press, submit, nowhere]
    harness.view("[" + calls.joined(separator: ",") + "]")
    let told = harness.takeOutput()
    // There is an update for each counted event, and one line with the replies.
    let updates = try told.dropLast().map { try JSONValue(parsing: $0)["params"] }
    #expect(updates.map { $0?["events"]?.integer } == [3, 4, 5, 6, 7])
    #expect(updates[0]?["commands"]?.text == #"[{"command":"setItem","item":"email","value":"\#(long)"}]"#)
    #expect(updates[1]?["commands"]?[0]?["filled"]?.bool == false)
    // Compare only the end of the line, which has megabytes.
    let end = String(decoding: try #require(told.last).utf8.suffix(8000), as: UTF8.self)
    let start = try #require(end.firstRange(of: #"{"jsonrpc":"2.0","id":2,"#))
    let replies = try #require(JSONValue(parsing: "[" + end[start.lowerBound...]).array)
    #expect(replies.map { $0["error"]?["data"]?["code"]?.string } == Array(repeating: "limitExceeded", count: 6))
    #expect(replies.map { $0["error"]?["data"]?["events"]?.integer } == [3, 4, 5, 6, 7, nil])
    harness.view(look)
    #expect(try messages(harness).last?["result"]?["events"]?.integer == 7)
  }

  @Test("an update that counts an edit contains the edited value, even while updates are queued")
  func countsWhatItShows() throws {
    let harness = try Harness()
    func present(_ revision: Int) {
      harness.view(
        #"{"jsonrpc":"2.0","method":"session/presented","params":{"session":"s","revision":\#(revision)}}"#)
    }
    harness.view(
      #"{"jsonrpc":"2.0","method":"session/open","params":{"session":"s","detail":"full","transitions":"acknowledged"}}"#,
      Calls.edit("password", "x"), Calls.edit("email", "ada"))
    // This is the update of the first edit, written before the second edit.
    present(1)
    _ = harness.takeOutput()
    harness.view(
      #"{"jsonrpc":"2.0","method":"session/edit","params":{"session":"s","item":"remember","value":"yes"}}"#)
    let update = try #require(try messages(harness).first?["params"])
    #expect(update["events"]?.integer == 3)
    #expect(update["snapshot"]?["sections"]?[0]?["items"]?[0]?["value"]?.string == "ada")
    let commands = try #require(update["commands"]?.array)
    #expect(!commands.contains { $0["item"]?.string == "email" }, "the view has typed it: \(commands)")
  }

  @Test(
    "a refused edit that clears a secret leads to one update, even if the view acknowledges updates and is up to date")
  func emptiedOnce() throws {
    let harness = try Harness()
    harness.view(
      #"{"jsonrpc":"2.0","method":"session/open","params":{"session":"s","detail":"full","transitions":"acknowledged"}}"#,
      #"{"jsonrpc":"2.0","method":"session/presented","params":{"session":"s","revision":1}}"#,
      Calls.edit("password", "x"),
      #"{"jsonrpc":"2.0","method":"session/presented","params":{"session":"s","revision":2}}"#)
    _ = harness.takeOutput()
    harness.view(#"{"jsonrpc":"2.0","method":"session/edit","params":{"session":"s","item":"password","value":5}}"#)
    let updates = try messages(harness).filter { $0["method"]?.string == "session/update" }.compactMap { $0["params"] }
    #expect(updates.map { $0["events"]?.integer } == [2] && updates.map { $0["revision"]?.integer } == [3])
    #expect(updates.first?["commands"]?.array?.contains { $0["filled"]?.text == "false" } == true)
  }
}
