import Foundation
import Testing

/// The reference pages of the protocol are complete. `TranscriptExampleTests` runs their examples.
@Suite("The pages in protocol/")
struct DocumentTests {
  static let root = (Behaviour.folder as NSString).deletingLastPathComponent

  static func page(_ name: String) throws -> String {
    try String(contentsOfFile: Behaviour.folder + "/" + name, encoding: .utf8)
  }

  /// The third-level headings of a page.
  static func headings(_ page: String) -> [Substring] {
    page.split(separator: "\n").filter { $0.hasPrefix("### ") }.map { $0.dropFirst(4) }
  }

  /// The numbers of the lines outside of fenced blocks that have 160 characters or more.
  static func longLines(_ page: String) -> [Int] {
    var numbers: [Int] = []
    var isInBlock = false
    for (index, line) in page.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if line.hasPrefix("```") {
        isInBlock.toggle()
      } else if !isInBlock, !line.hasPrefix("|"), line.count >= 160 {
        numbers.append(index + 1)
      }
    }
    return numbers
  }

  @Test(
    "in every document, lines outside of fenced blocks and tables have fewer than 160 characters",
    arguments: Example.documents)
  func lineLength(document: String) throws {
    let page = try String(contentsOfFile: Self.root + "/" + document, encoding: .utf8)
    #expect(Self.longLines(page) == [], "\(document)")
  }

  @Test("the check of line lengths finds a line of 160 characters, unless it is in a fenced block or a table")
  func longLine() {
    let (short, long) = (String(repeating: "x", count: 159), String(repeating: "é", count: 160))
    #expect(Self.longLines("\(short)\n\(long)\n```sh\n\(long)\n```\n| \(long) |\n- \(short)\n") == [2, 7])
  }

  @Test("guides/README.md lists every guide")
  func map() throws {
    let map = try Self.page("guides/README.md")
    let guides = Example.documents.filter { $0.hasPrefix("protocol/guides/") && $0 != "protocol/guides/README.md" }
    #expect(!guides.isEmpty)
    for guide in guides { #expect(map.contains("](\(guide.dropFirst("protocol/guides/".count)))"), "\(guide)") }
  }

  @Test("each example in errors.md shows the error in its heading")
  func errors() throws {
    let examples = Example.all.filter { $0.document == "protocol/errors.md" }
    #expect(examples.count >= 18)
    for example in examples {
      let name = try #require(example.heading.split(separator: "`").last)
      #expect(example.text.contains(#""code":"\#(name)""#), "\(example.heading)")
    }
  }

  @Test("errors.md lists the RPC errors of the engine, with their numbers")
  func rpcErrors() throws {
    let source = try String(contentsOfFile: Self.root + "/Sources/LoginProtocol/RPCError.swift", encoding: .utf8)
    var declared = Set(source.matches(of: #/(?:RPCError|unknown)\(\s*(-?\d+), "(\w+)"/#).map { "\($0.1) `\($0.2)`" })
    #expect(declared.count >= 14)
    declared.insert("-32603 `internalError`")
    let listed = try Self.headings(Self.page("errors.md")).filter { !$0.hasPrefix("`") }.map(String.init)
    #expect(Set(listed) == declared)
    #expect(listed.count == declared.count)
  }

  @Test("errors.md lists the network codes of messages.json")
  func networkCodes() throws {
    let list = try #require(
      JSONSerialization.jsonObject(with: Data(Self.page("messages.json").utf8)) as? [String: Any])
    let codes = try #require(list["messages"] as? [[String: Any]]).compactMap { $0["code"] as? String }
    let listed = try Self.headings(Self.page("errors.md")).filter { $0.hasPrefix("`") }
    #expect(Set(listed.map { "\($0)" }) == Set(codes.filter { $0.hasPrefix("network.") }.map { "`\($0)`" }))
  }
}
