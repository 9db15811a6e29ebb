import JSONCodec

/// An item or action that a view shows: its id, and its JSON text.
struct ShownPart {
  /// What an item is.
  enum Kind {
    case input, secret, selection, `switch`, external, other
  }

  let id: [UInt8]
  private(set) var text: [UInt8]
  let kind: Kind
  /// The texts of the ids of its options, with their quotes.
  let options: [[UInt8]]
  /// Whether there are more options than it shows.
  let isLongList: Bool
  /// Of inputs, what is asked for.
  let isEmail: Bool

  init(_ document: borrowing JSONDocument, _ node: JSONDocument.Node) {
    id = document.member("id", of: node).map { Array(document.text($0)) } ?? []
    text = Array(document.fullText(node))
    var options: [[UInt8]] = []
    if let list = document.member("options", of: node) {
      var option = document.firstChild(list)
      while let one = option {
        if let id = document.member("id", of: one) { options.append(Array(document.fullText(id))) }
        option = document.sibling(after: one, in: list)
      }
    }
    self.options = options
    isLongList = document.member("optionCount", of: node) != nil
    if document.member("filled", of: node) != nil {
      kind = .secret
    } else if let name = document.member("kind", of: node) {
      kind =
        document.equals(name, "input")
        ? .input
        : document.equals(name, "selection")
          ? .selection
          : document.equals(name, "switch")
            ? .switch : document.equals(name, "external") ? .external : .other
    } else {
      kind = .other
    }
    isEmail = document.member("inputType", of: node).map { document.equals($0, "email") } ?? false
  }

  func contains(_ text: StaticString) -> Bool { self.text.withUnsafeBytes { firstOffset(of: text, in: $0) != nil } }

  /// The text of a member's value.
  func member(_ key: StaticString, _ scratch: Scratch) -> [UInt8]? {
    text.withUnsafeBytes { bytes in
      guard (try? scratch.part.parse(bytes)) != nil, let root = scratch.part.root else { return nil }
      return scratch.part.member(key, of: root).map { Array(scratch.part.fullText($0)) }
    }
  }

  /// Sets a member that is there, whatever it was.
  mutating func enter(_ key: StaticString, _ value: [UInt8], _ scratch: Scratch) {
    var made: [UInt8] = []
    rewrite(scratch, &made) { document, name in document.equals(name, key) ? (value[...], false) : nil }
    text = made
  }

  /// Sets the members that a command names. Returns what is wrong with it.
  mutating func set(
    _ document: borrowing JSONDocument, _ command: JSONDocument.Node, except: (StaticString, StaticString),
    _ scratch: Scratch
  ) -> String? {
    var named = 0
    var complaint: String?
    var made: [UInt8] = []
    rewrite(scratch, &made) { part, name in
      var child = document.firstChild(command)
      while let key = child, let value = document.sibling(after: key, in: command) {
        if document.equals(key, part.text(name)), !document.equals(key, except.0), !document.equals(key, except.1) {
          named += 1
          return (Array(document.fullText(value))[...], true)
        }
        child = document.sibling(after: value, in: command)
      }
      return nil
    } unchanged: { key in
      complaint = complaint ?? "\(key) of \(string(id)) is named and unchanged"
    }
    text = made
    if named == 0 { complaint = "a command sets nothing of \(string(id))" }
    if named + 2 != document.count(command) { complaint = "a command names what \(string(id)) does not have" }
    return complaint
  }

  private func rewrite(
    _ scratch: Scratch, _ made: inout [UInt8],
    _ replacement: (borrowing JSONDocument, JSONDocument.Node) -> (ArraySlice<UInt8>, Bool)?,
    unchanged: (String) -> Void = { _ in }
  ) {
    made.reserveCapacity(text.count + 64)
    text.withUnsafeBytes { bytes in
      guard (try? scratch.part.parse(bytes)) != nil, let root = scratch.part.root else { return }
      made.append(0x7B)
      var child = scratch.part.firstChild(root)
      while let key = child, let value = scratch.part.sibling(after: key, in: root) {
        if made.count > 1 { made.append(0x2C) }
        made.append(contentsOf: scratch.part.fullText(key))
        made.append(0x3A)
        let former = scratch.part.fullText(value)
        if let (text, isCommand) = replacement(scratch.part, key) {
          if isCommand, text.elementsEqual(former) { unchanged(scratch.part.string(key)) }
          made.append(contentsOf: text)
        } else {
          made.append(contentsOf: former)
        }
        child = scratch.part.sibling(after: value, in: root)
      }
      made.append(0x7D)
    }
  }
}
