/// The byte order mark that some programs write before UTF-8 text (U+FEFF; RFC 3629, section 6). It
/// is not part of the text.
public enum ByteOrderMark {
  /// The length in bytes.
  public static var length: Int { 3 }

  /// The length of the mark at the beginning of a stream or file: 3, or 0 if there is none. `nil`
  /// if there are too few bytes to decide.
  public static func length(in bytes: UnsafeRawBufferPointer) -> Int? {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let begun = bytes.prefix(length)
    guard mark.starts(with: begun) else { return 0 }
    return begun.count == length ? length : nil
  }
}
