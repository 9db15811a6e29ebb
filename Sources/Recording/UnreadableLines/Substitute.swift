import JSONCodec
import LoginProtocol

/// A substitute in a recording for a line that could not be parsed. Such a line may contain a
/// secret anywhere, so none of its bytes are kept: a new line with the same error is made from its
/// reason, length, offset and id.
enum Substitute {
  /// The step with a line that leads to the same error reply as the unreadable line. If the id of
  /// that line is a secret, the reply has another id. If no such line is found, the step is a note
  /// that states the length of the unreadable line.
  ///
  /// - Parameter id: the JSON text of the reply's id in the recording; empty for `null`.
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

  /// The beginning of a substitute line. It can be padded with a byte, so that the error is at the
  /// right offset.
  private struct Head {
    let text: [UInt8]
    let filler: UInt8

    /// Makes the beginning of a substitute line.
    ///
    /// - Parameter isOpen: whether the text ends within a string, in which letters are better
    ///   padding than spaces.
    init(_ known: [UInt8], _ text: String, isOpen: Bool = false) {
      self.text = known + Array(text.utf8)
      filler = isOpen ? 0x78 : 0x20
    }

    func filled(to count: Int) -> [UInt8] { text + Array(repeating: filler, count: max(0, count - text.count)) }
  }

  /// The candidates for the substitute line, in the order in which they are tried. Each is made
  /// only after all earlier ones have turned out to lead to another error.
  private static func candidates(_ unreadable: UnreadableLine, _ id: UnsafeRawBufferPointer) -> [() -> [UInt8]] {
    let count = unreadable.bytes.count
    let known = id.isEmpty ? [] : Array(#"{"id":"#.utf8) + id
    let inString = Head(known, id.isEmpty ? "" : #","x":""#, isOpen: true)
    // A replay pads a long line with letters.
    if case .tooLong = unreadable.reason { return [{ inString.filled(to: count) }] }
    let heads =
      id.isEmpty
      ? [
        Head([], ""), Head([], "{"), Head([], "0"), Head([], "\"", isOpen: true), Head([], "{\"", isOpen: true),
        Head([], #"{"":0"#), Head([], #"{"x":0"#), Head([], #"{"x":"#), Head([], "["),
      ]
      : [
        Head(known, ","), Head(known, ""), Head(known, #","x""#), Head(known, #","x":"#), Head(known, #","x":["#),
        Head(known, #","x":0"#), inString, Head(known, #",""#, isOpen: true),
      ]
    let whole = heads.map { head in { head.filled(to: count) } }
    guard let offset = unreadable.error.details.first(where: { $0.key == "offset" })?.value.integer, offset <= count
    else { return whole }
    // In some malformed lines the id is recovered although it follows the error.
    let identified = Array(#","id":"#.utf8) + id + [0x7D]
    let beforeID =
      id.isEmpty
      ? []
      : wrongInStrings.map { (Head([], "{\"", isOpen: true), $0 + Array(":0".utf8) + identified) }
        + [
          (Head([], #"{"x":0"#), Array(#","x":1"#.utf8) + identified),
          (Head([], #"{"":0"#), Array(#","":1"#.utf8) + identified),
        ]
    let places = heads.flatMap { head in (wrongBytes + wrongTexts + wrongInStrings).map { (head, $0) } } + beforeID
    return whole
      + places.flatMap { head, tail in
        tail.indices.filter { head.text.count + $0 <= offset }.map { shift in
          { head.filled(to: offset - shift) + tail }
        }
      }
  }

  /// Bytes that are an error at some positions in a JSON text.
  private static var wrongBytes: [[UInt8]] {
    [0x78, 0x22, 0x7D, 0x5D, 0x2C, 0x3A, 0x01, 0xC3, 0x5C, 0xFF].map { [$0] }
  }

  /// Texts with an error: duplicate names, malformed numbers, superfluous brackets, and brackets
  /// that are nested too deeply.
  private static var wrongTexts: [[UInt8]] {
    [#","x":1,"x":2}"#, #","":1}"#, #","id":1}"#, "}x", "}}", "]", "-,", "-x", "0.,", "1e,", "01", "0x"]
      .map { Array($0.utf8) } + [Array(repeating: 0x5B, count: 66)]
  }

  /// Texts that continue an open JSON string with an error, and then close the string.
  private static var wrongInStrings: [[UInt8]] {
    [#"\ud800""#, #"\ud800x""#, #"\ud800\u0078""#, #"\udc00""#, #"\x""#, #"\u0x""#, #"\u00x""#, #"\u000x""#]
      .map { Array($0.utf8) }
      + [[0xFF, 0x22], [0xC3, 0x22], [0xE1, 0x80, 0x22], [0xF1, 0x80, 0x80, 0x22], [0x80, 0x22], [0x01, 0x22]]
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
    // Everything that matters in a line that is too long is at its beginning.
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
