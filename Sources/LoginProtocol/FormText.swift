import JSONCodec
import LoginForms
import LoginMachine

/// What of a screen's template every key stroke needs, in one piece of memory without references: to find and to copy its parts retains nothing.
///
/// Made at the first key stroke, because every start of the program waits for the template. Valid as long as that is there, and given back with `release`.
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
    /// Where the messages of its rules begin among all chunks, and how many rules there are.
    let firstFailure: Int32
    let failures: Int32
  }

  /// A section: its beginning, and its items.
  struct Section {
    let start: Chunk
    let items: (first: Int32, end: Int32)
  }

  /// What stands at the beginning of the memory. Behind it lies what it points to.
  private struct Header {
    let base: UnsafeRawPointer
    let parts: UnsafeMutablePointer<Part>
    /// The head of each phase, the two feet, and the messages of all rules.
    let chunks: UnsafeMutablePointer<Chunk>
    let sections: UnsafeMutablePointer<Section>
    let places: UnsafeMutablePointer<Int32>
    let count: Int
    let sectionCount: Int
    let placeCount: Int
    let primaryID: Chunk
    let isDynamic: Bool
    var largest: Int
  }

  private static var phases: Int { 6 }
  private static var firstFailure: Int { phases + 2 }

  private let header: UnsafeMutablePointer<Header>

  init(_ template: ScreenTemplate) {
    let (items, sections, places) = (template.items, template.screen.sections, template.itemPlaces.places)
    var chunkCount = FormText.firstFailure
    for item in items { chunkCount += item.failures.count }
    let partsStart = MemoryLayout<Header>.stride
    let chunksStart = partsStart + items.count * MemoryLayout<Part>.stride
    let sectionsStart = chunksStart + chunkCount * MemoryLayout<Chunk>.stride
    let placesStart = sectionsStart + sections.count * MemoryLayout<Section>.stride
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: placesStart + places.count * MemoryLayout<Int32>.stride, alignment: MemoryLayout<Header>.alignment)
    header = memory.bindMemory(to: Header.self, capacity: 1)
    header.initialize(
      to: Header(
        base: template.base, parts: (memory + partsStart).bindMemory(to: Part.self, capacity: items.count),
        chunks: (memory + chunksStart).bindMemory(to: Chunk.self, capacity: chunkCount),
        sections: (memory + sectionsStart).bindMemory(to: Section.self, capacity: sections.count),
        places: (memory + placesStart).bindMemory(to: Int32.self, capacity: places.count), count: items.count,
        sectionCount: sections.count, placeCount: places.count, primaryID: template.primaryIDs[0],
        isDynamic: template.screen.isDynamic, largest: 0))
    putChunks(template)
    putParts(template)
    for (index, section) in sections.enumerated() {
      let range = (
        Int32(truncatingIfNeeded: section.items.lowerBound), Int32(truncatingIfNeeded: section.items.upperBound)
      )
      (header.pointee.sections + index).initialize(to: Section(start: template.sections[index], items: range))
    }
    for (index, place) in places.enumerated() { (header.pointee.places + index).initialize(to: place) }
    header.pointee.largest = largest(chunkCount)
  }

  private func putChunks(_ template: ScreenTemplate) {
    let chunks = header.pointee.chunks
    for (phase, head) in template.snapshotHeads.prefix(FormText.phases).enumerated() {
      (chunks + phase).initialize(to: head)
    }
    for isEnabled in [false, true] {
      let foot = ScreenTemplate.footIndex(.submit, isEnabled: isEnabled, linksAreEnabled: true)
      (chunks + FormText.phases + (isEnabled ? 1 : 0)).initialize(to: template.formFeet[foot])
    }
    var next = FormText.firstFailure
    for item in template.items {
      for failure in item.failures {
        (chunks + next).initialize(to: failure)
        next += 1
      }
    }
  }

  private func putParts(_ template: ScreenTemplate) {
    let isDynamic = header.pointee.isDynamic
    let tails = isDynamic ? template.tails : template.joints
    // Into a form that is typed into, every look is one that can be edited.
    func looks(_ all: [Chunk], _ index: Int) -> (Chunk, Chunk, Chunk) {
      let first = ScreenTemplate.lookIndex(index, .unknown, isEditable: true)
      return (
        all[first], all[ScreenTemplate.lookIndex(index, .valid, isEditable: true)],
        all[ScreenTemplate.lookIndex(index, .invalid, isEditable: true)]
      )
    }
    var failure = FormText.firstFailure
    for (index, item) in template.items.enumerated() {
      (header.pointee.parts + index).initialize(
        to: Part(
          shows: item.shows, showsValidity: item.showsValidity, id: item.id, name: template.itemNames[index],
          focus: item.focus, start: item.start, closing: isDynamic ? template.itemEnd : item.closing,
          tails: looks(tails, index), openings: looks(template.openings, index),
          firstFailure: Int32(truncatingIfNeeded: failure), failures: Int32(truncatingIfNeeded: item.failures.count)))
      failure += item.failures.count
    }
  }

  /// Gives the memory back.
  func release() { header.deallocate() }

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
  @inline(__always) func part(_ item: Int) -> UnsafeMutablePointer<Part> { header.pointee.parts + item }

  /// From `,"snapshot":{` to the sections, or to the first value where nothing comes or goes.
  @inline(__always) func head(_ phase: Phase.Name) -> Chunk { header.pointee.chunks[Int(phase.rawValue)] }

  /// What stands behind the last item up to the focus, while only the form is shown.
  @inline(__always) func foot(primaryIsEnabled: Bool) -> Chunk {
    header.pointee.chunks[FormText.phases + (primaryIsEnabled ? 1 : 0)]
  }

  /// A section. There must be one of that index.
  func section(_ index: Int) -> Section { header.pointee.sections[index] }

  /// The message of a rule of an item, of which it is one.
  @inline(__always) func failure(_ part: UnsafeMutablePointer<Part>, _ rule: Int) -> Chunk {
    header.pointee.chunks[Int(part.pointee.firstFailure) &+ rule]
  }

  /// The index of the item of an id, which is written without escapes.
  @inline(__always) public func item(_ id: UnsafeRawBufferPointer) -> Int? {
    NamePlaces.first(id, header.pointee.places, header.pointee.placeCount) { index in
      let name = part(index).pointee.name
      return sameBytes(UnsafeRawBufferPointer(start: base + Int(name.start), count: Int(name.count)), id)
    }
  }

  /// Each part once in the snapshot, the messages and the longest names once more in the commands, and what is written between them.
  private func largest(_ chunkCount: Int) -> Int {
    var (items, longestID, messages, rest) = (0, 0, 0, 0)
    for index in 0..<count {
      let part = part(index).pointee
      let tail = max(part.tails.0.count, part.tails.1.count, part.tails.2.count)
      let opening = max(part.openings.0.count, part.openings.1.count, part.openings.2.count)
      items += Int(part.start.count) + Int(part.closing.count) + Int(tail) + Int(opening)
      longestID = max(longestID, Int(part.id.count) + Int(part.focus.count))
    }
    for index in 0..<chunkCount {
      let bytes = Int(header.pointee.chunks[index].count)
      if index < FormText.firstFailure { rest += bytes } else { messages += bytes }
    }
    for index in 0..<sectionCount { rest += Int(section(index).start.count) }
    // A comma before each message and each item, and a value that is none or a position.
    let between = count * 8 + (chunkCount - FormText.firstFailure) * 2 + 1024
    return items + 2 * messages + rest + longestID + 2 * Int(primaryID.count) + between
  }
}

extension UnsafeMutablePointer<FormText.Part> {
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
