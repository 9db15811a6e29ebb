import Foundation
import FlowFiles
import JSONCodec
import Testing

/// The standard definition with changes made to it, in order.
func definition(_ edits: Edit...) throws -> [UInt8] { try definition(edits) }

func definition(_ edits: [Edit]) throws -> [UInt8] {
  let text = try #require(BuiltInFlows.text(named: "standard"))
  let value = try edits.reduce(try JSONValue(parsing: text)) { try $0.edited($1) }
  return Array(value.text.utf8)
}

/// The bytes of a file in Tests/Fixtures.
func fixture(_ path: String) throws -> [UInt8] {
  let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  return Array(try Data(contentsOf: tests.appending(path: "Fixtures/\(path)")))
}
