/// A line while a person types it at a terminal, which this program echoes: all but a secret.
struct Typing {
  enum Event {
    case line(Draft)
    /// Ctrl-D on an empty line.
    case end
    case interrupt
  }

  var keys = KeyReader()
  private var draft = Draft()
  /// What stands on the terminal's row.
  private var echoed = ""
  /// Once a part of the line is secret, no more of it is shown, also if the screen changes meanwhile.
  private var hidden: String?

  /// Forgets the terminal's row. Gives whether something stands there.
  mutating func leaveRow() -> Bool {
    defer { echoed = "" }
    return !echoed.isEmpty
  }

  /// The next thing that a person has done, as far as keys have come.
  ///
  /// - Parameters:
  ///   - prompt: What stands before the line.
  ///   - sees: What may be seen of a line; `nil` for all of it.
  ///   - echo: Writes to the terminal.
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

  /// Writes what leads from what stands on the row to what should stand there.
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
