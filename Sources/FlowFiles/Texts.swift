internal import LoginForms

/// The texts of a definition before anything is filled in.
struct Texts {
  let tables: [String: [String: String]]
  let defaultLocale: String

  /// Checks the members `strings` and `defaultLocale`.
  init(strings: Definition, defaultLocale: Definition) throws(FlowFileError) {
    var tables: [String: [String: String]] = [:]
    for (locale, table) in try strings.entries() {
      guard isLocale(locale) else {
        throw table.error(found: quoted(locale), expected: "a locale such as \"en\" or \"de-AT\"")
      }
      tables[locale] = try Texts.table(table)
    }
    let locale = try defaultLocale.text()
    guard isLocale(locale), tables[locale] != nil else {
      throw defaultLocale.error(expected: "a locale that \"strings\" has")
    }
    self.tables = tables
    self.defaultLocale = locale
  }

  private static func table(_ definition: Definition) throws(FlowFileError) -> [String: String] {
    let entries = try definition.entries()
    var table = [String: String](minimumCapacity: entries.count)
    for (key, text) in entries {
      guard isName(key) else {
        throw text.error(
          found: "the key \(quoted(key))",
          expected: "a key of 1 to \(Definition.longestName) letters, digits, _, - or .")
      }
      table[key] = try text.text()
    }
    return table
  }

  /// Whether the default locale has a text for `key`.
  func contains(_ key: String) -> Bool { tables[defaultLocale]?[key] != nil }

  /// All tables with what they lack: the default locale's own text, else the common one of the same locale, else the common
  /// one of the common default locale.
  func filled(with common: Texts?) -> [String: StringTable] {
    tables.reduce(into: [:]) { result, entry in
      var table = entry.value
      if entry.key != defaultLocale { fill(&table, from: self, defaultLocale) }
      if let common {
        fill(&table, from: common, entry.key)
        if entry.key != common.defaultLocale { fill(&table, from: common, common.defaultLocale) }
      }
      result[entry.key] = StringTable(table)
    }
  }

  private func fill(_ table: inout [String: String], from texts: Texts, _ locale: String) {
    guard let others = texts.tables[locale] else { return }
    table.merge(others) { own, _ in own }
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
    let key = try text()
    guard isName(key), texts.contains(key) else {
      throw error(expected: "a key of the strings of \(quoted(texts.defaultLocale))")
    }
    return key
  }
}
