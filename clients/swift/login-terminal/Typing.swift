/// A line that the user is typing at a terminal. This program echoes it, except secrets.
struct Typing {
  enum Event {
    case line(Draft)
    /// The user has pressed Ctrl-D on an empty line.
    case end
    case interrupt
  }

  var keys = KeyReader()
  private var draft = Draft()
  /// The text that the program has echoed on the terminal's current row.
  private var echoed = ""
  /// If the line contains a secret: the part of the line that may be shown. Once this is set, no
  /// more of the line is shown, even if the screen changes meanwhile.
  private var hidden: String?

  /// Makes the terminal's current row available for other output. Returns whether something had
  /// been echoed on that row.
  mutating func leaveRow() -> Bool {
    defer { echoed = "" }
    return !echoed.isEmpty
  }

  /// The next event that results from the keys pressed so far, such as a complete line; `nil` if
  /// there is none.
  ///
  /// - Parameters:
  ///   - prompt: the text before the line.
  ///   - sees: returns the part of a line that may be shown; `nil` for all of it.
  ///   - echo: writes to the terminal.
  mutating func next(
    at time: Int, prompt: String, sees: ([UInt8]) -> String?, echo: ([UInt8]) -> Void
  ) -> Event? {
    show(prompt, sees, echo)
    while let key = keys.next(at: time) {
      switch key {
      case .text(let bytes): draft = draft.appending(bytes)
      case .backspace: draft = draft.droppingLastCharacter()
      case .clear: draft = Draft()
      case .interrupt: return .interrupt
      case .quit where draft.isEmpty: return .end
      case .enter:
        echo([UInt8(ascii: "\n")])
        defer { (draft, echoed, hidden) = (Draft(), "", nil) }
        return .line(draft)
      default: continue
      }
      show(prompt, sees, echo)
    }
    return nil
  }

  /// Changes the terminal's current row to show the line as it is now, and writes only what
  /// differs.
  private mutating func show(_ prompt: String, _ sees: ([UInt8]) -> String?, _ echo: ([UInt8]) -> Void) {
    let text = draft.string
    if let hidden, !text.hasPrefix(hidden) { self.hidden = nil }
    if hidden == nil { hidden = sees(draft.bytes) }
    let wanted = prompt + printable(hidden ?? text)
    let same = zip(echoed, wanted).prefix { $0 == $1 }.count
    let gone = displayWidth(String(echoed.dropFirst(same)))
    let bytes = Array((String(repeating: "\u{8} \u{8}", count: gone) + wanted.dropFirst(same)).utf8)
    if !bytes.isEmpty { echo(bytes) }
    echoed = wanted
  }
}
