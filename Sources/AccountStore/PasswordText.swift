import CUTF8Proc
import SecretMemory

/// The form in which a password is hashed, so that it is the same password on every keyboard: NFKC (UAX #15), for which NIST SP 800-63B asks.
///
/// So `é` is `e` + acute, and a letter of double width, as Japanese keyboards make them, is the plain letter. Case and spaces stay as they are.
enum PasswordText {
  /// The normal form. Nil if that is what was typed, or if it is no text in UTF-8.
  static func normal(_ typed: UnsafeRawBufferPointer) -> SecretBytes? {
    guard typed.contains(where: { $0 >= 0x80 }) else { return nil }
    let text = typed.assumingMemoryBound(to: UInt8.self).baseAddress
    let options = utf8proc_option_t(
      rawValue: UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue | UTF8PROC_COMPAT.rawValue)
    // utf8proc_map would leave copies in memory that nobody wipes.
    let count = utf8proc_decompose(text, typed.count, nil, 0, options)
    guard count > 0 else { return nil }
    var normal: SecretBytes?
    // The form as UTF-8 takes no more room than its scalars, and a NUL behind it.
    withUnsafeTemporaryAllocation(of: utf8proc_int32_t.self, capacity: count + 1) { scalars in
      defer { wipeMemory(UnsafeMutableRawBufferPointer(scalars)) }
      guard utf8proc_decompose(text, typed.count, scalars.baseAddress, count, options) == count else { return }
      let length = utf8proc_reencode(scalars.baseAddress, count, options)
      guard length > 0 else { return }
      let bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(scalars)[..<length])
      if !bytes.elementsEqual(typed) { normal = SecretBytes(copying: bytes) }
    }
    return normal
  }

  /// Lends the scalars without case, accents and the like, in memory that is wiped afterwards. None if it is no text in UTF-8.
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

  /// Lends the normal form, or what was typed if it has none.
  static func withNormal<Result, Failure>(
    _ typed: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let normal = normal(typed) else { return try body(typed) }
    return try normal.withBytes(body)
  }
}
