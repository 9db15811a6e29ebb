import EngineCore
import TestSupport
import Testing

@Suite("An edit line that begins like the previous one")
struct RecognisedBeginningTests {
  private static let members = [
    #""jsonrpc":"2.0""#, #""method":"session/edit""#, #""params":{"session":"s","item":"email","value":"a"}"#,
    #""id":7"#, #""more":1"#,
  ]

  /// Edit lines with one to four of the members, in every order.
  private static let lines: [String] = {
    var lists: [[String]] = [[]]
    var all: [[String]] = []
    for _ in 0..<4 {
      lists = lists.flatMap { list in members.filter { !list.contains($0) }.map { list + [$0] } }
      all += lists
    }
    return all.map { "{" + $0.joined(separator: ",") + "}" }
  }()

  /// What a core that gets these lines writes in answer to the last one.
  private func said(_ lines: String...) throws -> [String] {
    let harness = try Harness()
    harness.view(#"{"jsonrpc":"2.0","method":"session/open","params":{"session":"s"}}"#)
    for line in lines {
      _ = harness.takeOutput()
      harness.view(line)
    }
    return harness.takeOutput()
  }

  @Test(
    "an invalid line is refused in the same way whatever edit came before it, with its members in any order"
  )
  func orders() throws {
    let openings = Self.lines.filter { line in Self.members[..<3].allSatisfy(line.contains) && !line.contains("id") }
    #expect(openings.count == 6 + 24)
    for line in Self.lines where !Self.members[..<3].allSatisfy(line.contains) {
      let alone = try said(line)
      for opening in Workload.part(of: openings) {
        #expect(try said(opening, line) == alone, "\(line) after \(opening)")
      }
    }
  }
}
