/// Help for typing a date, which is written `YYYY-MM-DD` in every language.
enum DateEntry {
  static let form = "YYYY-MM-DD"

  /// What stands in the field once more is typed: digits of any script become those of ASCII, the hyphens come by themselves, and other separators become
  /// hyphens. What cannot be the beginning of a date stays as it was typed: the engine judges it.
  static func appending(_ typed: String, to text: String) -> String {
    typed.unicodeScalars.reduce(text) { text, scalar in
      guard isBeginning(text) else { return text + String(scalar) }
      let isSeparating = text.count == 4 || text.count == 7
      if let digit = digit(scalar) { return text + (isSeparating ? "-" : "") + digit }
      if "-./ ".unicodeScalars.contains(scalar) {
        if isSeparating { return text + "-" }
        // A month of one digit.
        if text.count == 6, let last = text.last { return text.dropLast() + "0\(last)-" }
      }
      return text + String(scalar)
    }
  }

  /// What is left without the last character, and without a hyphen that came by itself.
  static func droppingLast(_ text: String) -> String {
    let rest = String(text.dropLast())
    return isBeginning(text) && rest.last == "-" ? String(rest.dropLast()) : rest
  }

  /// What is still to be typed, as a form to fill in; empty where the text is no beginning of a date.
  ///
  /// - Parameter placeholder: the form in the person's language, if it is one.
  static func rest(of text: String, _ placeholder: String?) -> String {
    guard isBeginning(text) else { return "" }
    let form = placeholder.flatMap { $0.count == 10 && $0.split(separator: "-").map(\.count) == [4, 2, 2] ? $0 : nil }
    return String((form ?? Self.form).dropFirst(text.count))
  }

  /// Whether a text is a date, or could become one when more is added.
  private static func isBeginning(_ text: String) -> Bool {
    text.count <= 10
      && zip(text, form).allSatisfy { $1 == "-" ? $0 == "-" : $0.isASCII && $0.isNumber }
  }

  private static func digit(_ scalar: Unicode.Scalar) -> String? {
    guard scalar.properties.numericType == .decimal else { return nil }
    return scalar.properties.numericValue.map { String(Int($0)) }
  }
}
