import JSONCodec
import LoginMachine

/// The parts of a screen's template that every update needs. They are in one block of memory
/// without references to objects, so that reading them retains nothing.
///
/// Belongs to a `ScreenTemplate` and is valid only while that object exists.
struct FlatTemplate {
  typealias Chunk = ScreenTemplate.Chunk

  /// The parts of the template that belong to one item.
  struct Part {
    let shows: ScreenTemplate.Shows
    let showsValidity: Bool
    /// The item's id with quotes; `name` is the id without quotes, for comparison with ids from the
    /// wire.
    let id: Chunk
    let name: Chunk
    let focus: Chunk
    /// The text from the start of the item up to the item's value.
    let start: Chunk
    /// The text from the end of the item's messages up to the value of the next item. If there is
    /// no next item, the text ends with the item. On a screen with visibility conditions, it also
    /// ends with the item if the item is the last one of its section.
    let closing: Chunk
    /// On a screen with visibility conditions: the number of bytes at the end of `closing`, and at
    /// the end of each tail in `Source.tails`, that belong to the next item.
    let lead: Int32
    /// The index of the item's first chunk, and the number of the item's rules. The item has two
    /// chunks for each look, which is a combination of editability and validity, and then one chunk
    /// for the message of each rule.
    fileprivate let first: Int32
    let failures: Int32
  }

  /// A section: the text before its first item, and the range of its items.
  struct Section {
    let start: Chunk
    let items: (first: Int32, end: Int32)
  }

  /// The chunks from which a `FlatTemplate` is made.
  struct Source {
    let base: UnsafeRawPointer
    let items: [ScreenTemplate.ItemChunks]
    /// `tails` and `openings` have one chunk for each look of each item. A look is a combination of
    /// editability and validity. A chunk in `tails` is the text after the value of an item without
    /// messages; a chunk in `openings` is the text between the value and the first message.
    let tails: [Chunk]
    let openings: [Chunk]
    let itemNames: [Chunk]
    /// For each phase of the session: the text from the start of an update's snapshot up to the
    /// first value or, on a screen with visibility conditions, up to the sections.
    let heads: [Chunk]
    /// The number of bytes that precede `"screen"` in each of `heads`.
    let headPrefix: Int
    /// The text from the last item through the actions up to the focus. There is one chunk for each
    /// combination of the primary action's role, whether the primary action is enabled, and whether
    /// the links are enabled.
    let feet: [Chunk]
    /// The text between the actions and the focus in a snapshot that shows only the form.
    let formOnlyEnd: Chunk
    /// The text from the last item up to the actions. On a screen with visibility conditions, the
    /// text from the last section up to the actions.
    let end: Chunk
    /// For each section: the text from its start up to its first item.
    let sections: [Chunk]
    /// The texts from the start of the focus up to the focus's revision. The first is for a focus
    /// on the action that dismisses an alert, the others are for the roles of the primary action.
    let focuses: [Chunk]
    /// The maximum number of bytes that the picked options of long lists take in one snapshot.
    let longestPicks: Int
  }

  /// The header of the block of memory. Its pointers point into the rest of the block.
  private struct Header {
    let base: UnsafeRawPointer
    let parts: UnsafeMutablePointer<Part>
    /// All chunks: `heads`, `feet`, `focuses`, and those of the items.
    let chunks: UnsafeMutablePointer<Chunk>
    let sections: UnsafeMutablePointer<Section>
    let places: UnsafeMutablePointer<Int32>
    let count: Int
    let sectionCount: Int
    let placeCount: Int
    let headPrefix: Int
    let formOnlyEnd: Chunk
    let end: Chunk
    let isDynamic: Bool
    let hasLongLists: Bool
    let firstFoot: Int
    let firstFocus: Int
    let largest: Int
  }

  private let header: UnsafeMutablePointer<Header>

  init(_ source: Source, of screen: Screen, hasLongLists: Bool) {
    let (items, sections) = (source.items, screen.sections)
    let places = NamePlaces(screen.items.map { Array($0.id.utf8) }).places
    let chunks = source.heads + source.feet + source.focuses + FlatTemplate.itemChunks(source)
    let partsStart = MemoryLayout<Header>.stride
    let chunksStart = partsStart + items.count * MemoryLayout<Part>.stride
    let sectionsStart = chunksStart + chunks.count * MemoryLayout<Chunk>.stride
    let placesStart = sectionsStart + sections.count * MemoryLayout<Section>.stride
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: placesStart + places.count * MemoryLayout<Int32>.stride, alignment: MemoryLayout<Header>.alignment)
    header = memory.bindMemory(to: Header.self, capacity: 1)
    header.initialize(
      to: Header(
        base: source.base,
        parts: (memory + partsStart).bindMemory(to: Part.self, capacity: items.count),
        chunks: (memory + chunksStart).bindMemory(to: Chunk.self, capacity: chunks.count),
        sections: (memory + sectionsStart).bindMemory(to: Section.self, capacity: sections.count),
        places: (memory + placesStart).bindMemory(to: Int32.self, capacity: places.count), count: items.count,
        sectionCount: sections.count, placeCount: places.count, headPrefix: source.headPrefix,
        formOnlyEnd: source.formOnlyEnd, end: source.end, isDynamic: screen.isDynamic,
        hasLongLists: hasLongLists, firstFoot: source.heads.count,
        firstFocus: source.heads.count + source.feet.count, largest: FlatTemplate.largest(source)))
    for (index, chunk) in chunks.enumerated() { (header.pointee.chunks + index).initialize(to: chunk) }
    for (index, place) in places.enumerated() { (header.pointee.places + index).initialize(to: place) }
    for (index, section) in sections.enumerated() {
      let range = (
        Int32(truncatingIfNeeded: section.items.lowerBound), Int32(truncatingIfNeeded: section.items.upperBound)
      )
      (header.pointee.sections + index).initialize(to: Section(start: source.sections[index], items: range))
    }
    putParts(source)
  }

  /// The chunks of all items, one item after another. For each item: its chunks in `tails`, its
  /// chunks in `openings`, and the message of each of its rules.
  private static func itemChunks(_ source: Source) -> [Chunk] {
    source.items.indices.flatMap { index in
      let looks = ScreenTemplate.looks(of: index)
      return source.tails[looks] + source.openings[looks] + source.items[index].failures
    }
  }

  private func putParts(_ source: Source) {
    var first = source.heads.count + source.feet.count + source.focuses.count
    for (index, item) in source.items.enumerated() {
      (header.pointee.parts + index).initialize(
        to: Part(
          shows: item.shows, showsValidity: item.showsValidity, id: item.id, name: source.itemNames[index],
          focus: item.focus, start: item.start, closing: item.closing, lead: item.lead,
          first: Int32(truncatingIfNeeded: first),
          failures: Int32(truncatingIfNeeded: item.failures.count)))
      first += 2 * ScreenTemplate.looks + item.failures.count
    }
  }

  /// The maximum size of a snapshot, in bytes, without values and without messages at items. This
  /// is the sum of the largest variant of each part and of the separators between the parts.
  private static func largest(_ source: Source) -> Int {
    func longest(_ chunks: some Sequence<Chunk>) -> Int { chunks.map { Int($0.count) }.max() ?? 0 }
    var bytes = longest(source.heads) + longest(source.feet) + longest(source.focuses) + source.longestPicks
    for (index, item) in source.items.enumerated() {
      let looks = ScreenTemplate.looks(of: index)
      bytes += Int(item.start.count) + Int(item.closing.count) + longest(source.tails[looks])
      // A comma before each message and each item, and a value that is `null` or a position.
      bytes += longest(source.openings[looks]) + item.failures.reduce(0) { $0 + Int($1.count) + 1 } + 8
    }
    for section in source.sections { bytes += Int(section.count) + 3 }
    return bytes + longest(source.items.map(\.focus)) + 1024
  }

  /// Frees the memory of the template.
  func release() { header.deallocate() }

  var base: UnsafeRawPointer { @inline(__always) get { header.pointee.base } }
  /// The number of items.
  var count: Int { @inline(__always) get { header.pointee.count } }
  var sectionCount: Int { header.pointee.sectionCount }
  /// Whether the screen has visibility conditions.
  var isDynamic: Bool { @inline(__always) get { header.pointee.isDynamic } }
  /// Whether selections have more options than a snapshot shows.
  var hasLongLists: Bool { @inline(__always) get { header.pointee.hasLongLists } }
  /// The maximum size of a snapshot, in bytes, without values and without messages at items.
  var largest: Int { @inline(__always) get { header.pointee.largest } }
  /// The text from the last item up to the actions. On a screen with visibility conditions, the
  /// text from the last section up to the actions.
  var end: Chunk { header.pointee.end }
  /// The end of a snapshot that shows only the form.
  var formOnlyEnd: Chunk { header.pointee.formOnlyEnd }

  /// The parts of an item. The index must be valid.
  @inline(__always) func part(_ item: Int) -> UnsafeMutablePointer<Part> { header.pointee.parts + item }

  /// The text from `,"snapshot":{` up to the first value or, on a screen with visibility
  /// conditions, up to the sections.
  @inline(__always) func snapshotHead(_ phase: Phase.Name) -> Chunk { header.pointee.chunks[Int(phase.rawValue)] }

  /// The text from `"screen"` up to the first value or, on a screen with visibility conditions, up
  /// to the sections.
  func head(_ phase: Phase.Name) -> Chunk { snapshotHead(phase).dropFirst(header.pointee.headPrefix) }

  /// The text from the last item to the end of the actions. If `endsForm`, the text continues up to
  /// the focus.
  @inline(__always) func foot(_ shown: ViewState.Header, endsForm: Bool) -> Chunk {
    let index = ScreenTemplate.footIndex(
      shown.primary, isEnabled: shown[.primaryIsEnabled], linksAreEnabled: shown.isEditable)
    let foot = header.pointee.chunks[header.pointee.firstFoot &+ index]
    return endsForm ? foot : foot.dropLast(Int(formOnlyEnd.count))
  }

  /// The text from the start of the focus up to its revision; `nil` if the focus is unspecified.
  /// `primary` is the role of the primary action.
  @inline(__always) func focus(_ target: Focus.Target?, _ primary: SessionMachine.PrimaryRole) -> Chunk? {
    switch target {
    case .item(let item): item < count ? part(item).pointee.focus : nil
    case .primary: header.pointee.chunks[header.pointee.firstFocus &+ 1 &+ Int(primary.rawValue)]
    case .dismissal: header.pointee.chunks[header.pointee.firstFocus]
    case nil: nil
    }
  }

  /// A section. The index must be valid.
  @inline(__always) func section(_ index: Int) -> Section { header.pointee.sections[index] }

  /// The text after an item's value if there are no messages.
  @inline(__always) func tail(_ part: UnsafeMutablePointer<Part>, _ look: Int) -> Chunk {
    header.pointee.chunks[Int(part.pointee.first) &+ look]
  }

  /// The text between an item's value and the first message.
  @inline(__always) func opening(_ part: UnsafeMutablePointer<Part>, _ look: Int) -> Chunk {
    header.pointee.chunks[Int(part.pointee.first) &+ ScreenTemplate.looks &+ look]
  }

  /// The message that is shown if the item's value breaks the rule with this index.
  @inline(__always) func failure(_ part: UnsafeMutablePointer<Part>, _ rule: Int) -> Chunk {
    header.pointee.chunks[Int(part.pointee.first) &+ 2 &* ScreenTemplate.looks &+ rule]
  }

  /// The index of the item whose id is the string at `node`.
  @inline(__always) func item(_ document: borrowing JSONDocument, _ node: JSONDocument.Node) -> Int? {
    if document.kind(node) == .string, !document.hasEscapes(node) { return item(document.text(node)) }
    return (0..<count).first { document.equals(node, name($0)) }
  }

  /// The index of the item with this id, which must not contain escapes.
  @inline(__always) private func item(_ id: UnsafeRawBufferPointer) -> Int? {
    NamePlaces.first(id, header.pointee.places, header.pointee.placeCount) { sameBytes(name($0), id) }
  }

  /// An item's id without quotes, for comparison with ids from the wire.
  @inline(__always) private func name(_ item: Int) -> UnsafeRawBufferPointer {
    let name = part(item).pointee.name
    return UnsafeRawBufferPointer(start: base + Int(name.start), count: Int(name.count))
  }
}
