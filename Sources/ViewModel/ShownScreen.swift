package import JSONCodec

/// What a view shows: a JSON document, split into the parts that commands change. It is based only
/// on protocol/updates.md and commands.md, not on the engine.
///
/// Simulation, benchmark and tests share this model. Each client has its own.
package struct ShownScreen {
  enum Arrivals { case none, new, translated }

  package struct Section {
    package let id: [UInt8]
    /// The JSON text of the section's title; empty if there is none.
    let title: [UInt8]
    package internal(set) var items: [ShownPart]

    init(_ document: borrowing JSONDocument, _ node: JSONDocument.Node) {
      id = document.member("id", of: node).map { Array(document.text($0)) } ?? []
      title = document.member("title", of: node).map { Array(document.fullText($0)) } ?? []
      items = ShownScreen.parts(document, document.member("items", of: node))
    }
  }

  // The snapshot's members. Those of the type `[UInt8]` are JSON texts.
  package var screen: [UInt8] = []
  package var state: [UInt8] = []
  package var title: [UInt8] = []
  package var locale: [UInt8] = []
  package var direction: [UInt8] = []
  package var sections: [Section] = []
  package var actions: [ShownPart] = []
  package var activity: [UInt8] = []
  package var error: [UInt8] = []
  package var notice: [UInt8] = []
  package var alert: [UInt8] = []
  package var scene: [UInt8] = []
  /// Whether the screen may be shown again in another language.
  package var mayBeTranslated = false
  /// Whether parts have appeared since a revision was last recorded. `translated` means that they
  /// may only be translations of parts that were there before.
  var arrivals = Arrivals.none
  package var retryAt: [UInt8] = []
  package var focus: [UInt8] = []

  package static let null = Array("null".utf8)
  package static let isTrue = Array("true".utf8)
  package static let isFalse = Array("false".utf8)

  package var isEmpty: Bool { screen.isEmpty }
  package var hasAlert: Bool { !isEmpty && alert != ShownScreen.null }
  /// Whether the screen is a challenge. The authenticators of simulations and tests give challenges
  /// ids that begin with `challenge.`.
  package var isChallenge: Bool { screen.withUnsafeBytes { firstOffset(of: "challenge.", in: $0) == 1 } }
  package func isIn(_ state: StaticString) -> Bool {
    self.state.withUnsafeBytes { firstOffset(of: state, in: $0) == 1 }
  }

  package init() {}

  /// Reads a snapshot, given as JSON text. The revisions since which its parts have been shown are
  /// unknown.
  package init(_ snapshot: UnsafeRawBufferPointer, in document: inout JSONDocument) {
    guard (try? document.parse(snapshot)) != nil, let root = document.root else { return }
    func text(_ name: StaticString) -> [UInt8] {
      document.member(name, of: root).map { Array(document.fullText($0)) } ?? []
    }
    (screen, state, title, locale, direction) =
      (text("screen"), text("state"), text("title"), text("locale"), text("direction"))
    (activity, error, notice, alert, scene) =
      (text("activity"), text("error"), text("notice"), text("alert"), text("scene"))
    (retryAt, focus) = (text("retryAt"), text("focus"))
    actions = ShownScreen.parts(document, document.member("actions", of: root))
    sections = ShownScreen.sections(document, document.member("sections", of: root))
  }

  static func sections(_ document: borrowing JSONDocument, _ node: JSONDocument.Node?) -> [Section] {
    elements(document, node) { Section($0, $1) }
  }

  static func parts(_ document: borrowing JSONDocument, _ node: JSONDocument.Node?) -> [ShownPart] {
    elements(document, node) { ShownPart($0, $1) }
  }

  /// The result of `read` for each element of an array; empty if `array` is `nil`.
  private static func elements<Element>(
    _ document: borrowing JSONDocument, _ array: JSONDocument.Node?,
    _ read: (borrowing JSONDocument, JSONDocument.Node) -> Element
  ) -> [Element] {
    guard let array else { return [] }
    var elements: [Element] = []
    var child = document.firstChild(array)
    while let element = child {
      elements.append(read(document, element))
      child = document.sibling(after: element, in: array)
    }
    return elements
  }

  /// The position of an item: the indices of its section and of the item in it; `nil` if there is
  /// no such item.
  package func place(of item: UnsafeRawBufferPointer) -> (section: Int, item: Int)? {
    for section in sections.indices {
      for index in sections[section].items.indices where same(sections[section].items[index].id, item) {
        return (section, index)
      }
    }
    return nil
  }

  package func part(_ item: [UInt8]) -> ShownPart? {
    item.withUnsafeBytes { place(of: $0) }.map { sections[$0.section].items[$0.item] }
  }

  /// Enters a value into an item, as a user does. The value is given as JSON text. Does nothing if
  /// there is no such item.
  package mutating func enter(_ value: [UInt8], into item: [UInt8]) {
    guard let place = item.withUnsafeBytes({ place(of: $0) }) else { return }
    let kind = sections[place.section].items[place.item].kind
    if kind == .secret {
      let isFilled = value != Array(#""""#.utf8)
      sections[place.section].items[place.item].enter(
        "filled", isFilled ? ShownScreen.isTrue : ShownScreen.isFalse)
    } else {
      sections[place.section].items[place.item].enter("value", value)
    }
  }

  /// The first difference from a snapshot; `nil` if there is none.
  package func difference(from document: borrowing JSONDocument, _ snapshot: JSONDocument.Node) -> String? {
    var count = 0
    var child = document.firstChild(snapshot)
    while let key = child, let value = document.sibling(after: key, in: snapshot) {
      count += 1
      let text = document.fullText(value)
      let isSame: Bool
      switch document.text(key).count {
      case 6 where document.equals(key, "screen"): isSame = same(screen, text)
      case 5 where document.equals(key, "state"): isSame = same(state, text)
      case 5 where document.equals(key, "title"): isSame = same(title, text)
      case 5 where document.equals(key, "error"): isSame = same(error, text)
      case 5 where document.equals(key, "alert"): isSame = same(alert, text)
      case 5 where document.equals(key, "scene"): isSame = same(scene, text)
      case 5 where document.equals(key, "focus"): isSame = same(focus, text)
      case 6 where document.equals(key, "locale"): isSame = same(locale, text)
      case 6 where document.equals(key, "notice"): isSame = same(notice, text)
      case 7 where document.equals(key, "retryAt"): isSame = same(retryAt, text)
      case 9 where document.equals(key, "direction"): isSame = same(direction, text)
      case 8 where document.equals(key, "activity"): isSame = same(activity, text)
      case 7 where document.equals(key, "actions"):
        guard let different = ShownScreen.difference(actions, document, value) else { isSame = true; break }
        return "the action \(different)"
      case 8 where document.equals(key, "sections"):
        guard let different = differenceOfSections(document, value) else { isSame = true; break }
        return different
      default: return "a snapshot has another member: \(document.string(key))"
      }
      if !isSame { return "\(document.string(key)) differs in the snapshot: \(string(text))" }
      child = document.sibling(after: value, in: snapshot)
    }
    return count == 14 ? nil : "a snapshot has \(count) members"
  }

  private static func difference(
    _ parts: [ShownPart], _ document: borrowing JSONDocument, _ list: JSONDocument.Node
  ) -> String? {
    var child = document.firstChild(list)
    for part in parts {
      guard let one = child else { return "\(string(part.id)) is not in the snapshot" }
      let text = document.fullText(one)
      if !same(part.text, text) { return "\(string(part.id)) differs: \(string(part.text)), and \(string(text))" }
      child = document.sibling(after: one, in: list)
    }
    return child == nil ? nil : "at the end is only in the snapshot"
  }

  private func differenceOfSections(_ document: borrowing JSONDocument, _ list: JSONDocument.Node) -> String? {
    var child = document.firstChild(list)
    for section in sections {
      guard let one = child else { return "the section \(string(section.id)) is not in the snapshot" }
      var members = 2
      if let title = document.member("title", of: one) {
        members = 3
        if !same(section.title, document.fullText(title)) { return "the title of a section differs" }
      } else if !section.title.isEmpty {
        return "the title of a section is not in the snapshot"
      }
      guard let id = document.member("id", of: one), let items = document.member("items", of: one),
        document.count(one) == members, same(section.id, document.text(id))
      else { return "the section \(string(section.id)) differs in the snapshot" }
      if let different = ShownScreen.difference(section.items, document, items) { return "the item \(different)" }
      child = document.sibling(after: one, in: list)
    }
    return child == nil ? nil : "a section is only in the snapshot"
  }

  /// The first difference from another screen.
  package func difference(from other: ShownScreen) -> String? {
    guard sections.count == other.sections.count else { return "the number of sections differs" }
    for (mine, others) in zip(sections, other.sections) {
      for (one, two) in zip(mine.items, others.items) where one.text != two.text {
        return "\(string(one.text)) is not \(string(two.text))"
      }
      guard mine.id == others.id, mine.items.count == others.items.count else { return "a section has other items" }
    }
    guard actions.elementsEqual(other.actions, by: { $0.text == $1.text }), state == other.state,
      screen == other.screen, error == other.error, notice == other.notice, alert == other.alert,
      focus == other.focus, retryAt == other.retryAt
    else { return "something other than an item's value differs" }
    return nil
  }

  /// Whether a view may need time, such as for a transition, to present the change from `old` to
  /// this screen.
  package func takesTime(after old: ShownScreen) -> Bool {
    old.screen != screen || old.state != state || old.activity != activity || old.error != error
      || old.notice != notice || old.alert != alert || old.scene != scene
  }

  /// Returns what is wrong with a selection that has more options than it shows; `nil` if nothing
  /// is. Such a selection must show only the option that is its value.
  package var longListFault: String? {
    for section in sections {
      for item in section.items where item.isLongList {
        let value = item.value("value")
        let shown = item.value("options") ?? []
        let isRight =
          value.map { $0 == ShownScreen.null ? shown == Array("[]".utf8) : firstID(in: shown) == $0 } ?? false
        if !isRight { return "a long list does not show the option of its value: \(string(item.text))" }
      }
    }
    return nil
  }

  /// The id of a list's only option, as JSON text.
  private func firstID(in options: [UInt8]) -> [UInt8]? {
    var document = JSONDocument()
    return options.withUnsafeBytes { bytes in
      guard (try? document.parse(bytes)) != nil, let root = document.root, document.count(root) == 1,
        let option = document.firstChild(root), let id = document.member("id", of: option)
      else { return nil }
      return Array(document.fullText(id))
    }
  }

  /// Returns what is wrong with the screen while an alert is shown; `nil` if nothing is. The user
  /// must be able to do nothing except dismiss the alert.
  package var alertFault: String? {
    guard hasAlert else { return nil }
    let isEditable = sections.contains { $0.items.contains { $0.contains(#""editable":true"#) } }
    if isEditable { return "an item is editable under an alert" }
    if actions.contains(where: { $0.contains(#""enabled":true"#) }) { return "an action is enabled under an alert" }
    if activity != ShownScreen.isFalse || scene != ShownScreen.null { return "an alert covers something" }
    return nil
  }
}
