/// What a person can press.
enum Key: Equatable {
  /// Typed characters or a paste, UTF-8 without control characters.
  case text([UInt8])
  case enter, tab, backTab, up, down, pageUp, pageDown, left, right, backspace, clear, escape, redraw, quit
}

/// Turns a terminal's bytes into keys, however they are cut into reads.
struct KeyReader {
  private var buffer: [UInt8] = []
  private static let escape: UInt8 = 0x1B
  private static let pasteEnd: [UInt8] = Array("\u{1B}[201~".utf8)
  /// A paste longer than this is not for a form; the rest of it is dropped, so that no line to the engine is too long.
  private static let longestPaste = 65_536

  mutating func feed(_ bytes: [UInt8]) { buffer += bytes }

  /// Whether the bytes so far could be the Escape key or the beginning of something longer: only time can tell.
  var isUndecided: Bool { buffer.first == Self.escape && !isInPaste }

  private var isInPaste: Bool { buffer.starts(with: Array("\u{1B}[200~".utf8)) }

  /// Whether the person wants to leave, among keys that have not been taken yet.
  var holdsQuit: Bool { !isInPaste && buffer.contains { $0 == 0x03 || $0 == 0x04 } }

  /// The next whole key.
  ///
  /// - Parameter isLate: that nothing has followed for a while, so an Escape that stands alone is the Escape key.
  mutating func next(isLate: Bool = false) -> Key? {
    while let first = buffer.first {
      if first == Self.escape {
        if isInPaste { return paste() }
        if isLate && !isSequence {
          buffer.removeAll()
          return .escape
        }
        guard let (key, length) = sequence() else { return nil }
        buffer.removeFirst(length)
        if let key { return key }
        continue
      }
      if first < 0x20 || first == 0x7F {
        buffer.removeFirst()
        if let key = control(first) { return key }
        continue
      }
      guard let length = characterLength(), buffer.count >= length else { return nil }
      let character = Array(buffer[..<length])
      buffer.removeFirst(length)
      if String(validating: character, as: UTF8.self) != nil { return .text(character) }
    }
    return nil
  }

  private func control(_ byte: UInt8) -> Key? {
    switch byte {
    case 0x03, 0x04: .quit  // Ctrl-C, Ctrl-D
    case 0x08, 0x7F: .backspace
    case 0x09: .tab
    case 0x0A, 0x0D: .enter
    case 0x0C: .redraw  // Ctrl-L
    case 0x15: .clear  // Ctrl-U
    default: nil
    }
  }

  private func characterLength() -> Int? {
    guard let first = buffer.first else { return nil }
    return first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
  }

  private var isSequence: Bool { sequence() != nil }

  /// The escape sequence at the front and its length, without a key where it means nothing here; `nil` while incomplete.
  private func sequence() -> (Key?, Int)? {
    guard buffer.count > 1 else { return nil }
    guard buffer[1] == UInt8(ascii: "[") || buffer[1] == UInt8(ascii: "O") else {
      return buffer[1] == Self.escape ? (.escape, 1) : (nil, 2)  // Alt with a key
    }
    guard let end = buffer.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else { return nil }
    let key: Key? =
      switch buffer[end] {
      case UInt8(ascii: "A"): .up
      case UInt8(ascii: "B"): .down
      case UInt8(ascii: "C"): .right
      case UInt8(ascii: "D"): .left
      case UInt8(ascii: "Z"): .backTab
      case UInt8(ascii: "M"): .enter  // the keypad's
      case UInt8(ascii: "~"):
        switch Array(buffer[2..<end]) {
        case [UInt8(ascii: "5")]: .pageUp
        case [UInt8(ascii: "6")]: .pageDown
        default: nil
        }
      default: nil
      }
    return (key, end + 1)
  }

  private mutating func paste() -> Key? {
    let start = 6
    guard let end = buffer.indices.dropFirst(start).first(where: { buffer[$0...].starts(with: Self.pasteEnd) }) else {
      if buffer.count > Self.longestPaste * 2 { buffer.removeSubrange(Self.longestPaste..<(buffer.count - 6)) }
      return nil
    }
    let text = buffer[start..<min(end, Self.longestPaste)].filter { $0 >= 0x20 && $0 != 0x7F }
    buffer.removeFirst(end + Self.pasteEnd.count)
    return .text(Array(String(decoding: text, as: UTF8.self).utf8))
  }
}
