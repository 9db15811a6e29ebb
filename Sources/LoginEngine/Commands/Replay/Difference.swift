import JSONCodec

/// The first difference between two JSON values.
struct Difference: Equatable {
  /// The location of the difference, as a JSON pointer (RFC 6901).
  var pointer: String
  /// The values at that location; `nil` if there is no value.
  var expected: JSONValue?
  var got: JSONValue?

  /// Finds the first difference between `expected` and `got`, in the order of the expected value.
  /// Members that are only in `got` are compared last. Returns `nil` if the values are equal.
  ///
  /// The order of members does not matter. Numbers are compared by their text. A value at an
  /// ignored pointer only has to exist.
  static func first(
    _ expected: JSONValue, _ got: JSONValue, ignoring: [String], at pointer: String = ""
  ) -> Difference? {
    if ignoring.contains(pointer) { return nil }
    switch (expected, got) {
    case (.object(let members), .object(let others)):
      for member in members {
        let place = pointer + "/" + escape(member.key)
        guard let other = got[member.key] else { return Difference(pointer: place, expected: member.value, got: nil) }
        if let found = first(member.value, other, ignoring: ignoring, at: place) { return found }
      }
      for other in others where expected[other.key] == nil {
        return Difference(pointer: pointer + "/" + escape(other.key), expected: nil, got: other.value)
      }
      return nil
    case (.array(let elements), .array(let others)):
      for (index, element) in elements.enumerated() {
        guard let other = got[index] else {
          return Difference(pointer: "\(pointer)/\(index)", expected: element, got: nil)
        }
        if let found = first(element, other, ignoring: ignoring, at: "\(pointer)/\(index)") { return found }
      }
      guard others.count > elements.count else { return nil }
      return Difference(pointer: "\(pointer)/\(elements.count)", expected: nil, got: others[elements.count])
    default:
      return expected == got ? nil : Difference(pointer: pointer, expected: expected, got: got)
    }
  }

  private static func escape(_ key: String) -> String {
    var text = ""
    for scalar in key.unicodeScalars {
      switch scalar {
      case "~": text += "~0"
      case "/": text += "~1"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// A description of the difference.
  var text: String {
    let place = pointer.isEmpty ? "the whole" : pointer
    return "first difference at \(place): expected \(expected?.text ?? "nothing"), got \(got?.text ?? "nothing")"
  }
}
