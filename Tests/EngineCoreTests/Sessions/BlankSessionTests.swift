import EngineCore
import Testing

@Suite("Sessions that begin like others")
struct BlankSessionTests {
  /// The lines that open a session in one of many ways, none of which may be taken for another.
  private static func openings(of session: String) -> [String] {
    [
      "", #","flow":"dynamic""#, #","screen":"setup""#, #","locale":"de""#, #","detail":"commands""#,
      #","screen":"setup","locale":"de","detail":"commands""#, #","values":{"email":"ada@example.com"}"#,
      #","transitions":"acknowledged""#, #","context":{"a":1}"#,
    ].map { #"{"jsonrpc":"2.0","id":1,"method":"session/open","params":{"session":"\#(session)"\#($0)}}"# }
  }

  @Test("whatever was opened before, a session is opened with the bytes that would open the first")
  func sameBytes() throws {
    let harness = try Harness()
    var said: [[String]] = []
    // Three times, so that each way comes after each other and after itself.
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

  @Test("what is entered into one session does not come into the next")
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

  @Test("names are escaped each for itself")
  func names() throws {
    let harness = try Harness()
    harness.view(Calls.open("a"), Calls.open(#"\"é\\"#))
    #expect(harness.takeOutput().contains { $0.contains(#""session":"\"é\\","revision":1,"events":0"#) })
  }
}
