import Foundation
import Testing

@Suite("protocol/guides/threat-model.md")
struct ThreatModelTests {
  /// The names after `- KIND: ` in threat-model.md.
  private static func named(_ kind: String) throws -> [String] {
    try DocumentTests.page("guides/threat-model.md").split(separator: "\n").filter { $0.hasPrefix("  - \(kind): ") }
      .map { String($0.dropFirst(kind.count + 6)) }
  }

  /// The names of all tests as they are written: in quotes, or as the name of the function.
  private static func tests() throws -> Set<String> {
    var names: Set<String> = []
    let folder = DocumentTests.root + "/Tests"
    for case let path as String in try #require(FileManager.default.enumerator(atPath: folder))
    where path.hasSuffix(".swift") {
      let source = try String(contentsOfFile: folder + "/" + path, encoding: .utf8)
      for match in source.matches(of: #/@Test\(\s*"([^"\\]+)"/#) { names.insert(String(match.1)) }
      for match in source.matches(of: #/func `([^`]+)`\(/#) { names.insert(String(match.1)) }
    }
    return names
  }

  @Test("every test, transcript and check that the threat model names exists")
  func names() throws {
    let (named, tests) = (try Self.named("test"), try Self.tests())
    #expect(named.count >= 40 && tests.count >= 500)
    #expect(named.filter { !tests.contains($0) } == [])
    let files =
      try Self.named("check") + Self.named("transcript").map { "protocol/transcripts/\($0).jsonl" }
    #expect(files.filter { !FileManager.default.fileExists(atPath: DocumentTests.root + "/" + $0) } == [])
  }

  @Test("each promise of the threat model names something that proves it")
  func promises() throws {
    let page = try DocumentTests.page("guides/threat-model.md")
    let promising = page.split(separator: "\n## ").filter { $0.hasPrefix("Against ") || $0.hasPrefix("Secrets") }
    #expect(promising.count >= 6)
    for section in promising {
      for promise in section.split(separator: "\n- ").dropFirst() {
        #expect(promise.contains(#/\n  - (test|transcript|check): /#), "\(promise)")
      }
    }
  }
}
