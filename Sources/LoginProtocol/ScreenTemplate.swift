import JSONCodec
import LoginMachine

/// The bytes of one screen in one language that are the same in every snapshot, written once, at the first use.
///
/// A snapshot is then a handful of copies with the values in between.
final class ScreenTemplate: @unchecked Sendable {
  /// A run of bytes in the template.
  struct Chunk {
    var start: Int32 = 0
    var count: Int32 = 0

    /// The chunk without its first bytes.
    func dropFirst(_ bytes: Int) -> Chunk {
      let bytes = Int32(truncatingIfNeeded: bytes)
      return Chunk(start: start + bytes, count: count - bytes)
    }

    /// The chunk without its last bytes.
    func dropLast(_ bytes: Int) -> Chunk { Chunk(start: start, count: count - Int32(truncatingIfNeeded: bytes)) }
  }

  /// The parts of one item, in the order in which they stand.
  struct ItemChunks {
    /// From the item's beginning to its value.
    var start = Chunk()
    /// The quoted id.
    var id = Chunk()
    /// From the beginning of a focus on the item to its revision.
    var focus = Chunk()
    /// From the end of the item's messages to the value of the next item, or to the end of the last item; where items come and go, of the section.
    var closing = Chunk()
    /// How much of that belongs to the next item, where items come and go.
    var lead: Int32 = 0
    /// The message of each rule.
    var failures: [Chunk] = []
    var shows = Shows.text
    var showsValidity = true
  }

  /// What stands in the place of an item's value.
  enum Shows {
    case text, filled, position, json, nothing
    /// The option of a long list that is picked, and its id.
    case pick
  }

  let screen: Screen
  /// The bytes. Not an array, which would be retained for each use; written once, and given back with the template.
  let base: UnsafeRawPointer
  /// What every update needs of it.
  let form: FlatTemplate
  /// By link and whether it is enabled; empty for screens where all are or none.
  let links: [Chunk]
  /// The quoted id of each section.
  let sectionIDs: [Chunk]
  /// By part (submit, cancel, retry, again) and whether it is enabled.
  let primary: [Chunk]
  /// The quoted id of each part.
  let primaryIDs: [Chunk]
  let linkIDs: [Chunk]
  /// The ids of all that can ever be pressed, and what that is.
  private let actionNames: [Chunk]
  private let actions: [SessionMachine.Action]
  /// By item: what there is to pick in selections whose snapshots do not show all of it.
  let longLists: [Int: LongList]

  /// `strings` are the texts of `locale`.
  init(_ screen: Screen, _ strings: StringTable, locale: String) {
    var writer = TemplateWriter(capacity: 8192)
    self.screen = screen
    // All that stands between two values is one chunk. Where items come and go, that ends with the section, and the next item's part of it can be left out.
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

  /// The index of the item that the string at `node` names.
  func item(_ document: borrowing JSONDocument, _ node: JSONDocument.Node) -> Int? {
    form.item(document, node)
  }

  /// The action that the string at `node` names, whether it can be pressed now or not.
  func action(_ document: borrowing JSONDocument, _ node: JSONDocument.Node) -> SessionMachine.Action? {
    actionNames.firstIndex {
      document.equals(node, UnsafeRawBufferPointer(start: base + Int($0.start), count: Int($0.count)))
    }.map { actions[$0] }
  }

  /// How many looks an item has.
  static var looks: Int { 6 }

  /// Where the looks of an item stand among those of all.
  static func looks(of item: Int) -> Range<Int> { item * looks..<(item + 1) * looks }

  /// Which of an item's looks it is: its editability and validity.
  @inline(__always) static func look(_ validity: ViewState.Validity, isEditable: Bool) -> Int {
    (isEditable ? 3 : 0) &+ Int(validity.rawValue)
  }

  /// Where in `feet` the end of a screen stands.
  @inline(__always) static func footIndex(
    _ part: SessionMachine.PrimaryPart, isEnabled: Bool, linksAreEnabled: Bool
  ) -> Int {
    Int(part.rawValue) * 4 + (isEnabled ? 2 : 0) + (linksAreEnabled ? 1 : 0)
  }
}

/// Where the chunk for a part of the primary action stands in `primary`.
extension SessionMachine.Action {
  @inline(__always) var partIndex: Int {
    switch self {
    case .submit, .link, .dismiss: 0
    case .cancel: 1
    case .retry: 2
    case .again: 3
    }
  }
}
