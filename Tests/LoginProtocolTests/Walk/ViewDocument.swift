import JSONCodec

/// What a view keeps of its session: a JSON document, taken apart into what commands change one by one.
///
/// Written from the tables in protocol/updates.md and from nothing in the engine. Each part keeps its text, so that the whole can be
/// written, and compared with a snapshot, after every event even if it is large.
struct ViewDocument {
  /// A part and its text.
  struct Part {
    let id: String
    private(set) var text: [UInt8] = []
    var value: JSONValue { didSet { text = Array(value.text.utf8) } }

    init(_ value: JSONValue) {
      id = value["id"]?.string ?? ""
      self.value = value
      text = Array(value.text.utf8)
    }
  }

  /// A section: what stands before its items, and they.
  struct Section {
    let id: String
    let head: [UInt8]
    var items: [Part]

    init(_ value: JSONValue) {
      id = value["id"]?.string ?? ""
      let members = (value.members ?? []).filter { $0.key != "items" }
      head = Array((JSONValue.object(members).text.dropLast() + #","items":["#).utf8)
      items = (value["items"]?.array ?? []).map { Part($0) }
    }
  }

  /// All members that are neither sections nor actions, in order.
  var members: [JSONValue.Member] = []
  var sections: [Section] = []
  var actions: [Part] = []
  /// What was wrong with the commands so far.
  var complaints: [String] = []

  /// The items on the screen.
  var items: [Part] { sections.flatMap(\.items) }

  /// A member that is neither sections nor actions.
  subscript(_ key: String) -> JSONValue? { members.first { $0.key == key }?.value }

  /// Where an item stands.
  func place(of item: String) -> (section: Int, item: Int)? {
    for section in sections.indices {
      if let index = sections[section].items.firstIndex(where: { $0.id == item }) { return (section, index) }
    }
    return nil
  }

  /// Enters a value as a person does; nothing if there is no such item.
  mutating func enter(_ value: JSONValue, into item: String) {
    guard let place = place(of: item) else { return }
    let isSecret = sections[place.section].items[place.item].value["filled"] != nil
    sections[place.section].items[place.item].value.replace(
      isSecret ? "filled" : "value", with: isSecret ? .bool(value.string != "") : value)
  }

  /// The document as text, its members in the order of a snapshot's.
  var text: [UInt8] {
    var text: [UInt8] = [0x7B]
    for member in members {
      if text.count > 1 { text.append(0x2C) }
      text += Array(#""\#(member.key)":"#.utf8)
      text += Array(member.value.text.utf8)
      guard member.key == "direction" else { continue }
      text += Array(#","sections":["#.utf8)
      for (index, section) in sections.enumerated() {
        if index > 0 { text.append(0x2C) }
        text += section.head
        join(section.items, &text)
        text += [0x5D, 0x7D]
      }
      text += Array(#"],"actions":["#.utf8)
      join(actions, &text)
      text.append(0x5D)
    }
    return text + [0x7D]
  }

  private func join(_ parts: [Part], _ text: inout [UInt8]) {
    for (index, part) in parts.enumerated() {
      if index > 0 { text.append(0x2C) }
      text += part.text
    }
  }
}

extension JSONValue {
  /// Replaces a member that is there.
  mutating func replace(_ key: String, with value: JSONValue) {
    guard case .object(var members) = self, let index = members.firstIndex(where: { $0.key == key }) else { return }
    members[index].value = value
    self = .object(members)
  }
}
