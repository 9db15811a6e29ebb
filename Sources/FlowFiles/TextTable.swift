import JSONCodec

/// The texts of one locale as they stand in a definition. Only what is asked for is read.
struct TextTable: Sendable {
  private let file: DefinitionFile
  private let table: JSONDocument.Node
  /// Where keys stand in the document, each at the slot that its bytes hash to or at the next free one; 0 in a free slot, as no key stands there. Their number
  /// is a power of two, and at least twice that of the keys.
  private let slots: [Int]

  /// The texts of a definition that was checked.
  init(_ definition: Definition) {
    file = definition.file
    table = definition.node
    var size = 4
    while size < 2 * file.document.count(table) { size *= 2 }
    var slots = [Int](repeating: 0, count: size)
    var next = file.document.firstChild(table)
    while let key = next, let text = file.document.sibling(after: key, in: table) {
      // A key with escapes is one that could be written without: names have ASCII letters only.
      var slot =
        file.document.hasEscapes(key)
        ? TextTable.hash(file.document.string(key).utf8) : TextTable.hash(file.document.text(key))
      while slots[slot & (slots.count - 1)] != 0 { slot &+= 1 }
      slots[slot & (slots.count - 1)] = key.position
      next = file.document.sibling(after: text, in: table)
    }
    self.slots = slots
  }

  /// The text for a key, if there is one.
  subscript(key: String) -> String? {
    node(of: key).flatMap { file.document.sibling(after: $0, in: table) }.map { file.document.string($0) }
  }

  func contains(_ key: String) -> Bool { node(of: key) != nil }

  /// All texts.
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
      var slot = TextTable.hash(bytes)
      while case let position = slots[slot & (slots.count - 1)], position != 0 {
        let node = JSONDocument.Node(position: position)
        if file.document.equals(node, UnsafeRawBufferPointer(bytes)) { return node }
        slot &+= 1
      }
      return nil
    }
  }

  /// FNV-1a. Who writes a definition gains nothing from keys that collide.
  private static func hash(_ bytes: some Sequence<UInt8>) -> Int {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return Int(truncatingIfNeeded: hash ^ hash >> 32)
  }
}
