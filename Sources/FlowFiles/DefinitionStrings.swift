import JSONCodec
import LoginMachine

/// The texts of a definition, before missing texts are filled in from other tables.
///
/// All tables are checked when the definition is read, but texts are read on demand. Most programs
/// show few of them, and reading all would delay each start.
struct DefinitionStrings: Sendable {
  let defaultLocale: String
  /// The locales of the tables, the default first.
  let locales: [String]
  /// The tables of texts by locale; `nil` for a challenge, which has none.
  private let strings: Definition?
  private let defaultTable: LocaleTable?

  /// Stands for the texts of a challenge, which has no tables of its own. A title in a challenge is
  /// itself a text unless it is a key of the flow's texts, which are looked up when the title is
  /// shown.
  static let literal = DefinitionStrings()

  private init() {
    (defaultLocale, locales, strings, defaultTable) = ("", [], nil, nil)
  }

  /// Whether these are the texts of a challenge, where a title that is not a key is itself a text.
  var areLiteral: Bool { defaultLocale.isEmpty }

  /// Reads the members `strings` and `defaultLocale` of a definition. The tables are checked unless
  /// they are part of the program.
  init(strings: Definition, defaultLocale: Definition) throws(FlowFileError) {
    let wanted = try defaultLocale.text()
    var defaultTable: LocaleTable?
    var locales = [wanted]
    try strings.forEachEntry { (locale, table) throws(FlowFileError) in
      guard isLocale(locale) else {
        throw table.error(found: quoted(locale), expected: "a locale such as \"en\" or \"de-AT\"")
      }
      if !table.file.isPartOfProgram { try table.checkStringTable() }
      if locale == wanted { defaultTable = LocaleTable(table) } else { locales.append(locale) }
    }
    guard let defaultTable else { throw defaultLocale.error(expected: "a locale that \"strings\" has") }
    self.defaultLocale = wanted
    self.locales = locales
    self.strings = strings
    self.defaultTable = defaultTable
  }

  /// The keys of titles that every definition may use without defining them, because the common
  /// texts have them.
  static let (cancelTitle, retryTitle, againTitle) = ("action.cancel", "action.retry", "action.again")

  /// Whether the default locale has a text for `key`, in this definition or in the common texts.
  func contains(_ key: String) -> Bool {
    defaultTable?.contains(key) == true
      || key == DefinitionStrings.cancelTitle || key == DefinitionStrings.retryTitle
      || key == DefinitionStrings.againTitle
  }

  /// This definition's text for `key` in the default locale.
  func text(_ key: String) -> String? { defaultTable?[key] }

  /// The table of a locale. Missing texts are taken from the default locale, then from the common
  /// texts in this locale, then from the common texts in their default locale.
  func filled(_ locale: String, with common: DefinitionStrings?) -> StringTable {
    var table = table(locale)
    if locale != defaultLocale { table = table.filled(from: self.table(defaultLocale)) }
    if let common {
      table = table.filled(from: common.table(locale))
      if locale != common.defaultLocale { table = table.filled(from: common.table(common.defaultLocale)) }
    }
    return table
  }

  /// The texts of a locale in this definition; empty if it has no table for the locale.
  private func table(_ locale: String) -> StringTable {
    let table = locale == defaultLocale ? defaultTable : strings?.entry(locale).map { LocaleTable($0) }
    guard let table else { return StringTable([:]) }
    return StringTable(find: { table[$0] }, all: { table.texts })
  }
}

/// Whether `text` has the form of a BCP 47 tag: groups of 1 to 8 letters and digits, separated by
/// `-`.
private func isLocale(_ text: String) -> Bool {
  guard text.utf8.count <= 35 else { return false }
  var group = 0
  for byte in text.utf8 {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: group += 1
    case 0x2D where group > 0: group = 0
    default: return false
    }
    guard group <= 8 else { return false }
  }
  return group > 0
}

extension Definition {
  /// Reads the key of a text. The default locale must have a text under this key.
  func stringKey(_ texts: DefinitionStrings) throws(FlowFileError) -> Screen.StringKey {
    guard kind == .string else { throw error(expected: "a string") }
    if texts.areLiteral { return file.document.string(node) }
    guard let key = name(at: node), texts.contains(key) else {
      throw error(expected: "a key of the strings of \(quoted(texts.defaultLocale))")
    }
    return key
  }

  /// The value of the member `name`; `nil` if there is no such member.
  fileprivate func entry(_ name: String) -> Definition? {
    var next = file.document.firstChild(node)
    while let key = next, let value = file.document.sibling(after: key, in: node) {
      if file.document.string(key) == name { return Definition(file: file, node: value) }
      next = file.document.sibling(after: value, in: node)
    }
    return nil
  }

  /// Checks that this value is an object of texts, from which a `LocaleTable` can be made.
  fileprivate func checkStringTable() throws(FlowFileError) {
    guard kind == .object else { throw error(expected: "an object") }
    var next = file.document.firstChild(node)
    while let key = next, let value = file.document.sibling(after: key, in: node) {
      let text = Definition(file: file, node: value)
      guard isName(at: key) else {
        throw text.error(
          found: "the key \(quoted(file.document.string(key)))",
          expected: "a key of 1 to \(ASCIIName.maximumLength) letters, digits, _, - or .")
      }
      guard text.kind == .string else { throw text.error(expected: "a string") }
      next = file.document.sibling(after: value, in: node)
    }
  }
}
