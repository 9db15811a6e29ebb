/// What names are made of that mean something to programs: of flows, screens, items, actions, requests, messages and authenticators.
///
/// The characters are letters and digits of ASCII, `_`, `-` and `.`, which mean nothing else in a path, an option or a log.
public enum ASCIIName {
  /// The most bytes of a name.
  @inlinable public static var maximumLength: Int { 64 }

  /// Whether a byte may stand in a name.
  @inlinable public static func isPart(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."): true
    default: false
    }
  }

  /// Whether a text is a name.
  @inlinable public static func isName(_ text: some Collection<UInt8>) -> Bool {
    // Names are read by the hundred when a flow is, and so at the start of each engine: no closure, one pass.
    var length = 0
    for byte in text {
      guard isPart(byte), length < maximumLength else { return false }
      length &+= 1
    }
    return length > 0
  }
}
