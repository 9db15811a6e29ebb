package import JSONCodec

/// The attributes of a sign-up: all its values except the names and the password, in the form in
/// which they are stored.
package enum Attributes {
  /// The maximum number of attributes.
  static let maximum = 32
  /// The maximum length of an attribute's name in bytes. A name consists of letters, digits, `_`,
  /// `-` and `.`.
  static let maximumNameBytes = 64
  /// The maximum length of an attribute's value in bytes.
  static let maximumValueBytes = 4_096
  /// The maximum total length of all attributes of a sign-up in bytes, as JSON.
  static let maximumBytes = 16_384

  /// The reason why attributes cannot be stored. `name` is the attribute that cannot be stored, or
  /// nil if there are too many attributes or all of them together are too long.
  package struct Problem: Error, Equatable {
    package let name: String?
  }

  /// Returns the JSON object to store, or nil if there are no attributes. Each value must be a
  /// string, a number, a boolean or null.
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

  /// Returns stored attributes in canonical form. Returns nil if they are not well-formed, because
  /// other programs may have written any text into the file, and the result becomes part of a line
  /// of JSON.
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
