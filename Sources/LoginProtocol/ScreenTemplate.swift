import JSONCodec
import LoginForms
public import LoginMachine

/// The bytes of one screen in one language that are the same in every snapshot, written once when the engine starts.
///
/// A snapshot is then a handful of copies with the values in between.
final class ScreenTemplate: @unchecked Sendable {
  /// A run of bytes in the template.
  struct Chunk {
    var start: Int32 = 0
    var count: Int32 = 0
  }

  /// The parts of one item, in the order in which they stand.
  struct ItemChunks {
    /// All that stands between the value of the item before, or the screen's head, and this item's value.
    var lead = Chunk()
    /// The same without what stands before the item: for items that come and go.
    var start = Chunk()
    /// The quoted id.
    var id = Chunk()
    /// The message of each rule.
    var failures: [Chunk] = []
    var shows = Shows.text
    var showsValidity = true
  }

  /// What stands in the place of an item's value.
  enum Shows {
    case text, filled, position, nothing
  }

  let screen: Screen
  /// The bytes. Not an array, which would be retained for each use; written once, and given back with the template.
  let base: UnsafeRawPointer
  /// By phase: from `"screen"` to the beginning of the sections.
  let heads: [Chunk]
  let items: [ItemChunks]
  /// By item and look: from the value to the end of the item if there are no messages.
  let tails: [Chunk]
  /// By item and look: from the value to the first message.
  let openings: [Chunk]
  /// From the last item to the end of the actions, by part, by whether that is enabled, and by whether links are.
  let feet: [Chunk]
  /// From behind the last section to the end of the actions, for screens whose sections and items come and go.
  let dynamicFeet: [Chunk]
  /// By section: its beginning up to its first item.
  let sections: [Chunk]
  /// The quoted id of each section.
  let sectionIDs: [Chunk]
  /// By part (submit, cancel, retry) and whether it is enabled.
  let primary: [Chunk]
  /// The quoted id of each part.
  let primaryIDs: [Chunk]
  let linkIDs: [Chunk]

  init(_ screen: Screen, _ strings: StringTable) {
    var writer = TemplateWriter()
    self.screen = screen
    heads = writer.map(Phase.Name.allCases) { writer, phase in
      writer.chunk(
        #""screen":"#, .string(screen.id), #","state":"#, .string("\(phase.wireName)"), #","title":"#,
        .string(strings.text(screen.title)), #","sections":["#)
    }
    var separators = SectionSeparators(screen, strings)
    items = writer.map(Array(screen.items.indices)) { writer, index in
      writer.item(screen.items[index], separators.next(before: index), strings)
    }
    let end = separators.end()
    let parts = [screen.primary.submit, screen.primary.cancel, screen.primary.retry]
    primary = writer.map(parts) { $0.actions([$1], role: "primary", strings) }.flatMap { $0 }
    primaryIDs = writer.map(parts) { $0.chunk(.string($1.id)) }
    linkIDs = writer.map(screen.links) { $0.chunk(.string($1.action.id)) }
    feet = writer.feet(after: end, parts, screen.links.map(\.action), strings)
    dynamicFeet = screen.isDynamic ? writer.feet(after: ["]"], parts, screen.links.map(\.action), strings) : []
    sections = writer.map(screen.sections) { $0.chunk(SectionSeparators.beginning(of: $1, strings)) }
    sectionIDs = writer.map(screen.sections) { $0.chunk(.string($1.id)) }
    tails = writer.tails
    openings = writer.openings
    base = writer.bytes.withBytes { bytes in
      let copy = UnsafeMutableRawPointer.allocate(byteCount: bytes.count, alignment: 1)
      if let source = bytes.baseAddress { copy.copyMemory(from: source, byteCount: bytes.count) }
      return UnsafeRawPointer(copy)
    }
  }

  deinit { base.deallocate() }

  /// Where in `tails` and `openings` an item's look stands: its editability and validity.
  @inline(__always) static func lookIndex(_ item: Int, _ validity: ViewState.Validity, isEditable: Bool) -> Int {
    item * 6 + (isEditable ? 3 : 0) + Int(validity.rawValue)
  }

  /// Where in `feet` the end of a screen stands.
  @inline(__always) static func footIndex(
    _ part: SessionMachine.Action, isEnabled: Bool, linksAreEnabled: Bool
  ) -> Int {
    part.partIndex * 4 + (isEnabled ? 2 : 0) + (linksAreEnabled ? 1 : 0)
  }
}

/// What stands between the items: commas, and the ends and beginnings of sections, also of those without items.
private struct SectionSeparators {
  private let sections: [Screen.Section]
  private let strings: StringTable
  private var opened = 0

  init(_ screen: Screen, _ strings: StringTable) {
    sections = screen.sections
    self.strings = strings
  }

  /// A section up to its first item.
  static func beginning(of section: Screen.Section, _ strings: StringTable) -> [TemplateWriter.Piece] {
    var pieces: [TemplateWriter.Piece] = [#"{"id":"#, .string(section.id)]
    if let title = section.title { pieces += [#","title":"#, .string(strings.text(title))] }
    return pieces + [#","items":["#]
  }

  /// What stands before an item; to be asked for each in order.
  mutating func next(before item: Int) -> [TemplateWriter.Piece] {
    var pieces: [TemplateWriter.Piece] = []
    while opened < sections.count, opened == 0 || !sections[opened - 1].items.contains(item) { open(&pieces) }
    return pieces.isEmpty ? [","] : pieces
  }

  /// What stands behind the last item.
  mutating func end() -> [TemplateWriter.Piece] {
    var pieces: [TemplateWriter.Piece] = []
    while opened < sections.count { open(&pieces) }
    return pieces + [sections.isEmpty ? "]" : "]}]"]
  }

  private mutating func open(_ pieces: inout [TemplateWriter.Piece]) {
    if opened > 0 { pieces.append("]},") }
    pieces += SectionSeparators.beginning(of: sections[opened], strings)
    opened += 1
  }
}

/// Where the chunk for a part of the primary action stands in `primary`.
extension SessionMachine.Action {
  @inline(__always) var partIndex: Int {
    switch self {
    case .submit, .link, .dismiss: 0
    case .cancel: 1
    case .retry: 2
    }
  }
}

extension Phase.Name {
  /// The name on the wire.
  public var wireName: StaticString {
    switch self {
    case .initial: "initial"
    case .unvalidated: "unvalidated"
    case .validated: "validated"
    case .requestPending: "requestPending"
    case .requestFailed: "requestFailed"
    case .requestSucceeded: "requestSucceeded"
    }
  }
}

extension ViewState.Validity {
  /// The name on the wire.
  var wireName: StaticString {
    switch self {
    case .unknown: "unknown"
    case .valid: "valid"
    case .invalid: "invalid"
    }
  }
}

/// Writes the chunks of a template one behind the other.
private struct TemplateWriter: ~Copyable {
  var bytes = ByteBuffer(capacity: 4096)
  var tails: [ScreenTemplate.Chunk] = []
  var openings: [ScreenTemplate.Chunk] = []

  enum Piece: ExpressibleByStringLiteral {
    case raw(String)
    case string(String?)
    init(stringLiteral value: String) { self = .raw(value) }
  }

  mutating func chunk(_ pieces: Piece...) -> ScreenTemplate.Chunk { chunk(pieces) }

  mutating func chunk(_ pieces: [Piece]) -> ScreenTemplate.Chunk {
    let start = bytes.count
    for piece in pieces {
      switch piece {
      case .raw(let text): bytes.append(text)
      case .string(let text?): bytes.appendJSONString(text)
      case .string(nil): bytes.append("null")
      }
    }
    return .init(start: Int32(truncatingIfNeeded: start), count: Int32(truncatingIfNeeded: bytes.count - start))
  }

  mutating func map<Part, Result>(_ parts: [Part], _ write: (inout Self, Part) -> Result) -> [Result] {
    var results: [Result] = []
    for part in parts { results.append(write(&self, part)) }
    return results
  }

  private func pieces(_ action: Screen.Action, role: Piece, isEnabled: Bool, _ strings: StringTable) -> [Piece] {
    [
      #"{"id":"#, .string(action.id), #","title":"#, .string(strings.text(action.title)), #","role":""#, role,
      #"","enabled":"#, isEnabled ? "true}" : "false}",
    ]
  }

  /// For each action a chunk in which it is disabled and one in which it is enabled.
  mutating func actions(_ actions: [Screen.Action], role: Piece, _ strings: StringTable) -> [ScreenTemplate.Chunk] {
    var chunks: [ScreenTemplate.Chunk] = []
    for action in actions {
      for isEnabled in [false, true] { chunks.append(chunk(pieces(action, role: role, isEnabled: isEnabled, strings))) }
    }
    return chunks
  }

  mutating func feet(
    after end: [Piece], _ parts: [Screen.Action], _ links: [Screen.Action], _ strings: StringTable
  ) -> [ScreenTemplate.Chunk] {
    var chunks: [ScreenTemplate.Chunk] = []
    for part in parts {
      for isEnabled in [false, true] {
        for linksAreEnabled in [false, true] {
          var all = end + [#","actions":["#] + pieces(part, role: "primary", isEnabled: isEnabled, strings)
          for link in links { all += [","] + pieces(link, role: "link", isEnabled: linksAreEnabled, strings) }
          chunks.append(chunk(all + ["]"]))
        }
      }
    }
    return chunks
  }

  mutating func item(_ item: Item, _ separator: [Piece], _ strings: StringTable) -> ScreenTemplate.ItemChunks {
    var chunks = ScreenTemplate.ItemChunks()
    let title = Piece.string(item.title.map { strings.text($0) })
    let placeholder = Piece.string(item.placeholder.map { strings.text($0) })
    chunks.id = chunk(.string(item.id))
    chunks.showsValidity = item.showsValidity
    let emphasis: [Piece] = item.emphasis.map { [#","emphasis":"#, .string($0.rawValue)] } ?? []
    var head: [Piece]
    switch item.kind {
    case .input(let type, _):
      chunks.shows = item.isSecret ? .filled : .text
      head = [#","kind":"input","inputType":"#, .string(type.rawValue)]
      if let keyboard = item.hints.keyboard { head += [#","keyboard":"#, .string(keyboard.rawValue)] }
      if let autofill = item.hints.autofill { head += [#","autofill":"#, .string(autofill)] }
      head += emphasis
      head += [
        #","title":"#, title, #","placeholder":"#, placeholder, item.isSecret ? #","filled":"# : #","value":"#,
      ]
    case .selection(let options, _):
      chunks.shows = .text
      head = [#","kind":"selection""#] + emphasis + [#","title":"#, title, #","options":["#]
      for (index, option) in options.enumerated() {
        if index > 0 { head.append(",") }
        head += [#"{"id":"#, .string(option.id), #","title":"#, .string(strings.text(option.title)), "}"]
      }
      head.append(#"],"value":"#)
    case .toggle:
      chunks.shows = .position
      head = [#","kind":"switch""#] + emphasis + [#","title":"#, title, #","value":"#]
    case .text:
      chunks.shows = .nothing
      head = [#","kind":"text""#] + emphasis + [#","title":"#, title]
    }
    let start = [#"{"id":"#, .string(item.id)] + head
    chunks.lead = chunk(separator + start)
    chunks.start = chunk(start)
    for editable: Piece in ["false", "true"] {
      for validity in ViewState.Validity.allCases {
        if case .text = item.kind {
          openings.append(chunk())
          tails.append(chunk("}"))
          continue
        }
        var opening: [Piece] = [#","editable":"#, editable]
        if item.showsValidity { opening += [#","validity":"#, .string("\(validity.wireName)"), #","messages":["#] }
        openings.append(chunk(opening))
        tails.append(chunk(opening + [item.showsValidity ? "]}" : "}"]))
      }
    }
    for rule in item.rules {
      let start = bytes.count
      bytes.appendMessage(rule.failure, strings)
      chunks.failures.append(
        .init(start: Int32(truncatingIfNeeded: start), count: Int32(truncatingIfNeeded: bytes.count - start)))
    }
    return chunks
  }
}
