/// The line mode, for screen readers and scripts: it prints the screen as text after each change
/// and reads commands as lines.
///
/// Commands name items and actions by their numbers on the screen. A line is read only after the
/// engine has answered everything that was sent before, so that numbers always refer to the screen
/// that was printed last. A line that has no effect gets a reply that says why.
struct Plain {
  /// Whether the program ends together with the session. The user can then do nothing after the
  /// session's end.
  var endsWithSession = false
  /// The item whose new value the user types as the next line; `nil` if the next line is a command.
  private(set) var asked: (item: String, isMasked: Bool)?
  private(set) var isWaiting = false
  /// Why the last line had no effect, and what the user can type; `nil` if the line had an effect.
  private(set) var reply: String?
  /// The last move of the focus that this view has printed: the name of the session, and the
  /// revision in which the engine moved the focus.
  private var followed = (session: "", since: 0)

  init(endsWithSession: Bool = false) { self.endsWithSession = endsWithSession }

  static let help =
    "N TEXT: fill in item N   N M: choose option M of it, 0 for none   N: ask for it, or switch it   " + helpWithAlert
  private static let helpWithAlert = "!N: do action N   w: wait   q: quit"

  /// Whether the next line from the user may be read.
  func isReady(_ session: Session) -> Bool {
    session.isInSync && !session.lists.isAsking && !(isWaiting && session.isPending)
  }

  mutating func handle(_ line: [UInt8], _ session: inout Session) -> Intent {
    isWaiting = false
    reply = nil
    if let item = asked?.item {
      asked = nil
      return fill(item, line[...], &session)
    }
    if line == Array("q".utf8) { return .quit }
    if session.model.hasScene || session.ending != nil {
      return line.isEmpty ? session.startAgain() : notUnderstood(session.farewell)
    }
    if line == Array("w".utf8) {
      isWaiting = session.isPending
      return isWaiting ? .nothing : nothingDone("nothing is under way")
    }
    if line.first == UInt8(ascii: "!") {
      guard let action = numbered(line.dropFirst(), in: session.model.offers) else {
        return notUnderstood(help(session))
      }
      return .send(session.press(action.id))
    }
    return edit(line, &session)
  }

  private mutating func edit(_ line: [UInt8], _ session: inout Session) -> Intent {
    guard session.model.alert == nil, let (item, value) = addressed(line, session) else {
      return notUnderstood(help(session))
    }
    guard item.isEditable else {
      return nothingDone("the item is locked" + (session.isPending ? "; w: wait" : ""))
    }
    if item.isSwitch {
      return value == nil ? send(session.toggle(item.id)) : notUnderstood("the number of a switch alone switches it")
    }
    if let value { return fill(item.id, value, &session) }
    asked = (item.id, item.isMasked)
    return .nothing
  }

  /// The item whose number is at the beginning of a line, and the text after that number; `nil` if
  /// the line begins with no item's number.
  private func addressed(_ line: [UInt8], _ session: Session) -> (item: ViewModel.Item, value: ArraySlice<UInt8>?)? {
    let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 1, omittingEmptySubsequences: false)
    guard let digits = parts.first, let item = numbered(digits, in: session.model.fields) else { return nil }
    return (item, parts.count > 1 ? parts[1] : nil)
  }

  /// The element with this number, counted from 1; `nil` if there is none.
  private func numbered<Element>(_ digits: ArraySlice<UInt8>, in elements: [Element]) -> Element? {
    guard let number = Int(String(decoding: digits, as: UTF8.self)), number > 0, number <= elements.count else {
      return nil
    }
    return elements[number - 1]
  }

  /// Enters the text into an input or, for a selection, chooses the option whose number the text
  /// is.
  private mutating func fill(_ id: String, _ text: ArraySlice<UInt8>, _ session: inout Session) -> Intent {
    guard let item = session.model.item(id), item.isSelection else {
      return send(session.edit(id) { _ in Draft(text) })
    }
    let options = session.options(of: item)
    guard let number = Int(String(decoding: text, as: UTF8.self)), (0...options.count).contains(number) else {
      return notUnderstood("choose an option by its number, 1 to \(options.count), or 0 for none")
    }
    return send(session.choose(id, number == 0 ? nil : options[number - 1].id))
  }

  private mutating func notUnderstood(_ help: String) -> Intent {
    reply = "not understood: " + printable(help)
    return .nothing
  }

  private mutating func nothingDone(_ reason: String) -> Intent {
    reply = "nothing done: " + reason
    return .nothing
  }

  private func help(_ session: Session) -> String {
    session.model.alert == nil ? Plain.help : "answer the alert first   " + Plain.helpWithAlert
  }

  /// Sends the line of an edit. If `line` is `nil`, the item already has the new value or is
  /// locked, and the reply tells the user so.
  private mutating func send(_ line: [UInt8]?) -> Intent {
    line.map { .send($0) } ?? nothingDone("the item has that value, or is locked")
  }

  // MARK: Incomplete lines

  /// The prompt that is shown at a terminal before the line that the user types.
  var prompt: String { asked == nil ? "" : "value: " }

  /// The part of an incomplete line that may be shown at a terminal; `nil` if that is the whole
  /// line. If the line contains a secret, it is the part before the secret.
  func visible(_ line: [UInt8], _ session: Session) -> String? {
    if let asked { return asked.isMasked ? "" : nil }
    guard let (item, value) = addressed(line, session), let value, item.isMasked else { return nil }
    return String(decoding: line.dropLast(value.count), as: UTF8.self)
  }

  // MARK: Printing

  mutating func text(of session: Session) -> String {
    let model = session.model
    var lines: [String] = []
    if let ending = session.ending {
      lines.append("== \(ending)")
    } else if model.hasScene {
      lines += model.scene.map { "== \($0.name): \($0.value)" }
    } else {
      lines = form(session)
    }
    if !endsWithSession, session.ending != nil || model.hasScene { lines.append(session.farewell) }
    return lines.map { printable($0) + "\n" }.joined() + "\n"
  }

  /// The options of the selection that the user was asked about, with their numbers.
  func question(_ session: Session) -> String {
    guard let asked, let item = session.model.item(asked.item) else { return "" }
    return session.options(of: item).enumerated().map { "   \($0.offset + 1) \(printable($0.element.title))\n" }
      .joined()
  }

  private mutating func form(_ session: Session) -> [String] {
    let model = session.model
    let error = model.error.map { split($0.text, "error: ") } ?? []
    // Errors are printed first, because they should interrupt the user.
    var lines = error + ["== \(model.title)"]
    if let alert = model.alert {
      lines += ([alert.title].compactMap { $0 } + alert.lines).map { "alert: \($0)" }
    } else {
      lines += items(session)
    }
    if let notice = model.notice { lines += split(notice.text, "notice: ") }
    if model.isActive { lines.append("working …") }
    for (index, action) in model.offers.enumerated() {
      let role = model.alert != nil ? "answer" : action.isPrimary ? "button" : "link"
      let wait = action.wait.flatMap { session.countdown.secondsLeft(of: $0) }.map { ", in \($0) s" } ?? ""
      lines.append("!\(index + 1) \(action.title) (\(role)\(action.isEnabled ? "" : ", disabled")\(wait))")
    }
    if let place = newFocus(session) { lines.append("focus: \(place)") }
    if let refusal = session.refusal { lines.append("refused: \(refusal)") }
    return lines
  }

  /// The number of the element to which the engine has moved the focus since the screen was last
  /// printed; `nil` if it did not move it.
  private mutating func newFocus(_ session: Session) -> String? {
    if followed.session != session.name { followed = (session.name, 0) }
    guard let focus = session.model.focus, focus.since > followed.since else { return nil }
    followed.since = focus.since
    let item = session.model.alert == nil ? session.model.fields.firstIndex { $0.id == focus.on } : nil
    return item.map { "\($0 + 1)" } ?? session.model.offers.firstIndex { $0.id == focus.on }.map { "!\($0 + 1)" }
  }

  private func items(_ session: Session) -> [String] {
    var lines: [String] = []
    var number = 0
    for section in session.model.sections {
      if let title = section.title { lines.append("-- \(title)") }
      for item in section.items {
        if item.isField {
          number += 1
          lines.append("\(number). \(describe(item, session))" + (item.isEditable ? "" : " (locked)"))
        } else if item.isReadOnly {
          lines.append(describe(item, session))
        } else {
          lines += split(item.reading ?? "", "")
        }
        if let hint = item.hint { lines += split(hint, "   ") }
        for message in item.messages { lines += split(message.text, "   " + message.look(else: "! ", .plain).sign) }
      }
    }
    return lines
  }

  private func describe(_ item: ViewModel.Item, _ session: Session) -> String {
    // An item that the user can fill in needs a name, even if the flow gives it no title.
    let name = item.title ?? (item.isField ? item.kindInWords : nil)
    return (name.map { $0 + ": " } ?? "") + value(of: item, session)
  }

  private func value(of item: ViewModel.Item, _ session: Session) -> String {
    if item.isSwitch { return session.flag(of: item).map { $0 ? "[x]" : "[ ]" } ?? "[-]" }
    if item.isSelection {
      let choice = session.choice(of: item)
      let title = session.options(of: item).first { $0.id == choice }?.title
      return (title ?? "–") + " (one of \(item.optionCount ?? item.options.count)\(title == nil ? required(item) : ""))"
    }
    if item.isMasked { return item.isFilled ? "(filled, hidden)" : "(empty, hidden\(required(item)))" }
    guard let draft = session.text(of: item) else { return item.isFilled ? "(filled)" : hint("not given", item) }
    return draft.isEmpty ? hint("empty", item) : draft.string
  }

  private func hint(_ state: String, _ item: ViewModel.Item) -> String {
    "(\(state)" + required(item) + (item.placeholder.map { ", such as \($0)" } ?? "") + ")"
  }

  private func required(_ item: ViewModel.Item) -> String { item.isRequired ? ", required" : "" }

  private func split(_ text: String, _ beginning: String) -> [String] {
    text.split(separator: "\n").map { beginning + $0 }
  }
}
