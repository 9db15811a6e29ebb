import FlowFiles
import Foundation
import JSONCodec
import LoginForms
import Testing

@Suite("The examples in protocol/flows.md")
struct DocumentTests {
  /// What stands between the marks of JSON code, in order.
  private func examples() throws -> [String] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = try String(contentsOf: root.appending(path: "protocol/flows.md"), encoding: .utf8)
    return text.components(separatedBy: "```json\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
  }

  @Test("the first is a whole definition")
  func whole() throws {
    let example = try #require(try examples().first)
    #expect(try FlowFile.read(Array(example.utf8), name: "example.json").id == "small")
  }

  @Test("the alert and the condition can stand in definitions")
  func parts() throws {
    let examples = try examples()
    try #require(examples.count == 3)
    let texts = ["dismiss", "invalid", "failure"].map { Edit("/strings/en/alert.\($0)", #""Text""#) }
    let alert = try FlowFile.read(definition(texts + [Edit("/screens/0/alert", examples[1])]), name: "alert.json")
    #expect(alert.screens[0].alert?.role == .destructive)

    var dynamic = try JSONValue(parsing: #require(BuiltInFlows.text(named: "dynamic")))
    dynamic = try dynamic.edited(Edit("/screens/0/sections/1/visibleWhen", examples[2]))
    #expect(try FlowFile.read(Array(dynamic.text.utf8), name: "condition.json").screens[0].isDynamic)
  }
}
