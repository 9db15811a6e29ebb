import EngineCore
import Testing

@Suite("Sessions in the shared initial state")
struct BlankSessionTests {
  /// The lines that open a session in one of many ways, which must not be confused with each other.
  private static func openings(of session: String) -> [String] {
    [
      "", #","flow":"dynamic""#, #","screen":"setup""#, #","locale":"de""#, #","detail":"commands""#,
      #","screen":"setup","locale":"de","detail":"commands""#, #","values":{"email":"ada@example.com"}"#,
      #","transitions":"acknowledged""#, #","context":{"a":1}"#,
    ].map { #"{"jsonrpc":"2.0","id":1,"method":"session/open","params":{"session":"\#(session)"\#($0)}}"# }
  }

  @Test("a session is opened with the same bytes as the first one, whatever was opened before")
  func sameBytes() throws {
    let harness = try Harness()
    var said: [[String]] = []
    // Three times, so that each way follows each other one and itself.
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

  @Test("a value that is entered into one session does not appear in the next")
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

  @Test("names are escaped individually")
  func names() throws {
    let harness = try Harness()
    harness.view(Calls.open("a"), Calls.open(#"\"é\\"#))
    #expect(harness.takeOutput().contains { $0.contains(#""session":"\"é\\","revision":1,"events":0"#) })
  }
}
