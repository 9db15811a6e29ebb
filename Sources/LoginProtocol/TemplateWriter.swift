import JSONCodec
import LoginMachine

/// Writes the chunks of a screen's template, one after another, into one buffer.
struct TemplateWriter: ~Copyable {
  var bytes: ByteBuffer
  var tails: [ScreenTemplate.Chunk] = []
  var openings: [ScreenTemplate.Chunk] = []

  enum Piece: ExpressibleByStringLiteral {
    case raw(String)
    case string(String)
    case json([UInt8])
    init(stringLiteral value: String) { self = .raw(value) }
  }

  init(capacity: Int) { bytes = ByteBuffer(capacity: capacity) }

  mutating func chunk(_ pieces: Piece...) -> ScreenTemplate.Chunk { chunk(pieces) }

  mutating func chunk(_ pieces: [Piece]) -> ScreenTemplate.Chunk {
    let start = bytes.count
    for piece in pieces {
      switch piece {
      case .raw(let text): bytes.append(text)
      case .string(let text): bytes.appendJSONString(text)
      case .json(let text): bytes.append(text)
      }
    }
    return .init(start: Int32(truncatingIfNeeded: start), count: Int32(truncatingIfNeeded: bytes.count - start))
  }

  /// Makes a chunk of the bytes that `write` appends.
  mutating func chunk(_ write: (inout ByteBuffer) -> Void) -> ScreenTemplate.Chunk {
    let start = bytes.count
    write(&bytes)
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
      #"","enabled":"#, isEnabled ? "true" : "false",
    ]
  }

  private func pieces(part: Screen.Action, isEnabled: Bool, _ strings: StringTable) -> [Piece] {
    pieces(part, role: "primary", isEnabled: isEnabled, strings) + ["}"]
  }

  /// The JSON of a link that is not throttled. Only links with a request can be throttled, so only
  /// these have `retryAt`.
  private func pieces(link: Screen.Link, isEnabled: Bool, _ strings: StringTable) -> [Piece] {
    pieces(link.action, role: "link", isEnabled: isEnabled, strings)
      + [link.request == nil ? "}" : #","retryAt":null}"#]
  }

  /// Writes two chunks for one role of the primary action: one for the disabled action and one for
  /// the enabled action.
  mutating func primary(_ part: Screen.Action, _ strings: StringTable) -> [ScreenTemplate.Chunk] {
    [false, true].map { chunk(pieces(part: part, isEnabled: $0, strings)) }
  }

  /// Writes two chunks for a link: one for the disabled link and one for the enabled link.
  mutating func link(_ link: Screen.Link, _ strings: StringTable) -> [ScreenTemplate.Chunk] {
    [false, true].map { chunk(pieces(link: link, isEnabled: $0, strings)) }
  }

  /// For each look (a combination of editability and validity) of each item, writes a chunk: the
  /// end of the item after its value, followed by the start of the next item. `leads` are the
  /// starts of the items.
  mutating func joints(_ leads: [Piece]) -> [ScreenTemplate.Chunk] {
    var chunks: [ScreenTemplate.Chunk] = []
    for index in leads.indices {
      let next = leads[(index + 1)...].first ?? ""
      for look in 0..<ScreenTemplate.looks {
        chunks.append(chunk(copy(of: tails[index * ScreenTemplate.looks + look]), next))
      }
    }
    return chunks
  }

  /// A piece with the bytes of a chunk.
  private func copy(of chunk: ScreenTemplate.Chunk) -> Piece {
    .json(bytes.withBytes { Array($0[Int(chunk.start)..<Int(chunk.start + chunk.count)]) })
  }

  mutating func feet(
    after end: [Piece], _ parts: [Screen.Action], _ links: [Screen.Link], then rest: ScreenTemplate.Chunk,
    _ strings: StringTable
  ) -> [ScreenTemplate.Chunk] {
    let rest = copy(of: rest)
    let tails = [false, true].map { isEnabled in
      joined(links.flatMap { [","] + pieces(link: $0, isEnabled: isEnabled, strings) } + ["]"])
    }
    var chunks: [ScreenTemplate.Chunk] = []
    for part in parts {
      for isEnabled in [false, true] {
        let head = joined(end + [#","actions":["#] + pieces(part: part, isEnabled: isEnabled, strings))
        for tail in tails { chunks.append(chunk(head, tail, rest)) }
      }
    }
    return chunks
  }

  /// The text from the start of a focus up to its revision.
  static func focus(on id: String) -> [Piece] { [#"{"on":"#, .string(id), #","since":"#] }

  /// Joins pieces into one. Use it for a sequence of pieces that occurs in many chunks.
  func joined(_ pieces: [Piece]) -> Piece {
    var writer = TemplateWriter(capacity: 512)
    _ = writer.chunk(pieces)
    return .json(writer.bytes.array())
  }

  /// The members of an item that tell users in advance what its rules require, and the item's hint.
  private func expectations(of item: Item, _ strings: StringTable) -> [Piece] {
    var pieces = member("hint", item.hints.description.map { strings.text($0) })
    if item.isRequired { pieces.append(#","required":true"#) }
    if let length = item.minimumLength { pieces += [#","minLength":"#, .raw(String(length))] }
    if let length = item.maximumLength { pieces += [#","maxLength":"#, .raw(String(length))] }
    return pieces + member("pattern", item.sharedPattern)
  }

  /// A member with a leading comma; no pieces if the value is `nil`.
  private func member(_ name: StaticString, _ text: String?) -> [Piece] {
    text.map { [.raw(",\"\(name)\":"), .string($0)] } ?? []
  }

  /// Writes the chunks of an item. Also returns, as a piece, the text from the start of the item up
  /// to its value.
  mutating func item(_ item: Item, _ strings: StringTable) -> (ScreenTemplate.ItemChunks, start: Piece) {
    var chunks = ScreenTemplate.ItemChunks()
    let title = member("title", item.title.map { strings.text($0) })
    let placeholder = member("placeholder", item.placeholder.map { strings.text($0) })
    chunks.id = chunk(.string(item.id))
    chunks.showsValidity = item.showsValidity
    let emphasis = member("emphasis", item.emphasis?.rawValue)
    let expectations = expectations(of: item, strings)
    var head: [Piece]
    switch item.kind {
    case .input(let type, _):
      chunks.shows = item.isSecret ? .filled : .text
      head = [#","kind":"input","inputType":"#, .string(type.rawValue)]
      head += member("keyboard", item.hints.keyboard?.rawValue) + member("autofill", item.hints.autofill)
      head += member("enterKey", item.hints.enterKey?.rawValue) + emphasis + title + placeholder + expectations
      head.append(item.isSecret ? #","filled":"# : #","value":"#)
    case .selection(let options, _) where options.count > Item.maximumShownOptions:
      chunks.shows = .pick
      head = [#","kind":"selection""#] + emphasis
      head += title + expectations + [#","optionCount":"#, .raw(String(options.count)), ","]
    case .selection(let options, _):
      chunks.shows = .text
      head = [#","kind":"selection""#] + emphasis + title + expectations + [#","options":["#]
      for (index, option) in options.enumerated() {
        if index > 0 { head.append(",") }
        head += [#"{"id":"#, .string(option.id), #","title":"#, .string(strings.text(option.title)), "}"]
      }
      head.append(#"],"value":"#)
    case .switch:
      chunks.shows = .position
      head = [#","kind":"switch""#] + emphasis + title + expectations + [#","value":"#]
    case .text:
      chunks.shows = .nothing
      head = [#","kind":"text""#] + emphasis + title
    case .link(let url):
      chunks.shows = .nothing
      head = [#","kind":"link""#] + emphasis + title + [#","url":"#, .string(url)]
    case .code(let text, let format):
      chunks.shows = .nothing
      head = [#","kind":"code","format":"#, .string(format.rawValue)] + emphasis
      head += title + [#","text":"#, .string(text)]
    case .external(let external):
      chunks.shows = .json
      head = [#","kind":"external","type":"#, .string(external.type)] + emphasis + title
      head += member("text", external.text.map { strings.text($0) })
      if let request = external.request { head += [#","request":"#, .json(request)] }
      head += expectations + [#","value":"#]
    }
    let start = joined([#"{"id":"#, .string(item.id)] + head)
    chunks.start = chunk(start)
    chunks.focus = chunk(TemplateWriter.focus(on: item.id))
    for editable: Piece in ["false", "true"] {
      for validity in ViewState.Validity.allCases {
        if chunks.shows == .nothing {
          openings.append(chunk())
          tails.append(chunk("}"))
          continue
        }
        var opening: [Piece] =
          item.isReadOnly ? [#","readOnly":true,"editable":false"#] : [#","editable":"#, editable]
        if item.showsValidity { opening += [#","validity":"#, .string("\(validity.wireName)"), #","messages":["#] }
        openings.append(chunk(opening))
        tails.append(chunk(opening + [item.showsValidity ? "]}" : "}"]))
      }
    }
    for rule in item.rules {
      chunks.failures.append(chunk { $0.appendMessage(rule.failure, strings) })
    }
    return (chunks, start)
  }
}

/// Makes the text between items: a comma, or the end of a section and the start of the next.
/// Sections without items are included.
struct SectionSeparators {
  private let sections: [Screen.Section]
  private let strings: StringTable
  private var opened = 0

  init(_ screen: Screen, _ strings: StringTable) {
    sections = screen.sections
    self.strings = strings
  }

  /// The text from the start of a section up to its first item.
  static func beginning(of section: Screen.Section, _ strings: StringTable) -> [TemplateWriter.Piece] {
    var pieces: [TemplateWriter.Piece] = [#"{"id":"#, .string(section.id)]
    if let title = section.title { pieces += [#","title":"#, .string(strings.text(title))] }
    return pieces + [#","items":["#]
  }

  /// The text between an item and the one before it. Call for each item of the screen, in order.
  mutating func next(before item: Int) -> [TemplateWriter.Piece] {
    var pieces: [TemplateWriter.Piece] = []
    while opened < sections.count, opened == 0 || !sections[opened - 1].items.contains(item) { open(&pieces) }
    return pieces.isEmpty ? [","] : pieces
  }

  /// The text after the last item.
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
