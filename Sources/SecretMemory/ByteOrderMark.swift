/// The byte order mark that some programs write before a text in UTF-8 (U+FEFF; RFC 3629, section 6). It is no part of the text.
public enum ByteOrderMark {
  /// How many bytes it has.
  public static var length: Int { 3 }

  /// How many bytes at the beginning of a stream or file are the mark: three or none. `nil` if so few bytes are there that it may be the beginning of one.
  public static func length(in bytes: UnsafeRawBufferPointer) -> Int? {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let begun = bytes.prefix(length)
    guard mark.starts(with: begun) else { return 0 }
    return begun.count == length ? length : nil
  }
}
