import EngineEvents
import JSONCodec
import LoginProtocol

/// What a recording has instead of a line that could not be read. Such a line may hold a secret anywhere, so none of its bytes stay: another line is made
/// that leads to the same error, from its reason, length, offset and id.
enum Substitute {
  /// The step that leads to the same error reply, with another id if the line's own is a secret. If there is none to be found, a note of how
  /// long the line was.
  ///
  /// - Parameter id: the JSON text that the recording has for the id of the reply; empty for `null`.
  static func step(
    for unreadable: UnreadableLine, recordedID id: UnsafeRawBufferPointer, maximumLineBytes: Int
  ) -> TranscriptStep {
    let (line, reason, error) = (unreadable.bytes, unreadable.reason, unreadable.error)
    let expected = reply(error, id)
    for candidate in candidates(unreadable, id) {
      if let step = step(candidate(), line.count, reason, expected, maximumLineBytes) { return step }
    }
    return .note("A line of \(line.count) bytes that cannot be written down was answered with \(error.name).")
  }

  /// Each is made only when those before have not led to the same.
  private static func candidates(_ unreadable: UnreadableLine, _ id: UnsafeRawBufferPointer) -> [() -> [UInt8]] {
    let (line, error) = (unreadable.bytes, unreadable.error)
    // All that counts is the id, and that the line is as long as it is.
    let head = id.isEmpty ? Array("{".utf8) : Array(#"{"id":"#.utf8) + id + [0x2C]
    var candidates = [
      { head + Array(repeating: 0x20, count: max(0, line.count - head.count)) },
      { Array(repeating: 0x78, count: line.count) },
    ]
    if let offset = error.details.first(where: { $0.key == "offset" })?.value.integer, offset <= line.count {
      // Only what comes before the error counts; a byte that can stand nowhere takes the place of the rest.
      candidates.append { head + Array(repeating: 0x20, count: max(0, offset - head.count)) + [0x78] }
      if id.isEmpty, offset > 0 { candidates.append { [0x30] + Array(repeating: 0x20, count: offset - 1) + [0x78] } }
      candidates += wrongByteCandidates(at: offset, id) + wrongTailCandidates(at: offset, id)
    }
    return candidates
  }

  /// Lines that come to a place of each kind with nothing but the id before it, and have there a byte that may be wrong.
  private static func wrongByteCandidates(at offset: Int, _ id: UnsafeRawBufferPointer) -> [() -> [UInt8]] {
    let known = Array((id.isEmpty ? #"{"x":0"# : #"{"id":"#).utf8) + id
    return ["", ",", #","x""#, #","x":"#, #","x":["#, #","x":0"#, #","x":"xx"#].flatMap { more in
      let head = known + Array(more.utf8)
      guard head.count <= offset else { return [() -> [UInt8]]() }
      let filler: UInt8 = more.hasSuffix("xx") ? 0x78 : 0x20
      return [0x78, 0x22, 0x7D, 0x5D, 0x2C, 0x3A, 0x01, 0xC3, 0x5C].map { (byte: UInt8) in
        { head + Array(repeating: filler, count: offset - head.count) + [byte] }
      }
    }
  }

  /// Lines with nothing but the id before something that may be wrong at a place, which lies somewhere in it.
  private static func wrongTailCandidates(at offset: Int, _ id: UnsafeRawBufferPointer) -> [() -> [UInt8]] {
    let known = Array((id.isEmpty ? #"{"x":0"# : #"{"id":"#).utf8) + id
    let inStrings: [[UInt8]] =
      [#"\ud800""#, #"\ud800x""#, #"\ud800\u0078""#, #"\udc00""#, #"\x""#, #"\u0x""#, #"\u00x""#, #"\u000x""#].map {
        Array($0.utf8)
      }
      + [[0xFF, 0x22], [0xC3, 0x22], [0xE1, 0x80, 0x22], [0xF1, 0x80, 0x80, 0x22], [0x80, 0x22], [0x01, 0x22]]
    let betweenMembers = [#","x":1,"x":2}"#, #","id":1}"#, "}x", "}}", "]"].map { Array($0.utf8) }
    // Of some lines that are wrong the id is known although it stands behind that.
    let beforeID = inStrings.map { $0 + Array(#":0,"id":"#.utf8) + id + [0x7D] }
    let places: [(head: [UInt8], filler: UInt8, tails: [[UInt8]])] = [
      (known + Array(#","x":""#.utf8), 0x78, inStrings), (known + Array(#",""#.utf8), 0x78, inStrings),
      (known, 0x20, betweenMembers), (Array(#"{""#.utf8), 0x78, id.isEmpty ? [] : beforeID),
    ]
    return places.flatMap { head, filler, tails in
      tails.flatMap { tail in
        (0..<tail.count).filter { head.count + $0 <= offset }.map { shift in
          { head + Array(repeating: filler, count: offset - shift - head.count) + tail }
        }
      }
    }
  }

  private static func step(
    _ text: [UInt8], _ count: Int, _ reason: UnreadableLine.Reason, _ expected: [UInt8], _ maximum: Int
  ) -> TranscriptStep? {
    var document = JSONDocument()
    let outcome: [UInt8]? = text.withUnsafeBytes { bytes in
      let error: RPCError
      do throws(JSONError) {
        try document.parse(bytes)
        guard reason != .malformed else { return nil }
        error = .parseError(JSONError(.empty, at: 0))
      } catch let problem {
        error = .parseError(problem)
      }
      let id = IncomingMessage.recoveredID(document)
      switch reason {
      case .malformed: return reply(error, id)
      case .tooLong: return reply(.lineTooLong(maximum: maximum), id)
      case .unterminated: return reply(.lineUnterminated(count: bytes.count), id)
      }
    }
    guard outcome == expected, !text.contains(0x0A) else { return nil }
    switch reason {
    case .malformed: return written(text, "")
    case .unterminated: return written(text, #","unterminated":true"#)
    // What is there to say about a line that is too long stands at its beginning.
    case .tooLong:
      var short = text
      while short.last == 0x78 || short.last == 0x20 { short.removeLast() }
      return written(short, #","length":\#(maximum + 2)"#)
    }
  }

  private static func written(_ text: [UInt8], _ more: String) -> TranscriptStep {
    if String(validating: text, as: UTF8.self) != nil { return .text("raw", text, more) }
    var digits: [UInt8] = []
    for byte in text {
      for digit: UInt8 in [byte >> 4, byte & 15] { digits.append(digit < 10 ? 0x30 + digit : 0x57 + digit) }
    }
    return .text("rawBase16", digits, more)
  }

  private static func reply(_ error: RPCError, _ id: UnsafeRawBufferPointer) -> [UInt8] {
    var text = ByteBuffer()
    text.appendErrorReply(error, id: id)
    return text.array()
  }
}
