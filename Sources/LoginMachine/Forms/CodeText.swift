/// The text of a `code` item, meant for another device or program: the URI of a one-time-code key,
/// or a device code.
public enum CodeText {
  /// The maximum length in bytes of UTF-8. The largest QR code (ISO/IEC 18004) holds 2,331 bytes at
  /// the error correction level that is usual for screens.
  public static let maximumBytes = 2048

  /// Whether `text`, which must be UTF-8, is not empty, not too long, and free of control
  /// characters (U+0000 to U+001F, U+007F to U+009F). Control characters are excluded because users
  /// must see the complete text on the screen.
  public static func isCodeText(_ text: some Collection<UInt8>) -> Bool {
    guard !text.isEmpty, text.count <= maximumBytes else { return false }
    var previous: UInt8 = 0
    for byte in text {
      if byte < 0x20 || byte == 0x7F || (previous == 0xC2 && byte < 0xA0) { return false }
      previous = byte
    }
    return true
  }
}
