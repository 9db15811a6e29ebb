import EngineCore
import FlowFiles
import Testing

@Suite("An answer that changes nothing on the screen")
struct QuietAnswerTests {
  /// A flow with one screen. An initial request covers its form, and a successful submit leads to
  /// the screen again.
  private static let flow = """
    {
      "flow": "again", "pending": "cancel",
      "screens": [{
        "id": "one", "title": "t", "request": "ask", "sections": [], "begins": [{ "request": "load", "as": "cover" }],
        "actions": { "submit": { "id": "go", "title": "t" }, "cancel": { "id": "stop", "title": "t" } }, "success": { "screen": "one" }
      }],
      "defaultLocale": "en", "strings": { "en": { "t": "Title" } }
    }
    """

  @Test(
    "an answer that changes nothing in the view writes no update, and the action that the view shows can be pressed")
  func leadsToTheSame() throws {
    let harness = try Harness(flows: [try FlowFile.read(Array(Self.flow.utf8), name: "again.json")])
    harness.view(#"{"jsonrpc":"2.0","method":"session/open","params":{"session":"s","flow":"again"}}"#)
    harness.answer(#"{"jsonrpc":"2.0","id":1,"result":{"outcome":"accepted"}}"#)
    harness.view(#"{"jsonrpc":"2.0","method":"session/press","params":{"session":"s","action":"go"}}"#)
    let before = harness.takeOutput()
    #expect(before.last?.contains(#""revision":3,"events":1"#) == true, "\(before)")
    #expect(before.last?.contains(#""state":"requestPending""#) == true)
    // The screen is entered again, and starts its request at once.
    harness.answer(#"{"jsonrpc":"2.0","id":2,"result":{"outcome":"accepted"}}"#)
    #expect(harness.takeOutput() == [])
    #expect(harness.takeSent().contains { $0.contains(#""id":3"#) && $0.contains(#""request":"load""#) })
    harness.view(
      #"{"jsonrpc":"2.0","id":9,"method":"session/press","params":{"session":"s","action":"stop","revision":3}}"#)
    let after = harness.takeOutput()
    #expect(after.contains { $0.contains(#""revision":4,"events":2"#) }, "\(after)")
    #expect(after.last == #"{"jsonrpc":"2.0","id":9,"result":{"revision":4}}"#)
  }
}
