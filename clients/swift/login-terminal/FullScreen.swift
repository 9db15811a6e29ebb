/// What can hold the focus. The primary action is one button, whatever its id is at the moment.
enum Focus: Equatable {
  case item(String)
  case primary
  case link(String)
}

/// What a key or a line asks of the program.
enum Intent {
  case nothing
  case send([UInt8])
  case startOver
  case quit
}

/// The full-screen view's own state: the focus. It turns keys into edits and actions without knowing what they mean.
struct FullScreen {
  private(set) var focus = Focus.primary
  private var screensShown = 0

  /// Keeps the focus on something that is shown; a new screen begins at its first item.
  mutating func follow(_ session: Session) {
    let places = places(of: session)
    if session.screensShown != screensShown || !places.contains(focus) { focus = places.first ?? .primary }
    screensShown = session.screensShown
  }

  mutating func handle(_ key: Key, _ session: inout Session) -> Intent {
    if key == .quit { return .quit }
    if session.model.hasScene || session.ending != nil {
      if key == .enter { return .startOver }
      return key == .text(Array("q".utf8)) ? .quit : .nothing
    }
    switch key {
    case .tab, .next: move(by: 1, session)
    case .backTab, .previous: move(by: -1, session)
    case .enter: return enter(&session)
    case .escape: return session.model.isActive ? performPrimary(&session) : .nothing
    case .text(let bytes): return type(bytes, &session)
    case .backspace: return change(&session) { $0.droppingLastCharacter() }
    case .clear: return change(&session) { _ in Draft() }
    case .redraw, .quit: break
    }
    return .nothing
  }

  private func places(of session: Session) -> [Focus] {
    let model = session.model
    return model.items.map { .item($0.id) } + model.actions.map { $0.isPrimary ? .primary : .link($0.id) }
  }

  private mutating func move(by step: Int, _ session: Session) {
    let places = places(of: session)
    guard let index = places.firstIndex(of: focus) else { return }
    focus = places[(index + step + places.count) % places.count]
  }

  /// Enter in a field means "send this", so it does nothing while something is under way: the button, then, is Cancel.
  private func enter(_ session: inout Session) -> Intent {
    switch focus {
    case .item: session.model.isActive ? .nothing : performPrimary(&session)
    case .primary: performPrimary(&session)
    case .link(let id): .send(session.perform(id))
    }
  }

  private func performPrimary(_ session: inout Session) -> Intent {
    guard let primary = session.model.primary else { return .nothing }
    return .send(session.perform(primary.id))
  }

  private func type(_ bytes: [UInt8], _ session: inout Session) -> Intent {
    guard case .item(let id) = focus else { return .nothing }
    if bytes == [UInt8(ascii: " ")], let line = session.toggle(id) { return .send(line) }
    return change(&session) { $0.appending(bytes) }
  }

  private func change(_ session: inout Session, _ edit: (Draft) -> Draft) -> Intent {
    guard case .item(let id) = focus, let line = session.change(id, edit) else { return .nothing }
    return .send(line)
  }
}
