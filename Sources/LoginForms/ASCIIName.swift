/// What names are made of that mean something to programs: of flows, screens, items, actions, requests, messages and authenticators.
///
/// The characters are letters and digits of ASCII, `_`, `-` and `.`, which mean nothing else in a path, an option or a log.
public enum ASCIIName {
  /// The most bytes of a name.
  public static var maximumLength: Int { 64 }

  /// Whether a byte may stand in a name.
  public static func isPart(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."): true
    default: false
    }
  }

  /// Whether a text is a name.
  public static func isName(_ text: some Collection<UInt8>) -> Bool {
    (1...maximumLength).contains(text.count) && text.allSatisfy { isPart($0) }
  }
}
