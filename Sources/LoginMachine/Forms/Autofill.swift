/// What a password manager or a browser may fill in, as tokens of HTML's `autocomplete` attribute
/// (WHATWG HTML, "autofill detail tokens").
public enum Autofill {
  /// The maximum length of an item's `autocomplete` value, in bytes.
  public static let maximumLength = 128

  /// Whether `text` is a valid value of HTML's `autocomplete` attribute in lower case, with single
  /// spaces.
  ///
  /// The value is `on`, `off`, `webauthn`, or a list of tokens in this order: `section-NAME`;
  /// `shipping` or `billing`; `home`, `work`, `mobile`, `fax` or `pager` (only before a contact
  /// field); the field; `webauthn`. Only the field is required.
  public static func isValid(_ text: String) -> Bool {
    guard text.utf8.count <= maximumLength else { return false }
    if isField(text) || text == "on" || text == "off" || text == "webauthn" { return true }
    var tokens = text.split(separator: " ", omittingEmptySubsequences: false).map { String($0) }[...]
    if let first = tokens.first, isSection(first) { tokens.removeFirst() }
    if let first = tokens.first, first == "shipping" || first == "billing" { tokens.removeFirst() }
    if tokens.count > 1, tokens.last == "webauthn" { tokens.removeLast() }
    if tokens.count == 2, let first = tokens.first, contactKinds.contains(first) {
      tokens.removeFirst()
      return tokens.first.map { contactFields.contains($0) } ?? false
    }
    guard tokens.count == 1, let field = tokens.first else { return false }
    return isField(field)
  }

  private static func isField(_ token: String) -> Bool { fields.contains(token) || contactFields.contains(token) }

  private static func isSection(_ token: String) -> Bool {
    let name = token.utf8.dropFirst("section-".utf8.count)
    return token.hasPrefix("section-") && !name.isEmpty
      && name.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
  }

  // Arrays, because building sets would delay each start of the program.
  private static let contactKinds = ["home", "work", "mobile", "fax", "pager"]
  private static let contactFields = [
    "tel", "tel-country-code", "tel-national", "tel-area-code", "tel-local", "tel-local-prefix", "tel-local-suffix",
    "tel-extension", "email", "impp",
  ]
  private static let fields = [
    "name", "honorific-prefix", "given-name", "additional-name", "family-name", "honorific-suffix", "nickname",
    "username", "new-password", "current-password", "one-time-code", "organization-title", "organization",
    "street-address", "address-line1", "address-line2", "address-line3", "address-level4", "address-level3",
    "address-level2", "address-level1", "country", "country-name", "postal-code", "cc-name", "cc-given-name",
    "cc-additional-name", "cc-family-name", "cc-number", "cc-exp", "cc-exp-month", "cc-exp-year", "cc-csc", "cc-type",
    "transaction-currency", "transaction-amount", "language", "bday", "bday-day", "bday-month", "bday-year", "sex",
    "url", "photo",
  ]
}
