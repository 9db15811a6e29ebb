import JSONCodec

/// The texts of one locale in a definition, read on demand.
struct LocaleTable: Sendable {
  private let file: DefinitionFile
  private let table: JSONDocument.Node
  /// A hash table with open addressing. Each slot has the position of a key in the document, or 0
  /// if it is free; no key has the position 0. The number of slots is a power of two and at least
  /// twice the number of keys.
  private let slots: [Int]

  /// Creates the table of a definition whose texts were checked or are part of the program.
  init(_ definition: Definition) {
    file = definition.file
    table = definition.node
    var size = 4
    while size < 2 * file.document.count(table) { size *= 2 }
    var slots = [Int](repeating: 0, count: size)
    var next = file.document.firstChild(table)
    while let key = next, let text = file.document.sibling(after: key, in: table) {
      // Keys with escapes are decoded before hashing. This is safe, because valid keys are ASCII
      // names.
      var slot =
        file.document.hasEscapes(key)
        ? LocaleTable.hash(file.document.string(key).utf8) : LocaleTable.hash(file.document.text(key))
      while slots[slot & (slots.count - 1)] != 0 { slot &+= 1 }
      slots[slot & (slots.count - 1)] = key.position
      next = file.document.sibling(after: text, in: table)
    }
    self.slots = slots
  }

  /// The text for a key; `nil` if there is none.
  subscript(key: String) -> String? {
    node(of: key).flatMap { file.document.sibling(after: $0, in: table) }.map { file.document.string($0) }
  }

  func contains(_ key: String) -> Bool { node(of: key) != nil }

  /// All texts of the locale by key.
  var texts: [String: String] {
    var texts: [String: String] = [:]
    for position in slots where position != 0 {
      let key = JSONDocument.Node(position: position)
      guard let text = file.document.sibling(after: key, in: table) else { continue }
      texts[file.document.string(key)] = file.document.string(text)
    }
    return texts
  }

  private func node(of key: String) -> JSONDocument.Node? {
    var key = key
    return key.withUTF8 { bytes in
      var slot = LocaleTable.hash(bytes)
      while case let position = slots[slot & (slots.count - 1)], position != 0 {
        let node = JSONDocument.Node(position: position)
        if file.document.equals(node, UnsafeRawBufferPointer(bytes)) { return node }
        slot &+= 1
      }
      return nil
    }
  }

  /// The hash function FNV-1a. It does not resist deliberate collisions, but the author of a
  /// definition would gain nothing by them.
  private static func hash(_ bytes: some Sequence<UInt8>) -> Int {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return Int(truncatingIfNeeded: hash ^ hash >> 32)
  }
}
