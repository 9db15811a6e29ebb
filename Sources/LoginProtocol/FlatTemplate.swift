import JSONCodec
import LoginMachine

/// The parts of a screen's template that every update needs, in one allocation without references,
/// so that reading them retains nothing.
///
/// Belongs to a `ScreenTemplate` and is valid only while that object exists.
struct FlatTemplate {
  typealias Chunk = ScreenTemplate.Chunk

  /// The parts of one item.
  struct Part {
    let shows: ScreenTemplate.Shows
    let showsValidity: Bool
    /// The id, quoted; and without quotes, for comparison with ids from the wire.
    let id: Chunk
    let name: Chunk
    let focus: Chunk
    /// From the start of the item to its value.
    let start: Chunk
    /// The text after the messages, up to the value of the next item, or the end of the last item.
    /// On a dynamic screen, up to the end of the section.
    let closing: Chunk
    /// On a dynamic screen, the number of bytes at the end of `closing` and of each tail that
    /// belong to the next item.
    let lead: Int32
    /// The index of the item's first chunk (its looks, then the messages of its rules), and the
    /// number of rules.
    fileprivate let first: Int32
    let failures: Int32
  }

  /// A section: its start, and its items.
  struct Section {
    let start: Chunk
    let items: (first: Int32, end: Int32)
  }

  /// The chunks from which the memory is built.
  struct Source {
    let base: UnsafeRawPointer
    let items: [ScreenTemplate.ItemChunks]
    /// By item and look: the text after the value if there are no messages, and from the value to
    /// the first message.
    let tails: [Chunk]
    let openings: [Chunk]
    let itemNames: [Chunk]
    /// By phase: from the start of an update's snapshot to its sections; if the screen is not
    /// dynamic, to the first value.
    let heads: [Chunk]
    /// The number of bytes of each head before `"screen"`.
    let headPrefix: Int
    /// From the last item to the end of the actions and on to the focus, by role, by whether it is
    /// enabled, and by whether links are enabled.
    let feet: [Chunk]
    /// The end of a snapshot that shows only the form.
    let formOnlyEnd: Chunk
    /// From the last item to the start of the actions; on a dynamic screen, from the last section.
    let end: Chunk
    /// By section: from its start to its first item.
    let sections: [Chunk]
    /// From the start of a focus to its revision: on an alert's dismissal, then on each role of the
    /// primary action.
    let focuses: [Chunk]
    /// The maximum size of the options of long lists in one snapshot, in bytes.
    let longestPicks: Int
  }

  /// The header of the allocation. Its pointers point to the rest of it.
  private struct Header {
    let base: UnsafeRawPointer
    let parts: UnsafeMutablePointer<Part>
    /// The heads of all phases, the feet, the focuses, and the looks and messages of all items.
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

  /// By item: its tails and its openings by look, and the message of each rule.
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

  /// The maximum size of a snapshot without values and remarks: each part once, and what is written
  /// between them.
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

  /// Frees the memory.
  func release() { header.deallocate() }

  var base: UnsafeRawPointer { @inline(__always) get { header.pointee.base } }
  /// The number of items.
  var count: Int { @inline(__always) get { header.pointee.count } }
  var sectionCount: Int { header.pointee.sectionCount }
  /// Whether the screen has visibility conditions.
  var isDynamic: Bool { @inline(__always) get { header.pointee.isDynamic } }
  /// Whether selections have more options than a snapshot shows.
  var hasLongLists: Bool { @inline(__always) get { header.pointee.hasLongLists } }
  /// The maximum size of a snapshot without values and remarks, in bytes.
  var largest: Int { @inline(__always) get { header.pointee.largest } }
  /// From the last item to the start of the actions; on a dynamic screen, from the last section.
  var end: Chunk { header.pointee.end }
  /// The end of a snapshot that shows only the form.
  var formOnlyEnd: Chunk { header.pointee.formOnlyEnd }

  /// The parts of an item. The index must be valid.
  @inline(__always) func part(_ item: Int) -> UnsafeMutablePointer<Part> { header.pointee.parts + item }

  /// From `,"snapshot":{` to the sections; if the screen is not dynamic, to the first value.
  @inline(__always) func snapshotHead(_ phase: Phase.Name) -> Chunk { header.pointee.chunks[Int(phase.rawValue)] }

  /// The same without the text before the screen.
  func head(_ phase: Phase.Name) -> Chunk { snapshotHead(phase).dropFirst(header.pointee.headPrefix) }

  /// From the last item to the end of the actions, and on to the focus if `endsForm`.
  @inline(__always) func foot(_ shown: ViewState.Header, endsForm: Bool) -> Chunk {
    let index = ScreenTemplate.footIndex(
      shown.primary, isEnabled: shown[.primaryIsEnabled], linksAreEnabled: shown.isEditable)
    let foot = header.pointee.chunks[header.pointee.firstFoot &+ index]
    return endsForm ? foot : foot.dropLast(Int(formOnlyEnd.count))
  }

  /// From the start of a focus to its revision; `nil` if it is unspecified. `primary` is the role
  /// of the primary action.
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

  /// From an item's value to the first message.
  @inline(__always) func opening(_ part: UnsafeMutablePointer<Part>, _ look: Int) -> Chunk {
    header.pointee.chunks[Int(part.pointee.first) &+ ScreenTemplate.looks &+ look]
  }

  /// The message of a rule of the item.
  @inline(__always) func failure(_ part: UnsafeMutablePointer<Part>, _ rule: Int) -> Chunk {
    header.pointee.chunks[Int(part.pointee.first) &+ 2 &* ScreenTemplate.looks &+ rule]
  }

  /// The index of the item whose id is the string at `node`.
  @inline(__always) func item(_ document: borrowing JSONDocument, _ node: JSONDocument.Node) -> Int? {
    if document.kind(node) == .string, !document.hasEscapes(node) { return item(document.text(node)) }
    return (0..<count).first { document.equals(node, name($0)) }
  }

  /// The index of the item with an id, which has no escapes.
  @inline(__always) private func item(_ id: UnsafeRawBufferPointer) -> Int? {
    NamePlaces.first(id, header.pointee.places, header.pointee.placeCount) { sameBytes(name($0), id) }
  }

  /// An item's id for comparison with ids from the wire.
  @inline(__always) private func name(_ item: Int) -> UnsafeRawBufferPointer {
    let name = part(item).pointee.name
    return UnsafeRawBufferPointer(start: base + Int(name.start), count: Int(name.count))
  }
}
