/// Help for typing a date, which has the format `YYYY-MM-DD` in every language.
enum DateEntry {
  static let form = "YYYY-MM-DD"

  /// The text of a date field after the user has typed more. Digits of any script become ASCII
  /// digits, hyphens are inserted, and other separators become hyphens.
  ///
  /// Text that cannot begin a date stays as typed: the engine validates it.
  static func appending(_ typed: String, to text: String) -> String {
    typed.unicodeScalars.reduce(text) { text, scalar in
      guard isBeginning(text) else { return text + String(scalar) }
      let isSeparating = text.count == 4 || text.count == 7
      if let digit = digit(scalar) { return text + (isSeparating ? "-" : "") + digit }
      if "-./ ".unicodeScalars.contains(scalar) {
        if isSeparating { return text + "-" }
        // A separator after a month of one digit: put a zero before that digit.
        if text.count == 6, let last = text.last { return text.dropLast() + "0\(last)-" }
      }
      return text + String(scalar)
    }
  }

  /// The text of a date field without its last character. A hyphen that was inserted before this
  /// character is removed too.
  static func droppingLast(_ text: String) -> String {
    let rest = String(text.dropLast())
    return isBeginning(text) && rest.last == "-" ? String(rest.dropLast()) : rest
  }

  /// The part of the format `YYYY-MM-DD` that the user has not typed yet; empty if the text does
  /// not begin a date.
  ///
  /// - Parameter placeholder: the item's placeholder. If it is a date format in the user's
  ///   language, it is used instead of `YYYY-MM-DD`.
  static func rest(of text: String, _ placeholder: String?) -> String {
    guard isBeginning(text) else { return "" }
    let form = placeholder.flatMap { $0.count == 10 && $0.split(separator: "-").map(\.count) == [4, 2, 2] ? $0 : nil }
    return String((form ?? Self.form).dropFirst(text.count))
  }

  /// Whether a text is a date or the beginning of one.
  private static func isBeginning(_ text: String) -> Bool {
    text.count <= 10
      && zip(text, form).allSatisfy { $1 == "-" ? $0 == "-" : $0.isASCII && $0.isNumber }
  }

  private static func digit(_ scalar: Unicode.Scalar) -> String? {
    guard scalar.properties.numericType == .decimal else { return nil }
    return scalar.properties.numericValue.map { String(Int($0)) }
  }
}
