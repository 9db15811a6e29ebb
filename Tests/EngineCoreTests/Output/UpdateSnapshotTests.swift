import EngineCore
import JSONCodec
import TestSupport
import Testing

@Suite("The snapshot of an update")
struct UpdateSnapshotTests {
  private static let edits: [String: [(item: String, values: [String])]] = [
    "standard": [
      ("email", [#""""#, #""a""#, #""ada@example.com""#, #""ü\"\\""#]),
      ("password", [#""""#, #""x""#, #""long enough to do""#]),
      ("remember", ["true", "false"]),
    ],
    "dynamic": [
      ("userName", [#""""#, #""ada""#]), ("contact", [#""phone""#, #""post""#, #""email""#]),
      ("phone", [#""""#, #""+44""#]),
      ("email", [#""a""#, #""ada@example.com""#]), ("extra", ["true", "false"]),
      ("nickname", [#""Countess""#, #""""#]),
      ("address", [#""12""#]), ("password", [#""x""#, #""long enough to do""#, #""""#]),
    ],
  ]

  @Test(
    "the snapshot in an update equals the result of session/snapshot, whichever item was edited",
    arguments: ["standard", "dynamic"])
  func sameSnapshot(_ flow: String) throws {
    let edits = try #require(Self.edits[flow])
    for seed in seeds {
      var random = SeededRandom(seed: seed)
      let harness = try Harness()
      harness.view(#"{"jsonrpc":"2.0","method":"session/open","params":{"session":"s","flow":"\#(flow)"}}"#)
      var updates = 0
      for _ in 0..<300 {
        let edit = random.pick(edits)
        _ = harness.takeOutput()
        harness.view(
          #"{"jsonrpc":"2.0","method":"session/edit","params":{"session":"s","item":"\#(edit.item)","value":\#(random.pick(edit.values))}}"#
        )
        let line = harness.takeOutput().first { $0.contains(#""method":"session/update""#) }
        harness.view(#"{"jsonrpc":"2.0","id":1,"method":"session/snapshot","params":{"session":"s"}}"#)
        let asked = try JSONValue(parsing: harness.takeOutput().first ?? "")["result"]?["snapshot"]
        // An edit of an item that is not on the screen is refused.
        guard let line else { continue }
        updates += 1
        let written = try JSONValue(parsing: line)["params"]?["snapshot"]
        #expect(written != nil && written?.text == asked?.text, "\(edit)")
      }
      #expect(updates > 100)
    }
  }
}
