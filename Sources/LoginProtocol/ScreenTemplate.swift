import JSONCodec
import LoginForms
public import LoginMachine

/// The bytes of one screen in one language that are the same in every snapshot, written once when the engine starts.
///
/// A snapshot is then a handful of copies with the values in between.
final class ScreenTemplate: Sendable {
  /// A run of bytes in the template.
  struct Chunk {
    var start: Int32 = 0
    var count: Int32 = 0
  }

  /// The parts of one item, in the order in which they stand.
  struct ItemChunks {
    /// From the brace to the colon before the value.
    var head = Chunk()
    /// What a text's name is: its quoted id.
    var id = Chunk()
    /// From the value to the messages, by editability and validity.
    var tail: [Chunk] = []
    /// The message of each rule.
    var failures: [Chunk] = []
    var shows = Shows.text
    var showsValidity = true
  }

  /// What stands in the place of an item's value.
  enum Shows {
    case text, filled, position
  }

  let screen: Screen
  private let bytes: [UInt8]
  /// By phase: from `"screen"` to the beginning of the sections.
  let heads: [Chunk]
  let sections: [Chunk]
  let items: [ItemChunks]
  /// By part (submit, cancel, retry) and whether it is enabled.
  let primary: [Chunk]
  /// The quoted id of each part.
  let primaryIDs: [Chunk]
  /// By link and whether it is enabled.
  let links: [Chunk]
  let linkIDs: [Chunk]

  init(_ screen: Screen, _ strings: StringTable) {
    var writer = TemplateWriter()
    self.screen = screen
    heads = writer.map(Phase.Name.allCases) { writer, phase in
      writer.chunk(
        #""screen":"#, .string(screen.id), #","state":"#, .string("\(phase.wireName)"), #","title":"#,
        .string(strings.text(screen.title)), #","sections":["#)
    }
    sections = writer.map(screen.sections) { $0.chunk(#"{"id":"#, .string($1.id), #","items":["#) }
    items = writer.map(screen.items) { $0.item($1, strings) }
    let parts = [screen.primary.submit, screen.primary.cancel, screen.primary.retry]
    primary = writer.map(parts) { $0.action($1, role: "primary", strings) }.flatMap { $0 }
    primaryIDs = writer.map(parts) { $0.chunk(.string($1.id)) }
    links = writer.map(screen.links) { $0.action($1.action, role: "link", strings) }.flatMap { $0 }
    linkIDs = writer.map(screen.links) { $0.chunk(.string($1.action.id)) }
    bytes = writer.bytes.array()
  }

  /// Calls `body` with what appends chunks to a buffer.
  @inline(__always) func withBytes(_ body: (UnsafeRawPointer) -> Void) {
    bytes.withUnsafeBytes { if let base = $0.baseAddress { body(base) } }
  }
}

/// Where the chunk for a part of the primary action stands in `primary`.
extension SessionMachine.Action {
  @inline(__always) var partIndex: Int {
    switch self {
    case .submit, .link: 0
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

  enum Piece: ExpressibleByStringLiteral {
    case raw(String)
    case string(String?)
    init(stringLiteral value: String) { self = .raw(value) }
  }

  mutating func chunk(_ pieces: Piece...) -> ScreenTemplate.Chunk {
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

  mutating func action(_ action: Screen.Action, role: String, _ strings: StringTable) -> [ScreenTemplate.Chunk] {
    map(["false", "true"]) { writer, enabled in
      writer.chunk(
        #"{"id":"#, .string(action.id), #","title":"#, .string(strings.text(action.title)), #","role":"#,
        .string(role), #","enabled":"#, .raw(enabled), "}")
    }
  }

  mutating func item(_ item: Item, _ strings: StringTable) -> ScreenTemplate.ItemChunks {
    var chunks = ScreenTemplate.ItemChunks()
    let title = item.title.map { strings.text($0) }
    let placeholder = item.placeholder.map { strings.text($0) }
    chunks.id = chunk(.string(item.id))
    switch item.kind {
    case .input(let type):
      chunks.shows = item.isSecret ? .filled : .text
      chunks.head = chunk(
        #"{"id":"#, .string(item.id), #","kind":"input","inputType":"#, .string(type.rawValue), #","title":"#,
        .string(title), #","placeholder":"#, .string(placeholder), item.isSecret ? #","filled":"# : #","value":"#)
    case .toggle:
      chunks.shows = .position
      chunks.head = chunk(
        #"{"id":"#, .string(item.id), #","kind":"switch","title":"#, .string(title), #","value":"#)
    }
    chunks.showsValidity = item.showsValidity
    for editable in ["false", "true"] {
      for validity in ViewState.Validity.allCases {
        chunks.tail.append(
          item.showsValidity
            ? chunk(#","editable":"#, .raw(editable), #","validity":"#, .string("\(validity.wireName)"), #","messages":["#)
            : chunk(#","editable":"#, .raw(editable)))
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
