import CAccountLibraries
import Glibc

/// A canonical form that is equal, byte for byte, for all spellings of a name: NFC of the full case
/// folding, independent of locale.
///
/// So `é` equals `e` + acute, `ß` equals `SS`, and a dotless `ı` stays different from `i`. Nothing
/// is stripped. Sources: Unicode 15, section 3.13 (canonical caseless matching); utf8proc's
/// `utf8proc_map`.
package enum Folding {
  /// Folds a text. Returns nil if it has unassigned code points, whose folding may still change, or
  /// if memory is short.
  package static func fold(_ text: String) -> String? {
    // Folding can make new compositions possible, so it is repeated until nothing changes.
    var folded = text
    for _ in 0..<4 {
      guard let next = foldOnce(folded) else { return nil }
      if next.utf8.elementsEqual(folded.utf8) { return next }
      folded = next
    }
    return folded
  }

  private static func foldOnce(_ text: String) -> String? { map(text, UTF8PROC_CASEFOLD) }

  /// Converts a text to NFC. Returns nil if it has unassigned code points, or if memory is short.
  static func composed(_ text: String) -> String? { map(text, utf8proc_option_t(rawValue: 0)) }

  private static func map(_ text: String, _ option: utf8proc_option_t) -> String? {
    var text = text
    return text.withUTF8 { bytes -> String? in
      guard !bytes.isEmpty else { return "" }
      var result: UnsafeMutablePointer<UInt8>?
      let options = utf8proc_option_t(
        rawValue: UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue | UTF8PROC_REJECTNA.rawValue | option.rawValue)
      let count = utf8proc_map(bytes.baseAddress, bytes.count, &result, options)
      defer { free(result) }
      guard count >= 0, let result else { return nil }
      return String(decoding: UnsafeBufferPointer(start: result, count: count), as: UTF8.self)
    }
  }
}

/// The comparable form of a name: two spellings mean the same name if their keys are equal.
///
/// Registration and lookup make the key from the typed text in the same way, so that both read a
/// name alike.
package struct NameKey: Hashable, Sendable {
  package let text: String

  /// Creates a key from a text that is already folded. Only for `EmailAddress`, `UserName` and keys
  /// that are read from the database.
  init(text: String) { self.text = text }

  /// Creates the key of a typed email address or user name. A text that can be neither gets a key
  /// that no account has.
  package init(identifier typed: String) {
    if let address = try? EmailAddress(typed) {
      self = address.key
      return
    }
    let text = typed.utf8.count <= TypedText.maximumBytes ? TypedText.text(TypedText.scalars(typed)) : typed
    let folded = Folding.fold(text) ?? text
    self.text = folded.utf8.count <= AccountValues.maximumBytes ? folded : text
  }
}
