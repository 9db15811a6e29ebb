import JSONCodec
import Testing

@testable import EngineCore

@Suite("Refusals of edits")
struct CoreRefusalTests {
  /// An edit that is refused, because it names a revision that there is not.
  private static func refusedEdit(_ item: String, _ value: String, id: Int) -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"session/change","params":"#
      + #"{"session":"s","item":"\#(item)","value":\#(value),"revision":999}}"#
  }

  private func messages(_ harness: Harness) throws -> [JSONValue] {
    try harness.takeOutput().map { try JSONValue(parsing: $0) }
  }

  @Test(
    "a view that has emptied a secret itself is not told so again by the refusal, whether or not the engine had one",
    arguments: [("instant", false), ("instant", true), ("acknowledged", false), ("acknowledged", true)])
  func emptiedByTheView(_ transitions: String, _ isFilled: Bool) throws {
    let harness = try Harness()
    func present(_ revision: Int) {
      harness.view(
        #"{"jsonrpc":"2.0","method":"session/presented","params":{"session":"s","revision":\#(revision)}}"#)
    }
    func refuse(_ value: String) throws -> JSONValue? {
      _ = harness.takeOutput()
      harness.view(Self.refusedEdit("password", value, id: 1))
      return try messages(harness).last?["error"]?["data"]
    }
    harness.view(
      #"{"jsonrpc":"2.0","method":"session/open","params":{"session":"s","transitions":"\#(transitions)"}}"#)
    present(1)
    if isFilled { harness.view(Calls.change("password", "correct horse")) }
    present(2)
    let emptied = try refuse(#""""#)
    #expect(emptied?["commands"]?.text == "[]" && emptied?["events"]?.integer == (isFilled ? 2 : 1))
    present(3)
    #expect(try refuse(#""other""#)?["commands"]?.text == #"[{"command":"setItem","item":"password","filled":false}]"#)
  }

  @Test("an edit or press that a batch has no room for is counted, and the edit undone")
  func noRoom() throws {
    let harness = try Harness()
    let long = String(repeating: "a", count: 4090)
    harness.view(Calls.open(screen: "login"), Calls.change("email", long), Calls.change("password", "secret1"))
    _ = harness.takeOutput()
    let look = #"{"jsonrpc":"2.0","id":1,"method":"session/snapshot","params":{"session":"s"}}"#
    let edits = [("email", #""b""#), ("password", #""other""#), ("nothing", #""x""#)].enumerated().map { index, edit in
      #"{"jsonrpc":"2.0","id":\#(index + 2),"method":"session/change","params":"#
        + #"{"session":"s","item":"\#(edit.0)","value":\#(edit.1)}}"#
    }
    let press = Calls.perform("submit", id: 5)
    let submit = #"{"jsonrpc":"2.0","id":6,"method":"session/submit","params":{"session":"s"}}"#
    let nowhere = Calls.perform("submit", session: "gone", id: 7)
    let count = Batch.maximumReplyBytes / 4600
    let calls = Array(repeating: look, count: count) + edits + [press, submit, nowhere]
    harness.view("[" + calls.joined(separator: ",") + "]")
    let told = harness.takeOutput()
    // What emptying the password leads to.
    #expect(told.count == 2 && told.first?.contains(#""events":4"#) == true)
    // All but what was looked at: that is megabytes.
    let end = String(decoding: try #require(told.last).utf8.suffix(8000), as: UTF8.self)
    let start = try #require(end.firstRange(of: #"{"jsonrpc":"2.0","id":2,"#))
    let replies = try #require(JSONValue(parsing: "[" + end[start.lowerBound...]).array)
    #expect(replies.map { $0["error"]?["data"]?["code"]?.string } == Array(repeating: "limitExceeded", count: 6))
    #expect(replies.map { $0["error"]?["data"]?["events"]?.integer } == [3, 4, 5, 6, 7, nil])
    #expect(
      replies.map { $0["error"]?["data"]?["commands"]?.text } == [
        #"[{"command":"setItem","item":"email","value":"\#(long)"}]"#,
        #"[{"command":"setItem","item":"password","filled":false}]"#, "[]", "[]", "[]", nil,
      ])
    harness.view(look)
    #expect(try messages(harness).last?["result"]?["events"]?.integer == 7)
  }
}
