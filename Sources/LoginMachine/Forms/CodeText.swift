/// What an item of the kind `code` may say to another device or program: the URI of a one-time code's key, the code of a device.
public enum CodeText {
  /// The most bytes of UTF-8. The largest QR code (ISO/IEC 18004) has 2,331 bytes with the error correction that is usual for screens.
  public static let maximumBytes = 2048

  /// Whether `text`, which has to be UTF-8, is neither empty nor too long and has no control characters (U+0000 to U+001F, U+007F to U+009F): what a person
  /// reads off has to be all that there is.
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
