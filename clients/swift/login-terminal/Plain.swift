/// Line mode: the screen as text after each change, commands as lines. For screen readers and for scripts.
///
/// Items and actions are addressed by their numbers on the screen. A line is taken only once the engine has answered all
/// that went before, so that a number always means what was last printed.
struct Plain {
  /// An item whose new value is the next line.
  private(set) var asked: (item: String, isSecret: Bool)?
  private(set) var isWaiting = false

  static let help = "N TEXT: fill in item N   N: ask for it, or switch it   !N: do action N   w: wait   q: quit"

  /// Whether the next line may be taken.
  func isReady(_ session: Session) -> Bool { session.isLevel && !(isWaiting && session.model.isActive) }

  mutating func handle(_ line: [UInt8], _ session: inout Session) -> Intent {
    isWaiting = false
    if let item = asked?.item {
      asked = nil
      return send(session.change(item) { _ in Draft(line) })
    }
    if line == Array("q".utf8) { return .quit }
    if session.model.hasScene || session.ending != nil { return line.isEmpty ? .startOver : .nothing }
    if line == Array("w".utf8) {
      isWaiting = true
      return .nothing
    }
    if line.first == UInt8(ascii: "!") { return perform(line.dropFirst(), session: &session) }
    return edit(line, &session)
  }

  private func perform(_ digits: ArraySlice<UInt8>, session: inout Session) -> Intent {
    let actions = session.model.actions
    guard let number = Int(String(decoding: digits, as: UTF8.self)), actions.indices.contains(number - 1) else {
      return .nothing
    }
    return .send(session.perform(actions[number - 1].id))
  }

  private mutating func edit(_ line: [UInt8], _ session: inout Session) -> Intent {
    let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 1, omittingEmptySubsequences: false)
    let items = session.model.items
    guard let digits = parts.first, let number = Int(String(decoding: digits, as: UTF8.self)),
      items.indices.contains(number - 1)
    else { return .nothing }
    let item = items[number - 1]
    if item.isSwitch { return send(session.toggle(item.id)) }
    if parts.count > 1 { return send(session.change(item.id) { _ in Draft(parts[1]) }) }
    if item.isInput { asked = (item.id, item.isSecret) }
    return .nothing
  }

  private func send(_ line: [UInt8]?) -> Intent { line.map { .send($0) } ?? .nothing }

  // MARK: What is printed

  func text(of session: Session) -> String {
    let model = session.model
    var lines: [String] = []
    if let ending = session.ending {
      lines.append("== \(ending)")
    } else if model.hasScene {
      lines += model.scene.map { "== \($0.name): \($0.value)" }
    } else {
      lines = form(session)
    }
    if session.ending != nil || model.hasScene { lines.append("Enter: start over   q: quit") }
    return lines.map { printable($0) + "\n" }.joined() + "\n"
  }

  private func form(_ session: Session) -> [String] {
    let model = session.model
    var lines = ["== \(model.title)"]
    for (index, item) in model.items.enumerated() {
      lines.append("\(index + 1). \(describe(item, session))" + (item.isEditable ? "" : " (locked)"))
      lines += item.messages.map { "   ! \($0)" }
    }
    lines += model.alert.map { "alert: \($0)" }
    if let error = model.error { lines.append("error: \(error)") }
    if model.isActive { lines.append("working …") }
    for (index, action) in model.actions.enumerated() {
      let role = action.isPrimary ? "button" : "link"
      lines.append("!\(index + 1) \(action.title) (\(role)\(action.isEnabled ? "" : ", disabled"))")
    }
    if let notice = session.notice { lines.append("refused: \(notice)") }
    return lines
  }

  private func describe(_ item: ViewModel.Item, _ session: Session) -> String {
    let title = item.title ?? item.placeholder ?? "untitled"
    if item.isSwitch { return "\(title): " + (session.flag(of: item).map { $0 ? "[x]" : "[ ]" } ?? "[-]") }
    if item.isSecret { return "\(title): " + (item.isFilled ? "(filled, hidden)" : "(empty, hidden)") }
    if item.text.isEmpty { return "\(title): (empty" + (item.placeholder.map { ", such as \($0)" } ?? "") + ")" }
    return "\(title): \(item.text)"
  }
}
