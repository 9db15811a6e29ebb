import CAccountLibraries
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

  private static func foldOnce(_ text: String) -> String? { map(text, UTF8PROC_CASEFOLD) }

  /// NFC. Nil if the text has unassigned code points, or if memory is short.
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

/// The comparable form of a name. Two spellings are one name if their keys are the same.
///
/// A key is made from what was typed and in no other way, so that whoever looks for an account reads a name as the one did who made it.
package struct NameKey: Hashable, Sendable {
  package let text: String

  /// For `EmailAddress` and `UserName`, and for what the database has.
  init(text: String) { self.text = text }

  /// What a person types where an email address or a user name may stand. What can be neither has a key that no account has.
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
