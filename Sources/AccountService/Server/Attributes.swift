package import JSONCodec

/// The attributes of a sign-up: its values besides the names and the password, in their stored
/// form.
package enum Attributes {
  /// The maximum number of attributes.
  static let maximum = 32
  /// The maximum length of a name in bytes. A name has letters, digits, `_`, `-` and `.`.
  static let maximumNameBytes = 64
  /// The maximum length of a string in bytes.
  static let maximumValueBytes = 4_096
  /// The maximum total length in bytes, as JSON.
  static let maximumBytes = 16_384

  /// Why attributes cannot be stored: the name of one, or nil for all of them together.
  package struct Problem: Error, Equatable {
    package let name: String?
  }

  /// Returns the JSON object to store, or nil for none. Each value is a string, a number, a boolean
  /// or null.
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

  /// Returns stored attributes in canonical form. Nil if they are not well-formed: any text may be
  /// in a file, and the result becomes part of a line of JSON.
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
