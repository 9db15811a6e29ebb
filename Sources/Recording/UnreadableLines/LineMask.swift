import JSONCodec
import LoginProtocol

/// Makes a text unreadable for people and leaves it as it is for a parser, as far as that goes.
struct LineMask {
  private let line: UnsafeRawBufferPointer
  private var position = 0
  private var text: [UInt8] = []
  /// Names that are no secret, each with what takes its place: equal ones stay equal.
  private var names: [[UInt8]: [UInt8]] = [:]
  private var depth = 0
  /// The key whose value comes next.
  private var key: [UInt8] = []
  /// The id that the answer has, as it stands in the line.
  private let id: UnsafeRawBufferPointer
  /// What takes its place.
  private let recordedID: UnsafeRawBufferPointer

  /// - Parameters:
  ///   - id: the id that the answer has, as it stands in the line; empty if the line has none.
  ///   - recordedID: the JSON text that takes its place. It is filled up with blanks, so that what follows stays where it is.
  static func masked(
    _ line: UnsafeRawBufferPointer, _ id: UnsafeRawBufferPointer, recordedID: UnsafeRawBufferPointer
  ) -> [UInt8] {
    var mask = LineMask(line: line, id: id, recordedID: recordedID)
    mask.run()
    return mask.text
  }

  private init(line: UnsafeRawBufferPointer, id: UnsafeRawBufferPointer, recordedID: UnsafeRawBufferPointer) {
    self.line = line
    self.id = id
    self.recordedID = recordedID
    text.reserveCapacity(line.count)
  }

  private mutating func run() {
    while position < line.count {
      let byte = line[position]
      switch byte {
      case 0x22: string()
      case 0x7B, 0x5B: copy(byte) { $0.depth += 1 }
      case 0x7D, 0x5D: copy(byte) { $0.depth -= 1 }
      case 0x2C: copy(byte) { $0.key = [] }
      case 0x3A, 0x00...0x20: copy(byte) { _ in }
      default: word()
      }
    }
  }

  private mutating func copy(_ byte: UInt8, _ body: (inout LineMask) -> Void) {
    text.append(byte)
    position += 1
    body(&self)
  }

  /// A number, a literal, or nonsense.
  private mutating func word() {
    let start = position
    while position < line.count, !isStructure(line[position]) { position += 1 }
    let word = UnsafeRawBufferPointer(rebasing: line[start..<position])
    let isNumber = word.allSatisfy { $0 >= 0x30 && $0 <= 0x39 || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains($0) }
    if isTopID(word) && isNumber || ["true", "false", "null"].contains(where: { Array($0.utf8).starts(with: word) }) {
      text += word
    } else {
      // Digits say something only as long as nothing else has come.
      var isNumber = true
      for (index, byte) in word.enumerated() {
        switch byte {
        case 0x31...0x39 where isNumber: text.append(0x31)
        case 0x30 where isNumber, 0x2B where isNumber, 0x2D where isNumber, 0x2E where isNumber: text.append(byte)
        case 0x45 where isNumber, 0x65 where isNumber: text.append(byte)
        case 0x80...0xFF: text.append(index > 0 && byte < 0xC0 ? byte & 0x80 : byte & 0xF0)
        default:
          text.append(0x78)
          isNumber = false
        }
      }
    }
    key = []
  }

  /// Whether it is the id that the answer has. In a line that makes no sense anything may stand behind that name.
  private func isTopID(_ text: UnsafeRawBufferPointer) -> Bool {
    depth == 1 && key == Array("id".utf8) && sameBytes(text, id)
  }

  private func isStructure(_ byte: UInt8) -> Bool {
    byte <= 0x20 || [0x22, 0x7B, 0x5B, 0x7D, 0x5D, 0x3A, 0x2C].contains(byte)
  }

  /// A string, its end perhaps missing.
  private mutating func string() {
    let start = position + 1
    var end = start
    while end < line.count, line[end] != 0x22 { end += line[end] == 0x5C ? 2 : 1 }
    end = min(end, line.count)
    // Not a copy: it may be a password.
    let content = UnsafeRawBufferPointer(rebasing: line[start..<end])
    var next = end + 1
    while next < line.count, line[next] == 0x20 || line[next] == 0x09 { next += 1 }
    let isKey = next < line.count && line[next] == 0x3A
    if !isKey, isTopID(UnsafeRawBufferPointer(rebasing: line[position..<min(end + 1, line.count)])) {
      text += recordedID
      text += Array(repeating: 0x20, count: max(0, id.count - recordedID.count))
    } else {
      text.append(0x22)
      if isKey {
        text += name(Array(content))
      } else if depth == 1 && content.elementsEqual("2.0".utf8) {
        text += content
      } else {
        text += LineMask.letters(content)
      }
      if end < line.count { text.append(0x22) }
    }
    position = min(end + 1, line.count)
    key = isKey ? Array(content) : []
  }

  private static let known = Set(
    (["jsonrpc", "id", "method", "params", "result", "error"] + Parameters.Name.allCases.map { "\($0.text)" })
      .map { Array($0.utf8) })

  /// What stands for a name: itself if the protocol has it, else letters of its length, the same for the same.
  private mutating func name(_ content: [UInt8]) -> [UInt8] {
    let plain = LineMask.unescaped(content)
    if LineMask.known.contains(plain) { return content }
    let masked = maskedName(plain)
    guard content.count != plain.count else { return masked }
    // Escapes are kept, so that the length is the same; they stand for the masked letters.
    var text: [UInt8] = []
    var (index, letter) = (0, 0)
    while index < content.count {
      let isLong = content[index...].starts(with: Array(#"\u"#.utf8))
      guard letter < masked.count, content[index] != 0x5C || isLong else { return LineMask.letters(content) }
      let digits = String(masked[letter], radix: 16)
      text += isLong ? Array(#"\u00"#.utf8) + Array((digits.count < 2 ? "0" + digits : digits).utf8) : [masked[letter]]
      index += isLong ? 6 : 1
      letter += 1
      // An escape stands for all bytes of its character.
      while isLong, letter < masked.count, masked[letter] & 0xC0 == 0x80 { letter += 1 }
    }
    return text
  }

  private mutating func maskedName(_ plain: [UInt8]) -> [UInt8] {
    if let before = names[plain] { return before }
    var masked = LineMask.letters(plain)
    var number = names.count
    for index in masked.indices.reversed() where masked[index] == 0x78 && number > 0 {
      masked[index] = 0x61 + UInt8(number % 23)
      number /= 23
    }
    names[plain] = masked
    return masked
  }

  private static func unescaped(_ content: [UInt8]) -> [UInt8] {
    var document = JSONDocument(maximumDepth: 1)
    let text = [0x22] + content + [0x22]
    return text.withUnsafeBytes { bytes in
      guard (try? document.parse(bytes)) != nil, let root = document.root else { return content }
      return Array(document.string(root).utf8)
    }
  }

  /// Letters instead of a string's characters; escapes stay escapes, and what is no UTF-8 stays none.
  private static func letters(_ content: [UInt8]) -> [UInt8] { content.withUnsafeBytes { letters($0) } }

  private static func letters(_ content: UnsafeRawBufferPointer) -> [UInt8] {
    var text: [UInt8] = []
    var index = 0
    while index < content.count {
      let byte = content[index]
      if byte == 0x5C, index + 1 < content.count {
        let escape = escape(UnsafeRawBufferPointer(rebasing: content[index...]))
        text += escape
        index += escape.count
        continue
      }
      switch byte {
      case 0x00...0x1F, 0x5C: text.append(byte)
      case 0x20...0x7F: text.append(0x78)
      // The kind of byte that it is in UTF-8, and nothing of what it says.
      case 0x80...0xBF: text.append(0x80 | byte & 0x30)
      case 0xC2...0xDF: text.append(0xC3)
      case 0xE1...0xEC, 0xEE, 0xEF: text.append(0xE1)
      case 0xF1...0xF3: text.append(0xF1)
      default: text.append(byte)
      }
      index += 1
    }
    return text
  }

  private static func escape(_ rest: UnsafeRawBufferPointer) -> [UInt8] {
    let kind = rest[1]
    guard kind == 0x75 else {
      // A quote or backslash would not tell more than any other.
      let isKnown = [0x22, 0x5C, 0x2F, 0x62, 0x66, 0x6E, 0x72, 0x74].contains(kind)
      return [0x5C, isKnown ? 0x6E : 0x78]
    }
    let digits = Array(rest.dropFirst(2).prefix(4).prefix { Character(Unicode.Scalar($0)).isHexDigit })
    guard digits.count == 4, let value = Int(String(decoding: digits, as: UTF8.self), radix: 16) else {
      return [0x5C, 0x75] + Array(repeating: 0x30, count: digits.count)
    }
    switch value {
    case 0xD800...0xDBFF: return Array(#"\ud83d"#.utf8)
    case 0xDC00...0xDFFF: return Array(#"\ude00"#.utf8)
    default: return Array(#"\u0078"#.utf8)
    }
  }
}
