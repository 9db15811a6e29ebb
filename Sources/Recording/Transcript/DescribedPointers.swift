import JSONCodec

/// The parts of an answer to `engine/describe` that differ in a replay, because a replay's clock is
/// always manual and its authenticators are not those of the run.
enum DescribedPointers {
  /// The JSON pointers to the differences, as JSON; `nil` for lines that do not answer
  /// `engine/describe`.
  static func json(for line: UnsafeRawBufferPointer) -> String? {
    guard firstOffset(of: #""features":["#, in: line) != nil, let message = try? JSONValue(parsing: line) else {
      return nil
    }
    func places(_ reply: JSONValue, _ prefix: String) -> [JSONValue] {
      guard reply["result"]?["features"] != nil else { return [] }
      return ["features", "authenticators"].filter { reply["result"]?[$0] != nil }
        .map { .string("\(prefix)/result/\($0)") }
    }
    let pointers = message.array?.enumerated().flatMap { places($1, "/\($0)") } ?? places(message, "")
    return pointers.isEmpty ? nil : JSONValue.array(pointers).text
  }
}
