import CUTF8Proc
import Glibc

/// The form in which all spellings of one name are the same bytes: NFC of the full case folding, independent of locale.
///
/// So `é` is `e` + acute, `ß` is `SS`, and a dotless `ı` stays different from `i`. Nothing is stripped.
/// Sources: Unicode 15, section 3.13 (canonical caseless matching); utf8proc's `utf8proc_map`.
package enum Folding {
  /// Nil if the text has unassigned code points (their folding may still change), or if memory is short.
  package static func fold(_ text: String) -> String? {
    // Folding can make new compositions possible, so a second pass may be needed until nothing changes any more.
    var folded = text
    for _ in 0..<4 {
      guard let next = foldOnce(folded) else { return nil }
      if next.utf8.elementsEqual(folded.utf8) { return next }
      folded = next
    }
    return folded
  }

  private static func foldOnce(_ text: String) -> String? {
    var text = text
    return text.withUTF8 { bytes -> String? in
      guard !bytes.isEmpty else { return "" }
      var result: UnsafeMutablePointer<UInt8>?
      let options = utf8proc_option_t(
        rawValue: UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue | UTF8PROC_CASEFOLD.rawValue
          | UTF8PROC_REJECTNA.rawValue)
      let count = utf8proc_map(bytes.baseAddress, bytes.count, &result, options)
      defer { free(result) }
      guard count >= 0, let result else { return nil }
      return String(decoding: UnsafeBufferPointer(start: result, count: count), as: UTF8.self)
    }
  }

  /// Whether the character is invisible: control, format, surrogate, private, unassigned, line and paragraph
  /// separators, white space other than a plain space, and everything that Unicode calls default-ignorable.
  static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    let code = utf8proc_int32_t(bitPattern: scalar.value)
    switch utf8proc_category(code) {
    case UTF8PROC_CATEGORY_CC, UTF8PROC_CATEGORY_CF, UTF8PROC_CATEGORY_CS, UTF8PROC_CATEGORY_CO, UTF8PROC_CATEGORY_CN,
      UTF8PROC_CATEGORY_ZL, UTF8PROC_CATEGORY_ZP:
      return true
    case UTF8PROC_CATEGORY_ZS:
      return scalar != " "
    default:
      return scalar.properties.isDefaultIgnorableCodePoint
    }
  }
}
