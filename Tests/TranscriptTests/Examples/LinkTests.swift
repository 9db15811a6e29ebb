import Foundation
import Testing

@Suite("The links in the documents")
struct LinkTests {
  @Test("each link in a document leads to an existing file, and to an existing heading", arguments: Example.documents)
  func each(document: String) throws {
    let page = try String(contentsOfFile: Example.root + "/" + document, encoding: .utf8)
    for link in page.matches(of: #/\]\(([^)\s]+)\)/#).map(\.1) where !link.hasPrefix("http") {
      let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      let folder = (document as NSString).deletingLastPathComponent
      let target = parts[0].isEmpty ? document : (folder.isEmpty ? "" : folder + "/") + parts[0]
      let path = Example.root + "/" + target
      #expect(FileManager.default.fileExists(atPath: path), "\(link)")
      guard parts.count == 2, target.hasSuffix(".md") else { continue }
      #expect(try Self.anchors(String(contentsOfFile: path, encoding: .utf8)).contains(String(parts[1])), "\(link)")
    }
  }

  /// The names by which links can refer to the headings of a page.
  private static func anchors(_ page: String) -> Set<String> {
    let headings = page.split(separator: "\n").filter { $0.hasPrefix("#") }
    return Set(
      headings.map { heading in
        let words = heading.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces).lowercased()
        return String(words.filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" })
          .replacing(" ", with: "-")
      })
  }

  @Test("the tests derive a heading's link name as Markdown renderers do")
  func names() {
    #expect(
      Self.anchors("## Asking back\n### `session/refused`\n# A, b\n") == ["asking-back", "sessionrefused", "a-b"])
  }
}
