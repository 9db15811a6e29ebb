public import JSONCodec
public import LoginMachine

/// The options of a selection that has more options than a snapshot shows. They are stored as JSON
/// text and can be found by id.
struct LongList {
  /// The ids of the options, sorted by bytes.
  private let ids: [[UInt8]]
  private let chunks: [ScreenTemplate.Chunk]

  init(_ options: [(id: [UInt8], chunk: ScreenTemplate.Chunk)]) {
    let sorted = options.sorted { $0.id.lexicographicallyPrecedes($1.id) }
    ids = sorted.map(\.id)
    chunks = sorted.map(\.chunk)
  }

  /// The size of the longest option as JSON text, in bytes.
  var longest: Int { chunks.map { Int($0.count) }.max() ?? 0 }

  /// The JSON text of the option with this id; `nil` if there is none.
  func option(_ id: UnsafeRawBufferPointer) -> ScreenTemplate.Chunk? {
    var range = ids.indices
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if ids[middle].lexicographicallyPrecedes(id) {
        range = middle + 1..<range.upperBound
      } else {
        range = range.lowerBound..<middle
      }
    }
    let place = range.lowerBound
    return ids.indices.contains(place) && ids[place].elementsEqual(id) ? chunks[place] : nil
  }
}

extension TemplateWriter {
  /// The long lists of a screen, keyed by the indices of their items.
  mutating func longLists(of screen: Screen, _ strings: StringTable) -> [Int: LongList] {
    var lists: [Int: LongList] = [:]
    for (index, item) in screen.items.enumerated() where screen.traits[index].contains(.isLongList) {
      guard case .selection(let options, _) = item.kind else { continue }
      var written: [(id: [UInt8], chunk: ScreenTemplate.Chunk)] = []
      for option in options {
        written.append((Array(option.id.utf8), chunk { $0.appendOption(option, strings) }))
      }
      lists[index] = LongList(written)
    }
    return lists
  }
}

extension ByteBuffer {
  /// Appends `[{id, title}, …]` with the titles in the language of `strings`.
  public mutating func appendOptions(_ options: [Item.Option], _ strings: StringTable) {
    append(0x5B)
    for (index, option) in options.enumerated() {
      if index > 0 { append(0x2C) }
      appendOption(option, strings)
    }
    append(0x5D)
  }

  mutating func appendOption(_ option: Item.Option, _ strings: StringTable) {
    append(#"{"id":"#)
    appendJSONString(option.id)
    append(#","title":"#)
    appendJSONString(strings.text(option.title))
    append(0x7D)
  }
}
