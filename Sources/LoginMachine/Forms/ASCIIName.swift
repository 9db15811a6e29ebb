/// The syntax of identifiers. It applies to the names of flows, screens, items, actions, requests,
/// messages and authenticators.
///
/// The characters are ASCII letters and digits, `_`, `-` and `.`, which have no special meaning in
/// a path, an option or a log.
public enum ASCIIName {
  /// The maximum length, in bytes.
  @inlinable public static var maximumLength: Int { 64 }

  /// Whether a byte is allowed in a name.
  @inlinable public static func isPart(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."): true
    default: false
    }
  }

  /// Whether a text is a valid name.
  @inlinable public static func isName(_ text: some Collection<UInt8>) -> Bool {
    // Each start of an engine checks hundreds of names, so this is one pass without closures.
    var length = 0
    for byte in text {
      guard isPart(byte), length < maximumLength else { return false }
      length &+= 1
    }
    return length > 0
  }
}
