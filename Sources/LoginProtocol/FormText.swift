import JSONCodec
import LoginMachine

/// What of a screen's template every key stroke needs, in one piece of memory without references: to find and to copy its parts retains nothing.
///
/// Owned by the template that has made it.
public struct FormText {
  typealias Chunk = ScreenTemplate.Chunk

  /// The parts of one item.
  struct Part {
    let shows: ScreenTemplate.Shows
    let showsValidity: Bool
    /// The id, quoted and as it is compared with what comes over the wire.
    let id: Chunk
    let name: Chunk
    let focus: Chunk
    /// From the item's beginning to its value.
    let start: Chunk
    /// What stands behind the messages: see `ItemChunks.closing`, or the item's end where items come and go.
    let closing: Chunk
    /// By validity: what stands behind the value if there are no messages; see `ScreenTemplate.joints`, and `tails` where items come and go.
    let tails: (Chunk, Chunk, Chunk)
    /// By validity: from the value to the first message.
    let openings: (Chunk, Chunk, Chunk)
    /// Where the messages of its rules begin among all, and how many rules there are.
    let firstFailure: Int32
    let failures: Int32
  }

  /// A section: its beginning, and its items.
  struct Section {
    let start: Chunk
    let items: (first: Int32, end: Int32)
  }

  /// What the pieces of memory are.
  private struct Header {
    let base: UnsafeRawPointer
    let parts: UnsafePointer<Part>
    let failures: UnsafePointer<Chunk>
    let heads: UnsafePointer<Chunk>
    let feet: UnsafePointer<Chunk>
    let sections: UnsafePointer<Section>
    let places: UnsafePointer<Int32>
    let count: Int
    let sectionCount: Int
    let placeCount: Int
    let primaryID: Chunk
    let isDynamic: Bool
    let largest: Int
  }

  private let header: UnsafeMutablePointer<Header>

  /// Everything in the template but this is made. `names` are the ids as they are compared with what comes over the wire, and `places` where these are found.
  init(
    base: UnsafeRawPointer, items: [ScreenTemplate.ItemChunks], names: [Chunk], places: [Int32], tails: [Chunk],
    openings: [Chunk], itemEnd: Chunk, heads: [Chunk], feet: [Chunk], sections: [Section], primaryID: Chunk,
    isDynamic: Bool
  ) {
    var failures: [Chunk] = []
    var parts: [Part] = []
    for (index, item) in items.enumerated() {
      // Into a form that is typed into, every look is one that can be edited.
      func looks(_ all: [Chunk]) -> (Chunk, Chunk, Chunk) {
        func look(_ validity: ViewState.Validity) -> Chunk {
          all[ScreenTemplate.lookIndex(index, validity, isEditable: true)]
        }
        return (look(.unknown), look(.valid), look(.invalid))
      }
      parts.append(
        Part(
          shows: item.shows, showsValidity: item.showsValidity, id: item.id, name: names[index], focus: item.focus,
          start: item.start, closing: isDynamic ? itemEnd : item.closing, tails: looks(tails),
          openings: looks(openings), firstFailure: Int32(truncatingIfNeeded: failures.count),
          failures: Int32(truncatingIfNeeded: item.failures.count)))
      failures += item.failures
    }
    let submitFeet = [false, true].map { isEnabled in
      feet[ScreenTemplate.footIndex(.submit, isEnabled: isEnabled, linksAreEnabled: true)]
    }
    header = .allocate(capacity: 1)
    header.initialize(
      to: Header(
        base: base, parts: FormText.memory(parts), failures: FormText.memory(failures), heads: FormText.memory(heads),
        feet: FormText.memory(submitFeet), sections: FormText.memory(sections), places: FormText.memory(places),
        count: parts.count, sectionCount: sections.count, placeCount: places.count, primaryID: primaryID,
        isDynamic: isDynamic,
        largest: FormText.largest(parts, failures, heads + submitFeet + sections.map(\.start), primaryID)))
  }

  private static func memory<Element: BitwiseCopyable>(_ elements: [Element]) -> UnsafePointer<Element> {
    let memory = UnsafeMutablePointer<Element>.allocate(capacity: max(1, elements.count))
    for (index, element) in elements.enumerated() { (memory + index).initialize(to: element) }
    return UnsafePointer(memory)
  }

  /// Gives the memory back.
  func release() {
    let all = header.pointee
    all.parts.deallocate()
    for chunks in [all.failures, all.heads, all.feet] { chunks.deallocate() }
    all.sections.deallocate()
    all.places.deallocate()
    header.deallocate()
  }

  var base: UnsafeRawPointer { @inline(__always) get { header.pointee.base } }
  /// How many items there are.
  var count: Int { @inline(__always) get { header.pointee.count } }
  var sectionCount: Int { header.pointee.sectionCount }
  /// The quoted id of the primary action that submits.
  var primaryID: Chunk { @inline(__always) get { header.pointee.primaryID } }
  /// Whether items come and go.
  var isDynamic: Bool { @inline(__always) get { header.pointee.isDynamic } }
  /// The most bytes that an update has beside values and the session's name.
  var largest: Int { @inline(__always) get { header.pointee.largest } }

  /// The parts of an item. There must be one of that index.
  @inline(__always) func part(_ item: Int) -> UnsafePointer<Part> { header.pointee.parts + item }

  /// From `,"snapshot":{` to the sections, or to the first value where nothing comes or goes.
  @inline(__always) func head(_ phase: Phase.Name) -> Chunk { header.pointee.heads[Int(phase.rawValue)] }

  /// What stands behind the last item up to the focus, while only the form is shown.
  @inline(__always) func foot(primaryIsEnabled: Bool) -> Chunk { header.pointee.feet[primaryIsEnabled ? 1 : 0] }

  /// A section. There must be one of that index.
  func section(_ index: Int) -> Section { header.pointee.sections[index] }

  /// The message of a rule of an item, of which it is one.
  @inline(__always) func failure(_ part: UnsafePointer<Part>, _ rule: Int) -> Chunk {
    header.pointee.failures[Int(part.pointee.firstFailure) &+ rule]
  }

  /// The index of the item of an id, which is written without escapes.
  @inline(__always) public func item(_ id: UnsafeRawBufferPointer) -> Int? {
    NamePlaces.first(id, header.pointee.places, header.pointee.placeCount) { index in
      let name = part(index).pointee.name
      return sameBytes(UnsafeRawBufferPointer(start: base + Int(name.start), count: Int(name.count)), id)
    }
  }

  /// Each part once in the snapshot, the messages and the longest names once more in the commands, and what is written between them.
  private static func largest(_ parts: [Part], _ failures: [Chunk], _ others: [Chunk], _ primaryID: Chunk) -> Int {
    // Each start of the program waits for this: no closures, no arrays.
    var (items, longestID) = (0, 0)
    for part in parts {
      let tail = max(part.tails.0.count, part.tails.1.count, part.tails.2.count)
      let opening = max(part.openings.0.count, part.openings.1.count, part.openings.2.count)
      items += Int(part.start.count) + Int(part.closing.count) + Int(tail) + Int(opening)
      longestID = max(longestID, Int(part.id.count) + Int(part.focus.count))
    }
    var (messages, rest) = (0, 0)
    for chunk in failures { messages += Int(chunk.count) }
    for chunk in others { rest += Int(chunk.count) }
    // A comma before each message and each item, and a value that is none or a position.
    let between = parts.count * 8 + failures.count * 2 + 1024
    return items + 2 * messages + rest + longestID + 2 * Int(primaryID.count) + between
  }
}

extension UnsafePointer<FormText.Part> {
  @inline(__always) func tail(_ validity: ViewState.Validity) -> FormText.Chunk {
    switch validity {
    case .unknown: pointee.tails.0
    case .valid: pointee.tails.1
    case .invalid: pointee.tails.2
    }
  }

  @inline(__always) func opening(_ validity: ViewState.Validity) -> FormText.Chunk {
    switch validity {
    case .unknown: pointee.openings.0
    case .valid: pointee.openings.1
    case .invalid: pointee.openings.2
    }
  }
}
