internal import JSONCodec

/// A value of a definition together with its place, so that whatever is wrong with it can be said precisely.
struct Definition {
  /// The way from the root to a value.
  indirect enum Path {
    case root
    case member(Path, String)
    case element(Path, Int)

    /// The path as a JSON pointer (RFC 6901).
    var pointer: String {
      switch self {
      case .root: ""
      case .member(let parent, let key): parent.pointer + "/" + escaped(key)
      case .element(let parent, let index): parent.pointer + "/" + String(index)
      }
    }

    private func escaped(_ key: String) -> String {
      var result = ""
      for scalar in key.unicodeScalars {
        switch scalar {
        case "~": result += "~0"
        case "/": result += "~1"
        default: result.unicodeScalars.append(scalar)
        }
      }
      return result
    }
  }

  let value: JSONValue
  let path: Path
  let file: String

  /// The error that something else was expected here.
  func error(expected: String) -> FlowFileError {
    error(found: described, expected: expected)
  }

  func error(found: String, expected: String) -> FlowFileError {
    FlowFileError(file: file, place: .pointer(path.pointer), found: found, expected: expected)
  }

  /// The value in a few words.
  var described: String {
    switch value {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number(let text): text.utf8.count <= 40 ? text : "a very long number"
    case .string(let text): quoted(text)
    case .array(let elements): elements.isEmpty ? "an empty array" : "an array"
    case .object(let members): members.isEmpty ? "an empty object" : "an object"
    }
  }
}

// MARK: - Objects and arrays

extension Definition {
  /// Checks that this is an object with no other members than these.
  func allowOnly(_ keys: [String]) throws(FlowFileError) {
    for member in try members() where !keys.contains(where: { sameBytes(member.key, $0) }) {
      throw child(member).error(found: "an unknown member", expected: "one of \(list(keys))")
    }
  }

  /// The member `key`, which must be there.
  func required(_ key: String) throws(FlowFileError) -> Definition {
    guard let child = try optional(key) else {
      throw error(found: "no member \(quoted(key))", expected: "one")
    }
    return child
  }

  /// The member `key` if there is one.
  func optional(_ key: String) throws(FlowFileError) -> Definition? {
    for member in try members() where sameBytes(member.key, key) { return child(member) }
    return nil
  }

  /// The member `key` if there is one that is not `null`.
  func nullable(_ key: String) throws(FlowFileError) -> Definition? {
    guard let child = try optional(key), !child.value.isNull else { return nil }
    return child
  }

  /// The members of an object, each with its key.
  func entries() throws(FlowFileError) -> [(key: String, value: Definition)] {
    try members().map { ($0.key, child($0)) }
  }

  /// The elements of an array, of which there may be so many.
  func elements(_ count: ClosedRange<Int>) throws(FlowFileError) -> [Definition] {
    guard let elements = value.array else { throw error(expected: "an array") }
    guard elements.count >= count.lowerBound else {
      throw error(found: "\(elements.count) elements", expected: "at least \(count.lowerBound)")
    }
    guard elements.count <= count.upperBound else {
      throw error(found: "\(elements.count) elements", expected: "at most \(count.upperBound)")
    }
    return elements.enumerated().map { Definition(value: $1, path: .element(path, $0), file: file) }
  }

  private func members() throws(FlowFileError) -> [JSONValue.Member] {
    guard let members = value.members else { throw error(expected: "an object") }
    return members
  }

  private func child(_ member: JSONValue.Member) -> Definition {
    Definition(value: member.value, path: .member(path, member.key), file: file)
  }
}

/// Whether `text` is the ASCII text `key`. `==` alone also takes the Kelvin sign for a K, but that is longer.
private func sameBytes(_ text: String, _ key: String) -> Bool { text == key && text.utf8.count == key.utf8.count }
