package import JSONCodec

/// An item or action that a view shows: its id, and its JSON text.
package struct ShownPart {
  /// The kind of an item.
  package enum Kind {
    case input, secret, selection, `switch`, external, other
  }

  package let id: [UInt8]
  package private(set) var text: [UInt8]
  /// The revision in which the part appeared on the screen; `nil` if it is unknown.
  package private(set) var since: UInt64?
  /// Whether the revision of the update in which the part appeared still has to be recorded.
  private var isNew = true
  /// The members of the part: the ranges of each name, without its quotes, and of each value in
  /// `text`.
  private var members: [(name: Range<Int>, value: Range<Int>)] = []
  package let kind: Kind
  /// The ids of the item's options, as JSON texts.
  package let options: [[UInt8]]
  /// Whether the item has more options than it shows.
  package let isLongList: Bool
  /// Whether the item is an input for email addresses.
  package let isEmail: Bool

  package init(_ document: borrowing JSONDocument, _ node: JSONDocument.Node) {
    id = document.member("id", of: node).map { Array(document.text($0)) } ?? []
    let whole = document.fullText(node)
    text = Array(whole)
    var next = document.kind(node) == .object ? document.firstChild(node) : nil
    while let key = next, let value = document.sibling(after: key, in: node) {
      members.append((range(of: document.text(key), in: whole), range(of: document.fullText(value), in: whole)))
      next = document.sibling(after: value, in: node)
    }
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

  /// Records the revision of the update in which the part appeared; `nil` if the part may have been
  /// on the screen before.
  mutating func note(_ revision: UInt64?) {
    guard isNew else { return }
    isNew = false
    since = revision
  }

  /// The JSON text of the value of the member `key`; `nil` if there is none.
  package func value(_ key: StaticString) -> [UInt8]? {
    let key = UnsafeRawBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount)
    return place(of: key).map { Array(text[members[$0].value]) }
  }

  package func contains(_ text: StaticString) -> Bool {
    self.text.withUnsafeBytes { firstOffset(of: text, in: $0) != nil }
  }

  /// Sets the value of the member `key`, if the part has it.
  package mutating func enter(_ key: StaticString, _ value: [UInt8]) {
    let key = UnsafeRawBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount)
    if let place = place(of: key) { value.withUnsafeBytes { replace(at: place, with: $0) } }
  }

  /// Sets the members that a command names. Skips the two members in `except`, which identify the
  /// command and the part. Returns what is wrong with the command; `nil` if nothing is.
  package mutating func set(
    _ document: borrowing JSONDocument, _ command: JSONDocument.Node, except: (StaticString, StaticString),
    mayRepeat: Bool = false
  ) -> String? {
    var named = 0
    var complaint: String?
    var child = document.firstChild(command)
    while let key = child, let value = document.sibling(after: key, in: command) {
      child = document.sibling(after: value, in: command)
      guard !document.equals(key, except.0), !document.equals(key, except.1),
        let place = place(of: document.text(key))
      else { continue }
      named += 1
      if text.withUnsafeBytes({
        sameBytes(UnsafeRawBufferPointer(rebasing: $0[members[place].value]), document.fullText(value))
      }) {
        let isValue = document.equals(key, "value") || document.equals(key, "filled")
        if mayRepeat, isValue { continue }
        complaint = complaint ?? "\(document.string(key)) of \(string(id)) is named and unchanged"
      } else {
        replace(at: place, with: document.fullText(value))
      }
    }
    if named == 0 { complaint = "a command sets nothing of \(string(id))" }
    if named + 2 != document.count(command) { complaint = "a command names a member that \(string(id)) does not have" }
    return complaint
  }

  /// The index of the member with this name.
  private func place(of name: UnsafeRawBufferPointer) -> Int? {
    text.withUnsafeBytes { bytes in
      members.firstIndex { sameBytes(UnsafeRawBufferPointer(rebasing: bytes[$0.name]), name) }
    }
  }

  private mutating func replace(at place: Int, with value: UnsafeRawBufferPointer) {
    let former = members[place].value
    text.replaceSubrange(former, with: value)
    let added = value.count - former.count
    members[place].value = former.lowerBound..<(former.upperBound + added)
    guard added != 0 else { return }
    for index in members.indices where members[index].name.lowerBound > former.lowerBound {
      members[index].name = shifted(members[index].name, by: added)
      members[index].value = shifted(members[index].value, by: added)
    }
  }

  private func shifted(_ range: Range<Int>, by count: Int) -> Range<Int> {
    (range.lowerBound + count)..<(range.upperBound + count)
  }
}

/// The range of a slice in the bytes that contain it.
private func range(of part: UnsafeRawBufferPointer, in whole: UnsafeRawBufferPointer) -> Range<Int> {
  guard let start = part.baseAddress, let base = whole.baseAddress else { return 0..<0 }
  return (start - base)..<(start - base + part.count)
}
