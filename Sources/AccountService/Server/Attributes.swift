package import JSONCodec

/// What a sign-up says besides the names and the password, as it is kept.
package enum Attributes {
  /// How many there can be.
  static let maximum = 32
  /// The longest name, in bytes: letters, digits, `_`, `-`, `.`.
  static let maximumNameBytes = 64
  /// The longest string, in bytes.
  static let maximumValueBytes = 4_096
  /// The most bytes of all together, as JSON.
  static let maximumBytes = 16_384

  /// Why values cannot be kept: the name, or nil for all of them together.
  package struct Problem: Error, Equatable {
    package let name: String?
  }

  /// The JSON object to be kept; nil for none. Each value is a string, a number, a boolean or null.
  package static func text(_ members: [JSONValue.Member]) throws(Problem) -> String? {
    guard !members.isEmpty else { return nil }
    guard members.count <= maximum else { throw Problem(name: nil) }
    for member in members {
      guard isName(member.key), isKept(member.value) else { throw Problem(name: member.key) }
    }
    let text = JSONValue.object(members).text
    guard text.utf8.count <= maximumBytes else { throw Problem(name: nil) }
    return text
  }

  /// What is stored, in this form. Nil if it is another: whatever is in a file, it ends up in a line of JSON.
  package static func text(stored: String) -> String? {
    guard stored.utf8.count <= maximumBytes, let value = try? JSONValue(parsing: stored), let members = value.members
    else {
      return nil
    }
    return try? text(members)
  }

  private static func isName(_ name: String) -> Bool {
    (1...maximumNameBytes).contains(name.utf8.count)
      && name.utf8.allSatisfy {
        switch $0 {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2D, 0x2E: true
        default: false
        }
      }
  }

  private static func isKept(_ value: JSONValue) -> Bool {
    switch value {
    case .null, .bool: true
    case .number(let text), .string(let text): text.utf8.count <= maximumValueBytes
    case .array, .object: false
    }
  }
}
