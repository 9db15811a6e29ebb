import CAccountLibraries
import SecretMemory

/// The normal form in which a password is hashed, so that it is the same on every keyboard: that of
/// the profile OpaqueString of RFC 8265, section 4.2.
///
/// It is NFC (UAX #15) with U+0020 in place of every other space, so `é` equals `e` + acute. Case,
/// width and invisible characters are kept.
enum PasswordText {
  /// Returns the normal form. Nil if the typed text is already in normal form or is not UTF-8.
  static func normal(_ typed: UnsafeRawBufferPointer) -> SecretBytes? {
    guard typed.contains(where: { $0 >= 0x80 }) else { return nil }
    let text = typed.assumingMemoryBound(to: UInt8.self).baseAddress
    let options = utf8proc_option_t(rawValue: UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue)
    // utf8proc_map would leave copies in memory without wiping them.
    let count = utf8proc_decompose(text, typed.count, nil, 0, options)
    guard count > 0 else { return nil }
    var normal: SecretBytes?
    // As UTF-8, the text takes no more room than its scalars, with a NUL after it.
    withUnsafeTemporaryAllocation(of: utf8proc_int32_t.self, capacity: count + 1) { scalars in
      defer { wipeMemory(UnsafeMutableRawBufferPointer(scalars)) }
      guard utf8proc_decompose(text, typed.count, scalars.baseAddress, count, options) == count else { return }
      for index in 0..<count where utf8proc_category(scalars[index]) == UTF8PROC_CATEGORY_ZS { scalars[index] = 0x20 }
      let length = utf8proc_reencode(scalars.baseAddress, count, options)
      guard length > 0 else { return }
      let bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(scalars)[..<length])
      if !bytes.elementsEqual(typed) { normal = SecretBytes(copying: bytes) }
    }
    return normal
  }

  /// Whether the text has control characters (category Cc) or line separators (U+2028, U+2029),
  /// which new passwords must not have (RFC 8264, section 4.3).
  static func hasControls(_ typed: UnsafeRawBufferPointer) -> Bool {
    typed.indices.contains { index in
      switch typed[index] {
      case 0..<0x20, 0x7F: true
      case 0xC2: index + 1 < typed.count && (0x80..<0xA0).contains(typed[index + 1])
      case 0xE2: index + 2 < typed.count && typed[index + 1] == 0x80 && (0xA8...0xA9).contains(typed[index + 2])
      default: false
      }
    }
  }

  /// Whether the text is UTF-8.
  static func isText(_ typed: UnsafeRawBufferPointer) -> Bool {
    var (decoder, bytes) = (UTF8(), typed.makeIterator())
    while true {
      switch decoder.decode(&bytes) {
      case .scalarValue: continue
      case .emptyInput: return true
      case .error: return false
      }
    }
  }

  /// Lends the scalars without case, accents and so on, in memory that is wiped afterwards. Empty
  /// if the text is not UTF-8.
  static func withFolded<Result>(_ typed: UnsafeRawBufferPointer, _ body: (FoldedText) -> Result) -> Result {
    let text = typed.assumingMemoryBound(to: UInt8.self).baseAddress
    let options = utf8proc_option_t(
      rawValue: UTF8PROC_STABLE.rawValue | UTF8PROC_DECOMPOSE.rawValue | UTF8PROC_COMPAT.rawValue
        | UTF8PROC_CASEFOLD.rawValue | UTF8PROC_STRIPMARK.rawValue)
    let count = max(0, utf8proc_decompose(text, typed.count, nil, 0, options))
    return withUnsafeTemporaryAllocation(of: utf8proc_int32_t.self, capacity: count) { scalars in
      defer { wipeMemory(UnsafeMutableRawBufferPointer(scalars)) }
      let isDone = utf8proc_decompose(text, typed.count, scalars.baseAddress, count, options) == count
      return body(FoldedText(rebasing: scalars[..<(isDone ? count : 0)]))
    }
  }

  /// Lends the normal form of a text. If the text is already in normal form or is not UTF-8, lends
  /// the text itself.
  static func withNormal<Result, Failure>(
    _ typed: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let normal = normal(typed) else { return try body(typed) }
    return try normal.withBytes(body)
  }
}
