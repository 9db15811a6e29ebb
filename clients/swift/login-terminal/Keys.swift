/// What a person can press.
enum Key: Equatable {
  /// Typed characters or a paste, UTF-8 without control characters.
  case text([UInt8])
  case enter, tab, backTab, up, down, pageUp, pageDown, left, right, backspace, clear, escape, redraw
  /// Ctrl-Z, Ctrl-C and Ctrl-D: they are for the program, whatever has the focus.
  case suspend, interrupt, quit

  fileprivate var isForProgram: Bool { self == .suspend || self == .interrupt || self == .quit }
}

/// Turns a terminal's bytes into keys, however they are cut into reads.
///
/// A terminal sends more than keys: its answers to questions, which another program may have asked, and what the mouse does. Those are passed over as a
/// whole. An answer that does not end is dropped once the terminal has been silent for a while, and none of it is kept until then.
struct KeyReader {
  private enum State: Equatable {
    case ground
    /// The first bytes of a character that has more.
    case character([UInt8])
    /// ESC, which may be the Escape key.
    case escape
    /// CSI (ESC [), and the parameters of the sequence so far.
    case sequence([UInt8])
    /// SS3 (ESC O), which a key of a keypad follows.
    case keypad
    /// ESC [ [, which a function key of the console of Linux follows.
    case consoleKey
    /// ESC [ M, which so many bytes about the mouse follow.
    case mouse(left: Int)
    /// A string for the program (DCS, OSC, APC, PM, SOS) up to its end, and the byte before.
    case string(endsAtBell: Bool, before: UInt8)
    /// Pasted text, and how much of the mark at its end has come.
    case paste(marked: Int)
  }

  private var state = State.ground
  private var keys: [Key] = []
  private var pasted: [UInt8] = []
  /// When the last bytes came.
  private var fedAt = 0

  private static let escape: UInt8 = 0x1B
  private static let pasteEnd: [UInt8] = Array("\u{1B}[201~".utf8)
  /// A paste longer than this is not for a form; the rest of it is dropped, so that no line to the engine is too long.
  private static let longestPaste = 65_536
  /// No key has as many bytes of parameters.
  private static let longestParameters = 32
  /// For how many milliseconds an ESC may be the beginning of something longer.
  private static let escapeLimit = 50
  /// For how many milliseconds the rest of what has begun may be on its way.
  private static let limit = 1_000

  /// Takes bytes that have come at a time in milliseconds.
  mutating func feed(_ bytes: [UInt8], at time: Int) {
    fedAt = time
    for byte in bytes { take(byte) }
  }

  /// For how many milliseconds the rest of what has begun is awaited; `nil` if nothing has begun.
  func wait(at time: Int) -> Int? {
    guard state != .ground else { return nil }
    return max(0, (state == .escape ? KeyReader.escapeLimit : KeyReader.limit) - (time - fedAt))
  }

  /// The next whole key at a time at which all bytes that had come were fed.
  mutating func next(at time: Int) -> Key? {
    if wait(at: time) == 0 { giveUp() }
    return keys.isEmpty ? nil : keys.removeFirst()
  }

  /// A key for the program itself, ahead of the keys that have not been taken yet.
  mutating func nextForProgram() -> Key? {
    keys.firstIndex(where: \.isForProgram).map { keys.remove(at: $0) }
  }

  /// Ends what has begun and has no end: a lone ESC was the Escape key, and the text of a paste was pasted. The rest was no key.
  private mutating func giveUp() {
    switch state {
    case .escape: keys.append(.escape)
    case .paste: endPaste()
    default: break
    }
    state = .ground
  }

  // MARK: Bytes

  private mutating func take(_ byte: UInt8) {
    switch state {
    case .ground: begin(byte)
    case .character(let bytes): takeRest(of: bytes, byte)
    case .escape: takeEscaped(byte)
    case .sequence(let parameters): takeSequence(parameters, byte)
    case .keypad: takeKeypad(byte)
    case .consoleKey: if byte < 0x20 { begin(byte) } else { state = .ground }
    case .mouse(let left):
      if byte < 0x20 { begin(byte) } else { state = left > 1 ? .mouse(left: left - 1) : .ground }
    case .string(let endsAtBell, let before): takeString(endsAtBell, before, byte)
    case .paste(let marked): takePasted(marked, byte)
    }
  }

  private mutating func begin(_ byte: UInt8) {
    state = .ground
    switch byte {
    case KeyReader.escape: state = .escape
    case ..<0x20, 0x7F: if let key = KeyReader.control(byte) { keys.append(key) }
    case ..<0x80: keys.append(.text([byte]))
    case 0xC2...0xF4: state = .character([byte])
    default: break  // no character begins like this
    }
  }

  private static func control(_ byte: UInt8) -> Key? {
    switch byte {
    case 0x03: .interrupt  // Ctrl-C
    case 0x04: .quit  // Ctrl-D
    case 0x08, 0x7F: .backspace
    case 0x09: .tab
    case 0x0A, 0x0D: .enter
    case 0x0C: .redraw  // Ctrl-L
    case 0x15: .clear  // Ctrl-U
    case 0x1A: .suspend  // Ctrl-Z
    default: nil
    }
  }

  private mutating func takeRest(of bytes: [UInt8], _ byte: UInt8) {
    guard (0x80..<0xC0).contains(byte) else { return begin(byte) }
    let character = bytes + [byte]
    guard character.count == (bytes[0] < 0xE0 ? 2 : bytes[0] < 0xF0 ? 3 : 4) else {
      state = .character(character)
      return
    }
    state = .ground
    if character[0] == 0xC2 && byte < 0xA0 {
      introduce(byte)
    } else if String(validating: character, as: UTF8.self) != nil {
      keys.append(.text(character))
    }
  }

  private mutating func takeEscaped(_ byte: UInt8) {
    state = .ground
    switch byte {
    case KeyReader.escape:
      keys.append(.escape)
      state = .escape
    case 0x40..<0x60: introduce(byte + 0x40)
    default: break  // Alt with a key
    }
  }

  /// Takes a control character of the second set (C1), which is written as such or as ESC and a letter.
  private mutating func introduce(_ control: UInt8) {
    state =
      switch control {
      case 0x8F: .keypad
      case 0x9B: .sequence([])
      case 0x9D: .string(endsAtBell: true, before: 0)
      case 0x90, 0x98, 0x9E, 0x9F: .string(endsAtBell: false, before: 0)
      default: .ground
      }
  }

  // MARK: Sequences

  private mutating func takeSequence(_ parameters: [UInt8], _ byte: UInt8) {
    switch byte {
    case 0x20..<0x40:
      state = .sequence(parameters.count < KeyReader.longestParameters ? parameters + [byte] : parameters)
    case UInt8(ascii: "[") where parameters.isEmpty: state = .consoleKey
    case UInt8(ascii: "M") where parameters.isEmpty: state = .mouse(left: 3)
    case UInt8(ascii: "~") where parameters == Array("200".utf8): state = .paste(marked: 0)
    case 0x40..<0x7F:
      state = .ground
      if let key = KeyReader.key(parameters, byte) { keys.append(key) }
    default: begin(byte)
    }
  }

  /// The key of a sequence; `nil` for another key, and for all that is none: keys have numbers with `;` between them, and nothing else.
  private static func key(_ parameters: [UInt8], _ end: UInt8) -> Key? {
    guard parameters.count < longestParameters,
      parameters.allSatisfy({ (0x30..<0x3A).contains($0) || $0 == UInt8(ascii: ";") })
    else { return nil }
    switch end {
    case UInt8(ascii: "Z"): return .backTab
    case UInt8(ascii: "~"): return parameters == [0x35] ? .pageUp : parameters == [0x36] ? .pageDown : nil
    default: return arrow(end)
    }
  }

  private static func arrow(_ letter: UInt8) -> Key? {
    switch letter {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    default: nil
    }
  }

  private mutating func takeKeypad(_ byte: UInt8) {
    switch byte {
    case 0x30..<0x3C: break  // which keys are held
    case 0x40..<0x7F:
      state = .ground
      if let key = byte == UInt8(ascii: "M") ? .enter : KeyReader.arrow(byte) { keys.append(key) }
    default: begin(byte)
    }
  }

  private mutating func takeString(_ endsAtBell: Bool, _ before: UInt8, _ byte: UInt8) {
    let isOver = before == KeyReader.escape && byte == UInt8(ascii: "\\") || before == 0xC2 && byte == 0x9C
    if isOver || endsAtBell && byte == 0x07 {
      state = .ground
    } else if before == KeyReader.escape && byte != KeyReader.escape {
      // Something else has begun, and the string has no end.
      takeEscaped(byte)
    } else {
      state = .string(endsAtBell: endsAtBell, before: byte)
    }
  }

  // MARK: Pastes

  private mutating func takePasted(_ marked: Int, _ byte: UInt8) {
    if byte == KeyReader.pasteEnd[marked] {
      state = .paste(marked: marked + 1)
      if marked + 1 == KeyReader.pasteEnd.count { endPaste() }
    } else {
      let isMark = byte == KeyReader.escape
      let text = KeyReader.pasteEnd[..<marked] + (isMark ? [] : [byte])
      pasted += text.prefix(max(0, KeyReader.longestPaste - pasted.count))
      state = .paste(marked: isMark ? 1 : 0)
    }
  }

  private mutating func endPaste() {
    state = .ground
    let text: String.UnicodeScalarView = String(decoding: pasted, as: UTF8.self).unicodeScalars.filter {
      $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value)
    }
    pasted = []
    if !text.isEmpty { keys.append(.text(Array(String(text).utf8))) }
  }
}
