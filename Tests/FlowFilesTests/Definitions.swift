import Foundation
import JSONCodec
import Testing

/// The example definition with changes made to it, in order.
func definition(_ edits: Edit...) throws -> [UInt8] { try definition(edits) }

func definition(_ edits: [Edit]) throws -> [UInt8] {
  let value = try edits.reduce(try JSONValue(parsing: fixture("flows/example.json"))) { try $0.edited($1) }
  return Array(value.text.utf8)
}

/// The bytes of a file in Tests/Fixtures.
func fixture(_ path: String) throws -> [UInt8] {
  let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  return Array(try Data(contentsOf: tests.appending(path: "Fixtures/\(path)")))
}
