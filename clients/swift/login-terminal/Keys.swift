/// A key that the user has pressed, or text that the user has pasted.
enum Key: Equatable {
  /// Typed characters or pasted text, in UTF-8 without control characters.
  case text([UInt8])
  case enter, tab, backTab, up, down, pageUp, pageDown, left, right, backspace, clear, escape, redraw
  /// Ctrl-Z, Ctrl-C and Ctrl-D. The program handles them itself, wherever the focus is.
  case suspend, interrupt, quit

  fileprivate var isForProgram: Bool { self == .suspend || self == .interrupt || self == .quit }
}

/// Parses the bytes that a terminal sends into keys. The result does not depend on how the bytes
/// are split into reads.
///
/// A terminal also sends mouse events, and replies to queries that another program may have made.
/// Both are skipped as a whole. An incomplete reply is dropped once the terminal has been silent
/// for a while, and is never stored.
struct KeyReader {
  private enum State: Equatable {
    case ground
    /// The first bytes of a multibyte character were read.
    case character([UInt8])
    /// ESC was read. It is the Escape key or the beginning of a sequence.
    case escape
    /// CSI (ESC [) was read, and these parameters of the sequence.
    case sequence([UInt8])
    /// SS3 (ESC O) was read. The letter of a keypad key follows.
    case keypad
    /// ESC [ [ was read. The letter of a function key of the Linux console follows.
    case consoleKey
    /// ESC [ M was read. `left` is how many bytes of a mouse event still follow.
    case mouse(left: Int)
    /// A control string (DCS, OSC, APC, PM, SOS) has begun and not ended. `before` is the last byte
    /// read.
    case string(endsAtBell: Bool, before: UInt8)
    /// Pasted text has begun. `marked` is how many bytes of the marker that ends the paste were
    /// just read.
    case paste(marked: Int)
  }

  private var state = State.ground
  private var keys: [Key] = []
  private var pasted: [UInt8] = []
  /// When the last bytes arrived, in milliseconds.
  private var fedAt = 0

  private static let escape: UInt8 = 0x1B
  private static let pasteEnd: [UInt8] = Array("\u{1B}[201~".utf8)
  /// The maximum number of bytes of a paste that are kept. Further bytes are dropped, so that the
  /// line to the engine does not become too long.
  private static let longestPaste = 65_536
  /// The largest number of parameter bytes in a sequence. No key sends so many.
  private static let longestParameters = 32
  /// How long after an ESC the rest of a sequence may arrive, in milliseconds. After that the ESC
  /// is the Escape key.
  private static let escapeLimit = 50
  /// How long the rest of an incomplete sequence may take to arrive, in milliseconds.
  private static let limit = 1_000

  /// Parses bytes that the terminal has sent. `time` is when they arrived, in milliseconds.
  mutating func feed(_ bytes: [UInt8], at time: Int) {
    fedAt = time
    for byte in bytes { take(byte) }
  }

  /// For how many more milliseconds the rest of a sequence may arrive; `nil` if no sequence has
  /// begun.
  func wait(at time: Int) -> Int? {
    guard state != .ground else { return nil }
    return max(0, (state == .escape ? KeyReader.escapeLimit : KeyReader.limit) - (time - fedAt))
  }

  /// Removes and returns the next complete key; `nil` if there is none. Call it when all bytes that
  /// are available at `time` were fed.
  mutating func next(at time: Int) -> Key? {
    if wait(at: time) == 0 { giveUp() }
    return keys.isEmpty ? nil : keys.removeFirst()
  }

  /// Removes and returns the next key that the program handles itself (Ctrl-Z, Ctrl-C or Ctrl-D),
  /// even if other keys were pressed before it.
  mutating func nextForProgram() -> Key? {
    keys.firstIndex(where: \.isForProgram).map { keys.remove(at: $0) }
  }

  /// Gives up waiting for the rest of a sequence: a lone ESC becomes the Escape key, and text
  /// pasted so far is kept. Everything else is dropped.
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

  /// Handles a C1 control character. Terminals send it as one character, or as ESC and a letter.
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

  /// The key for which a CSI sequence stands; `nil` if it stands for no known key. The parameters
  /// of keys are numbers separated by `;`.
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
      // A new escape sequence has begun although the control string did not end: treat the string
      // as ended.
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
