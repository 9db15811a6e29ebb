import JSONCodec
import LoginMachine

/// The bytes of one screen in one language that are the same in all snapshots. They are written
/// once, when the screen is first used.
///
/// To write a snapshot, the engine then copies a few runs of these bytes, with the values in
/// between.
final class ScreenTemplate: @unchecked Sendable {
  /// A run of bytes in the template.
  struct Chunk {
    var start: Int32 = 0
    var count: Int32 = 0

    /// The chunk without its first `bytes` bytes.
    func dropFirst(_ bytes: Int) -> Chunk {
      let bytes = Int32(truncatingIfNeeded: bytes)
      return Chunk(start: start + bytes, count: count - bytes)
    }

    /// The chunk without its last `bytes` bytes.
    func dropLast(_ bytes: Int) -> Chunk { Chunk(start: start, count: count - Int32(truncatingIfNeeded: bytes)) }
  }

  /// The chunks of one item.
  struct ItemChunks {
    /// The text from the start of the item up to its value.
    var start = Chunk()
    /// The item's id with quotes.
    var id = Chunk()
    /// The text from the start of a focus on the item up to its revision.
    var focus = Chunk()
    /// The text from the end of the item's messages up to the value of the next item. If there is
    /// no next item, the text ends with the item. On a screen with visibility conditions, it also
    /// ends with the item if the item is the last one of its section.
    var closing = Chunk()
    /// On a screen with visibility conditions: the number of bytes at the end of `closing` that
    /// belong to the next item.
    var lead: Int32 = 0
    /// The message of each of the item's rules.
    var failures: [Chunk] = []
    var shows = Shows.text
    var showsValidity = true
  }

  /// How an item's value is written.
  enum Shows {
    case text, filled, position, json, nothing
    /// As the picked option of a long list, followed by the id of the option.
    case pick
  }

  let screen: Screen
  /// The bytes of the template. They are not in an array, because each use would retain it. They
  /// are written once, and freed with the template.
  let base: UnsafeRawPointer
  /// The parts that every update needs.
  let form: FlatTemplate
  /// Two chunks for each link: the disabled and the enabled one. Empty for a screen without link
  /// requests, on which the links are always enabled or disabled together.
  let links: [Chunk]
  /// The id of each section with quotes.
  let sectionIDs: [Chunk]
  /// Two chunks for each role of the primary action (submit, cancel, retry, again): the disabled
  /// and the enabled action.
  let primary: [Chunk]
  /// The id of the primary action in each role, with quotes.
  let primaryIDs: [Chunk]
  let linkIDs: [Chunk]
  /// The ids of all actions; `actions` has the actions in the same order.
  private let actionNames: [Chunk]
  private let actions: [SessionMachine.Action]
  /// The options of long lists, keyed by the indices of their items.
  let longLists: [Int: LongList]

  /// Writes the template of a screen. `strings` are the flow's texts in `locale`.
  init(_ screen: Screen, _ strings: StringTable, locale: String) {
    var writer = TemplateWriter(capacity: 8192)
    self.screen = screen
    // All text between two values is one chunk. On a screen with visibility conditions, the chunk
    // does not extend beyond the section, and its part that belongs to the next item can be left
    // out.
    var leads: [TemplateWriter.Piece] = []
    var separators = SectionSeparators(screen, strings)
    var items = writer.map(Array(screen.items.indices)) { writer, index in
      let (chunks, start) = writer.item(screen.items[index], strings)
      let separator = separators.next(before: index)
      let beginsSection = screen.sections.contains { $0.items.lowerBound == index }
      leads.append(screen.isDynamic && beginsSection ? "" : writer.joined(separator + [start]))
      return chunks
    }
    let end = separators.end()
    let joints = writer.joints(leads)
    for index in items.indices {
      let lead = leads.dropFirst(index + 1).first ?? ""
      items[index].closing = writer.chunk("]}", lead)
      if screen.isDynamic { items[index].lead = items[index].closing.count - 2 }
    }
    let direction = TextDirection(ofLocale: locale).rawValue
    let prefix = #","snapshot":{"#
    let heads = writer.map(Phase.Name.allCases) { writer, phase in
      writer.chunk(
        .raw(prefix), #""screen":"#, .string(screen.id), #","state":"#, .string("\(phase.wireName)"), #","title":"#,
        .string(strings.text(screen.title)), #","locale":"#, .string(locale), #","direction":"#,
        .string(direction), #","sections":["#, leads.first ?? "")
    }
    let endChunk = screen.isDynamic ? writer.chunk("]") : writer.chunk(end)
    let parts =
      [screen.primary.submit, screen.primary.cancel, screen.primary.retry] + (screen.primary.again.map { [$0] } ?? [])
    primary = writer.map(parts) { $0.primary($1, strings) }.flatMap { $0 }
    primaryIDs = writer.map(parts) { $0.chunk(.string($1.id)) }
    links = screen.hasRequestLinks ? writer.map(screen.links) { $0.link($1, strings) }.flatMap { $0 } : []
    linkIDs = writer.map(screen.links) { $0.chunk(.string($1.action.id)) }
    longLists = writer.longLists(of: screen, strings)
    let formOnlyEnd = writer.chunk { $0.appendSnapshotEnd(ViewState(), screen, strings) }
    let feet = writer.feet(after: screen.isDynamic ? ["]"] : end, parts, screen.links, then: formOnlyEnd, strings)
    let sections = writer.map(screen.sections) { $0.chunk(SectionSeparators.beginning(of: $1, strings)) }
    sectionIDs = writer.map(screen.sections) { $0.chunk(.string($1.id)) }
    let itemNames = writer.map(screen.items) { $0.chunk(.raw($1.id)) }
    let focusable = [screen.alert?.dismiss.id ?? ""] + parts.map(\.id)
    let focuses = writer.map(focusable) { $0.chunk(TemplateWriter.focus(on: $1)) }
    let named = screen.namedActions
    actionNames = writer.map(named) { $0.chunk(.raw($1.id)) }
    actions = named.map(\.action)
    base = writer.bytes.withBytes { bytes in
      let copy = UnsafeMutableRawPointer.allocate(byteCount: bytes.count, alignment: 1)
      if let source = bytes.baseAddress { copy.copyMemory(from: source, byteCount: bytes.count) }
      return UnsafeRawPointer(copy)
    }
    let source = FlatTemplate.Source(
      base: base, items: items, tails: joints, openings: writer.openings,
      itemNames: itemNames, heads: heads, headPrefix: prefix.utf8.count, feet: feet, formOnlyEnd: formOnlyEnd,
      end: endChunk, sections: sections, focuses: focuses,
      longestPicks: longLists.values.reduce(0) { $0 + $1.longest })
    form = FlatTemplate(source, of: screen, hasLongLists: !longLists.isEmpty)
  }

  deinit {
    form.release()
    base.deallocate()
  }

  /// The index of the item whose id is the string at `node`.
  func item(_ document: borrowing JSONDocument, _ node: JSONDocument.Node) -> Int? {
    form.item(document, node)
  }

  /// The action whose id is the string at `node`, enabled or not.
  func action(_ document: borrowing JSONDocument, _ node: JSONDocument.Node) -> SessionMachine.Action? {
    actionNames.firstIndex {
      document.equals(node, UnsafeRawBufferPointer(start: base + Int($0.start), count: Int($0.count)))
    }.map { actions[$0] }
  }

  /// The number of looks of an item: combinations of its editability and its validity.
  static var looks: Int { 6 }

  /// Where the looks of one item are in a list of the looks of all items. A look is a combination
  /// of editability and validity.
  static func looks(of item: Int) -> Range<Int> { item * looks..<(item + 1) * looks }

  /// The index of an item's look, which is a combination of its editability and its validity.
  @inline(__always) static func look(_ validity: ViewState.Validity, isEditable: Bool) -> Int {
    (isEditable ? 3 : 0) &+ Int(validity.rawValue)
  }

  /// The index in `FlatTemplate.Source.feet` of the text that follows a screen's items.
  @inline(__always) static func footIndex(
    _ part: SessionMachine.PrimaryRole, isEnabled: Bool, linksAreEnabled: Bool
  ) -> Int {
    Int(part.rawValue) * 4 + (isEnabled ? 2 : 0) + (linksAreEnabled ? 1 : 0)
  }
}

extension SessionMachine.Action {
  /// The index of the action's role among the roles of the primary action, as in
  /// `ScreenTemplate.primaryIDs`.
  @inline(__always) var roleIndex: Int {
    switch self {
    case .submit, .link, .dismiss: 0
    case .cancel: 1
    case .retry: 2
    case .again: 3
    }
  }
}
