import JSONCodec
import LoginForms
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
    /// From the end of the item's messages to the value of the next item, or to the end of the last item; only of screens where nothing comes or goes.
    var closing = Chunk()
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
  /// By phase: from `"screen"` to the beginning of the sections, and on to the value of the first item where nothing comes or goes.
  let heads: [Chunk]
  /// By phase: the same from the beginning of an update's snapshot on.
  let snapshotHeads: [Chunk]
  let items: [ItemChunks]
  /// By item and look: from the value to the end of the item if there are no messages.
  let tails: [Chunk]
  /// By item and look: the same up to the value of the next item; empty where items come and go.
  let joints: [Chunk]
  /// By item and look: from the value to the first message.
  let openings: [Chunk]
  /// From the last item to the end of the actions, by part, by whether that is enabled, and by whether links are.
  let feet: [Chunk]
  /// The same on to the focus while only the form is shown, as most of the time.
  let formFeet: [Chunk]
  /// From the last item, or the last section where these come and go, to the beginning of the actions.
  let end: Chunk
  /// By link and whether it is enabled; empty for screens where all are or none.
  let links: [Chunk]
  /// What a snapshot says after its screen while only the form is shown.
  let formOnlyEnd: Chunk
  /// By section: its beginning up to its first item.
  let sections: [Chunk]
  /// The quoted id of each section.
  let sectionIDs: [Chunk]
  /// By part (submit, cancel, retry, again) and whether it is enabled.
  let primary: [Chunk]
  /// The quoted id of each part.
  let primaryIDs: [Chunk]
  let linkIDs: [Chunk]
  /// The id of each item, as it is compared with what comes over the wire, and where it is found without comparing it with all.
  let itemNames: [Chunk]
  let itemPlaces: NamePlaces
  /// The ids of all that can ever be pressed, and what that is.
  private let actionNames: [Chunk]
  private let actions: [SessionMachine.Action]
  /// By item: what there is to pick in selections whose snapshots do not show all of it.
  let longLists: [Int: LongList]
  /// What stands behind the messages of an item where items come and go.
  let itemEnd: Chunk

  /// `strings` are the texts of `locale`.
  init(_ screen: Screen, _ strings: StringTable, locale: String) {
    var writer = TemplateWriter(capacity: 8192)
    self.screen = screen
    // Where nothing comes or goes, all that stands between two values is one chunk.
    var leads: [TemplateWriter.Piece] = []
    var separators = SectionSeparators(screen, strings)
    var items = writer.map(Array(screen.items.indices)) { writer, index in
      let (chunks, start) = writer.item(screen.items[index], strings)
      leads.append(writer.joined(separators.next(before: index) + [start]))
      return chunks
    }
    let end = separators.end()
    if screen.isDynamic { leads = [] }
    joints = writer.joints(leads)
    for index in leads.indices { items[index].closing = writer.chunk("]}", leads[(index + 1)...].first ?? "") }
    self.items = items
    tails = writer.tails
    openings = writer.openings
    let direction = TextDirection(ofLocale: locale).rawValue
    let prefix = #","snapshot":{"#
    snapshotHeads = writer.map(Phase.Name.allCases) { writer, phase in
      writer.chunk(
        .raw(prefix), #""screen":"#, .string(screen.id), #","state":"#, .string("\(phase.wireName)"), #","title":"#,
        .string(strings.text(screen.title)), #","locale":"#, .string(locale), #","direction":"#,
        .string(direction), #","sections":["#, leads.first ?? "")
    }
    heads = snapshotHeads.map { $0.dropFirst(prefix.utf8.count) }
    self.end = screen.isDynamic ? writer.chunk("]") : writer.chunk(end)
    let parts =
      [screen.primary.submit, screen.primary.cancel, screen.primary.retry] + (screen.primary.again.map { [$0] } ?? [])
    primary = writer.map(parts) { $0.primary($1, strings) }.flatMap { $0 }
    primaryIDs = writer.map(parts) { $0.chunk(.string($1.id)) }
    links = screen.hasRequestLinks ? writer.map(screen.links) { $0.link($1, strings) }.flatMap { $0 } : []
    linkIDs = writer.map(screen.links) { $0.chunk(.string($1.action.id)) }
    longLists = writer.longLists(of: screen, strings)
    formOnlyEnd = writer.chunk { $0.appendSnapshotEnd(ViewState(), screen, strings) }
    formFeet = writer.feet(after: screen.isDynamic ? ["]"] : end, parts, screen.links, then: formOnlyEnd, strings)
    let endCount = Int(formOnlyEnd.count)
    feet = formFeet.map { $0.dropLast(endCount) }
    sections = writer.map(screen.sections) { $0.chunk(SectionSeparators.beginning(of: $1, strings)) }
    sectionIDs = writer.map(screen.sections) { $0.chunk(.string($1.id)) }
    itemNames = writer.map(screen.items) { $0.chunk(.raw($1.id)) }
    itemPlaces = NamePlaces(screen.items.map { Array($0.id.utf8) })
    let named = screen.namedActions
    actionNames = writer.map(named) { $0.chunk(.raw($1.id)) }
    actions = named.map(\.action)
    itemEnd = writer.chunk("]}")
    base = writer.bytes.withBytes { bytes in
      let copy = UnsafeMutableRawPointer.allocate(byteCount: bytes.count, alignment: 1)
      if let source = bytes.baseAddress { copy.copyMemory(from: source, byteCount: bytes.count) }
      return UnsafeRawPointer(copy)
    }
  }

  deinit { base.deallocate() }

  /// The index of the item that the string at `node` names.
  func item(_ document: borrowing JSONDocument, _ node: JSONDocument.Node) -> Int? {
    if document.hasEscapes(node) || document.kind(node) != .string { return index(document, node, in: itemNames) }
    let text = document.text(node)
    return itemPlaces.first(text) { sameBytes(name(itemNames[$0]), text) }
  }

  /// The action that the string at `node` names, whether it can be pressed now or not.
  func action(_ document: borrowing JSONDocument, _ node: JSONDocument.Node) -> SessionMachine.Action? {
    index(document, node, in: actionNames).map { actions[$0] }
  }

  @inline(__always) private func index(
    _ document: borrowing JSONDocument, _ node: JSONDocument.Node, in names: [Chunk]
  ) -> Int? {
    for index in names.indices {
      if document.equals(node, name(names[index])) { return index }
    }
    return nil
  }

  @inline(__always) private func name(_ chunk: Chunk) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: base + Int(chunk.start), count: Int(chunk.count))
  }

  /// How many looks an item has.
  static var looks: Int { 6 }

  /// Where in `tails`, `joints` and `openings` an item's look stands: its editability and validity.
  @inline(__always) static func lookIndex(_ item: Int, _ validity: ViewState.Validity, isEditable: Bool) -> Int {
    item * looks + (isEditable ? 3 : 0) + Int(validity.rawValue)
  }

  /// Where in `feet` the end of a screen stands.
  @inline(__always) static func footIndex(
    _ part: SessionMachine.Action, isEnabled: Bool, linksAreEnabled: Bool
  ) -> Int {
    part.partIndex * 4 + (isEnabled ? 2 : 0) + (linksAreEnabled ? 1 : 0)
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
