import EngineCore
import Testing

@Suite("Sessions in the shared initial state")
struct BlankSessionTests {
  /// Lines that open a session in many ways. Sessions that are opened in different ways must not
  /// share an initial state.
  private static func openings(of session: String) -> [String] {
    [
      "", #","flow":"dynamic""#, #","screen":"setup""#, #","locale":"de""#, #","detail":"commands""#,
      #","screen":"setup","locale":"de","detail":"commands""#, #","values":{"email":"ada@example.com"}"#,
      #","transitions":"acknowledged""#, #","context":{"a":1}"#,
    ].map { #"{"jsonrpc":"2.0","id":1,"method":"session/open","params":{"session":"\#(session)"\#($0)}}"# }
  }

  @Test("the first update of a session has the same bytes as in a new engine, whatever sessions were opened before")
  func sameBytes() throws {
    let harness = try Harness()
    var said: [[String]] = []
    // All ways are used three times, in two orders.
    for round in 0..<3 {
      for line in Self.openings(of: "first") + (round == 1 ? Self.openings(of: "first").reversed() : []) {
        harness.view(line)
        let output = harness.takeOutput()
        harness.view(#"{"jsonrpc":"2.0","method":"session/close","params":{"session":"first"}}"#)
        _ = harness.takeOutput()
        said.append([line] + output)
      }
    }
    for opening in said {
      let fresh = try Harness()
      fresh.view(opening[0])
      #expect(fresh.takeOutput() == Array(opening[1...]), "\(opening[0])")
    }
  }

  @Test("a value that is entered into one session does not appear in the session that is opened next")
  func apart() throws {
    let harness = try Harness()
    harness.view(Calls.open("a"), Calls.open("b"))
    let before = harness.takeOutput()
    harness.view(#"{"jsonrpc":"2.0","method":"session/edit","params":{"session":"a","item":"email","value":"ada@"}}"#)
    _ = harness.takeOutput()
    harness.view(Calls.open("c"))
    let after = harness.takeOutput()
    #expect(after.count == 2)
    #expect(after.map { $0.replacing(#""c""#, with: #""a""#) } == Array(before[..<2]))
  }

  @Test("the first update of a session has the session's own name, with escapes")
  func names() throws {
    let harness = try Harness()
    harness.view(Calls.open("a"), Calls.open(#"\"é\\"#))
    #expect(harness.takeOutput().contains { $0.contains(#""session":"\"é\\","revision":1,"events":0"#) })
  }
}
