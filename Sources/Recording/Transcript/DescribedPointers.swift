import JSONCodec

/// What differs in a replay's answers to `engine/describe`: its clock is always one that is moved by hand, and its authenticator is another.
enum DescribedPointers {
  /// The JSON pointers to that, as JSON; `nil` for lines that do not answer `engine/describe`.
  static func json(for line: UnsafeRawBufferPointer) -> String? {
    guard line.holds(#""features":["#), let message = try? JSONValue(parsing: line) else { return nil }
    func places(_ reply: JSONValue, _ prefix: String) -> [JSONValue] {
      guard reply["result"]?["features"] != nil else { return [] }
      return ["features", "authenticators"].filter { reply["result"]?[$0] != nil }
        .map { .string("\(prefix)/result/\($0)") }
    }
    let pointers = message.array?.enumerated().flatMap { places($1, "/\($0)") } ?? places(message, "")
    return pointers.isEmpty ? nil : JSONValue.array(pointers).text
  }
}

extension UnsafeRawBufferPointer {
  /// Whether a text stands somewhere in the bytes.
  func holds(_ text: StaticString) -> Bool {
    let wanted = UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    guard count >= wanted.count, let first = wanted.first else { return wanted.isEmpty }
    return (0...count - wanted.count).contains { start in
      self[start] == first
        && sameBytes(UnsafeRawBufferPointer(rebasing: self[start..<start + wanted.count]), wanted)
    }
  }
}
