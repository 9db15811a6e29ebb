import Foundation
import JSONCodec
import Testing

/// A parsed transcript, for tests of many transcripts.
struct Conversation: Sendable, CustomTestStringConvertible {
  struct Step: Sendable {
    /// The first member: `in`, `out`, `ask` …
    var kind: String
    var value: JSONValue
  }

  let name: String
  let steps: [Step]

  var testDescription: String { name }

  static let all: [Conversation] = TranscriptTests.files.compactMap { try? Conversation(path: $0) }

  init(path: String) throws {
    name = String(path.dropFirst(TranscriptTests.folder.count + 1))
    steps = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").compactMap { line in
      let step = try JSONValue(parsing: Array(line.utf8))
      return step.members?.first.map { Step(kind: $0.key, value: $0.value) }
    }
  }

  /// The values of all steps of a kind. The entries of a batch are separate values.
  func lines(_ kind: String) -> [JSONValue] {
    steps.filter { $0.kind == kind }.flatMap { $0.value.array ?? [$0.value] }
  }
}

extension JSONValue {
  /// The value and all values that it contains.
  var all: [JSONValue] {
    [self] + (members?.flatMap(\.value.all) ?? []) + (array?.flatMap(\.all) ?? [])
  }

  func at(_ path: String...) -> JSONValue? {
    path.reduce(self as JSONValue?) { $0?[$1] }
  }
}

/// A file of `protocol/`.
func protocolFile(_ name: String) throws -> JSONValue {
  let url = URL(fileURLWithPath: TranscriptTests.folder).deletingLastPathComponent().appendingPathComponent(name)
  return try JSONValue(parsing: Array(try Data(contentsOf: url)))
}
