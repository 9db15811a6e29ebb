import JSONCodec

extension ShownScreen {
  /// Whether a snapshot has exactly the bytes of this screen, with members in the order in which
  /// the engine writes them.
  ///
  /// This screen was read from JSON texts, so a snapshot with the same bytes is valid JSON and need
  /// not be parsed. A snapshot with other bytes may still be equivalent.
  package func isWritten(as snapshot: UnsafeRawBufferPointer) -> Bool {
    var cursor = Cursor(text: snapshot)
    let isHeadSame =
      cursor.skip(#"{"screen":"#, screen) && cursor.skip(#","state":"#, state) && cursor.skip(#","title":"#, title)
      && cursor.skip(#","locale":"#, locale) && cursor.skip(#","direction":"#, direction)
    guard isHeadSame, cursor.skip(#","sections":["#) else { return false }
    for index in sections.indices {
      guard cursor.skip(index > 0 ? #",{"id":""# : #"{"id":""#, sections[index].id), cursor.skip("\""),
        sections[index].title.isEmpty || cursor.skip(#","title":"#, sections[index].title),
        cursor.skip(#","items":["#), cursor.skip(sections[index].items), cursor.skip("}")
      else { return false }
    }
    return cursor.skip(#"],"actions":["#) && cursor.skip(actions) && cursor.skip(#","activity":"#, activity)
      && cursor.skip(#","error":"#, error) && cursor.skip(#","notice":"#, notice) && cursor.skip(#","alert":"#, alert)
      && cursor.skip(#","scene":"#, scene) && cursor.skip(#","retryAt":"#, retryAt)
      && cursor.skip(#","focus":"#, focus) && cursor.skip("}") && cursor.isAtEnd
  }
}

/// A text, and the position up to which it has matched what was expected.
private struct Cursor {
  let text: UnsafeRawBufferPointer
  private var place = 0

  init(text: UnsafeRawBufferPointer) { self.text = text }

  var isAtEnd: Bool { place == text.count }

  private mutating func skip(_ expected: UnsafeRawBufferPointer) -> Bool {
    guard text.count - place >= expected.count,
      sameBytes(UnsafeRawBufferPointer(rebasing: text[place..<(place + expected.count)]), expected)
    else { return false }
    place += expected.count
    return true
  }

  mutating func skip(_ expected: StaticString) -> Bool {
    skip(UnsafeRawBufferPointer(start: expected.utf8Start, count: expected.utf8CodeUnitCount))
  }

  mutating func skip(_ opening: StaticString, _ expected: [UInt8]) -> Bool {
    skip(opening) && expected.withUnsafeBytes { skip($0) }
  }

  /// Advances over the elements of a list and the bracket that closes it. Returns false if the text
  /// does not match.
  mutating func skip(_ parts: [ShownPart]) -> Bool {
    for index in parts.indices {
      guard skip(index > 0 ? "," : "", parts[index].text) else { return false }
    }
    return skip("]")
  }
}
