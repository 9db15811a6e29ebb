import JSONCodec
import LoginForms

/// The texts of a definition before anything is filled in.
///
/// All tables are checked at once, but only the default locale's is kept: most programs never show another, and
/// what is not asked for is not paid for at every start.
struct Texts {
  let defaultLocale: String
  private let defaultTable: [String: String]
  /// The other tables, and where they stand in `bytes`. There are few, and a dictionary of its own kind costs each start more.
  private let others: [Other]
  private let bytes: [UInt8]

  /// What stands for the texts where a title that is no key is a text itself, and all are looked up when they are shown.
  static let asTheyStand = Texts()

  private init() {
    defaultLocale = ""
    defaultTable = [:]
    others = []
    bytes = []
  }

  /// Whether a title that is no key is a text itself.
  var areAsTheyStand: Bool { defaultLocale.isEmpty }

  private struct Other {
    var locale: String
    var place: Range<Int>
  }

  /// Checks the members `strings` and `defaultLocale` of the definition in `bytes`.
  init(strings: Definition, defaultLocale: Definition, in bytes: [UInt8]) throws(FlowFileError) {
    let wanted = try defaultLocale.text()
    var defaultTable: [String: String]?
    var others: [Other] = []
    for (locale, table) in try strings.entries() {
      guard isLocale(locale) else {
        throw table.error(found: quoted(locale), expected: "a locale such as \"en\" or \"de-AT\"")
      }
      if locale == wanted {
        defaultTable = try table.stringTable()
      } else {
        try table.checkStringTable()
        others.append(Other(locale: locale, place: table.file.range(of: table.node)))
      }
    }
    guard let defaultTable else { throw defaultLocale.error(expected: "a locale that \"strings\" has") }
    self.defaultLocale = wanted
    self.defaultTable = defaultTable
    self.others = others
    self.bytes = bytes
  }

  /// The locales that there are tables for.
  var locales: [String] { [defaultLocale] + others.map(\.locale) }

  /// The keys of titles that every definition may use, because the common texts have them.
  static let (cancelTitle, retryTitle, againTitle) = ("action.cancel", "action.retry", "action.again")

  /// Whether the default locale has a text for `key`, its own or a common one.
  func contains(_ key: String) -> Bool {
    defaultTable[key] != nil || key == Texts.cancelTitle || key == Texts.retryTitle || key == Texts.againTitle
  }

  /// The default locale's text for `key`.
  func text(_ key: String) -> String? { defaultTable[key] }

  /// The texts of a locale; none if it has no table.
  private func table(_ locale: String) -> [String: String] {
    if locale == defaultLocale { return defaultTable }
    guard let place = others.first(where: { $0.locale == locale })?.place,
      let file = try? DefinitionFile(Array(bytes[place]), name: locale)
    else { return [:] }
    return (try? file.root.stringTable()) ?? [:]
  }

  /// A locale's table with what it lacks: the default locale's own text, else the common one of the same locale, else the common
  /// one of the common default locale.
  func filled(_ locale: String, with common: Texts?) -> StringTable {
    var table = table(locale)
    if locale != defaultLocale { fill(&table, from: self, defaultLocale) }
    if let common {
      fill(&table, from: common, locale)
      if locale != common.defaultLocale { fill(&table, from: common, common.defaultLocale) }
    }
    return StringTable(table)
  }

  private func fill(_ table: inout [String: String], from texts: Texts, _ locale: String) {
    table.merge(texts.table(locale)) { own, _ in own }
  }
}

/// Whether `text` has the shape of a BCP 47 tag: letters and digits in groups of 1 to 8, with `-` between them.
private func isLocale(_ text: String) -> Bool {
  guard text.utf8.count <= 35 else { return false }
  return text.utf8.split(separator: 0x2D, omittingEmptySubsequences: false).allSatisfy { group in
    (1...8).contains(group.count)
      && group.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
      }
  }
}

extension Definition {
  /// The key of a text that the default locale has.
  func stringKey(_ texts: Texts) throws(FlowFileError) -> Screen.StringKey {
    guard kind == .string else { throw error(expected: "a string") }
    if texts.areAsTheyStand { return file.document.string(node) }
    guard let key = name(at: node), texts.contains(key) else {
      throw error(expected: "a key of the strings of \(quoted(texts.defaultLocale))")
    }
    return key
  }

  /// The texts of one locale.
  fileprivate func stringTable() throws(FlowFileError) -> [String: String] {
    try checkStringTable()
    var table = [String: String](minimumCapacity: file.document.count(node))
    var next = file.document.firstChild(node)
    while let key = next, let text = file.document.sibling(after: key, in: node) {
      table[file.document.string(key)] = file.document.string(text)
      next = file.document.sibling(after: text, in: node)
    }
    return table
  }

  /// Checks what `stringTable` would read.
  fileprivate func checkStringTable() throws(FlowFileError) {
    guard kind == .object else { throw error(expected: "an object") }
    var next = file.document.firstChild(node)
    while let key = next, let value = file.document.sibling(after: key, in: node) {
      let text = Definition(file: file, node: value)
      guard name(at: key) != nil else {
        throw text.error(
          found: "the key \(quoted(file.document.string(key)))",
          expected: "a key of 1 to \(ASCIIName.maximumLength) letters, digits, _, - or .")
      }
      guard text.kind == .string else { throw text.error(expected: "a string") }
      next = file.document.sibling(after: value, in: node)
    }
  }
}
