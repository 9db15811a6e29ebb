/// An element of the screen that can have the focus. The primary action counts as one button, even
/// when its id changes.
enum Focus: Equatable {
  case item(String)
  case primary
  case link(String)
  /// An action of the alert that covers the form.
  case answer(String)
}

/// What the program does in response to a key or a typed line.
enum Intent {
  case nothing
  case send([UInt8])
  case startOver
  case quit
  /// The user has pressed Ctrl-C.
  case interrupt
  /// The program's input has ended, which the user may not have intended.
  case endOfInput
  /// The program cannot continue, because it needs input from the user.
  case askPerson
}

/// The state of the full-screen view: which element has the focus, and which list of options is
/// open. It turns keys into edits and actions without knowing what they mean.
struct FullScreen {
  private(set) var focus = Focus.primary
  private(set) var list: OptionList?
  /// By how many rows the text of the alert is scrolled. Without an alert: by how many rows the
  /// form is scrolled away from the focused element.
  private(set) var scroll = 0
  /// The focused element of the form. While an alert covers the form, this is the element that will
  /// have the focus after the alert is gone.
  private var focusInForm = Focus.primary
  private var placesInForm: [Focus] = []
  private var screensShown = 0
  /// The engine's last move of the focus that this view has followed: the name of the session, and
  /// the revision in which the engine moved the focus.
  private var followed = (session: "", since: 0)

  /// Puts the focus on a visible element. If there is an alert, that is one of the alert's actions.
  /// Otherwise it is the first of these that exists: the element to which the engine has moved the
  /// focus, the element that had the focus, and the last remaining element before that one. If the
  /// engine does not set the focus of a new screen, the focus is on the first item.
  mutating func follow(_ session: Session) {
    let model = session.model
    let places =
      model.fields.map { Focus.item($0.id) } + model.actions.map { $0.isPrimary ? .primary : .link($0.id) }
    if session.screensShown != screensShown || placesInForm != places { stay() }
    if session.screensShown != screensShown {
      focusInForm = places.first ?? .primary
    } else if !places.contains(focusInForm) {
      let before = placesInForm.prefix { $0 != focusInForm }
      focusInForm = before.last(where: places.contains) ?? places.first ?? .primary
    }
    followFocus(of: session, among: places)
    placesInForm = places
    screensShown = session.screensShown
    if let alert = model.alert {
      let answers = alert.actions.map { Focus.answer($0.id) }
      if !answers.contains(focus) {
        // Show a new alert from its beginning.
        stay()
        focus = answers.first ?? focusInForm
      }
    } else {
      if focus != focusInForm { stay() }
      focus = focusInForm
    }
    if let open = list, focus != .item(open.item) || model.item(open.item)?.isEditable != true { list = nil }
  }

  /// Moves the focus if the engine has moved it since the last call.
  private mutating func followFocus(of session: Session, among places: [Focus]) {
    if followed.session != session.name { followed = (session.name, 0) }
    guard let focus = session.model.focus, focus.since > followed.since else { return }
    followed.since = focus.since
    let target = focus.on == session.model.primary?.id ? Focus.primary : .item(focus.on)
    if places.contains(target) { focusInForm = target }
  }

  private mutating func stay() { scroll = 0 }

  /// Limits how far the content is scrolled, so that it does not leave the view.
  mutating func scrollBack(into limits: ClosedRange<Int>) {
    scroll = min(max(scroll, limits.lowerBound), limits.upperBound)
  }

  mutating func handle(_ key: Key, _ session: inout Session) -> Intent {
    if key == .quit { return .quit }
    if key == .interrupt { return .interrupt }
    if key == .pageUp || key == .pageDown {
      if list == nil { scroll += key == .pageUp ? -10 : 10 }
      return .nothing
    }
    if session.model.hasScene || session.ending != nil {
      if key == .enter { return session.startAgain() }
      return key == .text(Array("q".utf8)) ? .quit : .nothing
    }
    if session.model.alert != nil { return handleAlertKey(key, &session) }
    if list != nil { return pick(key, &session) }
    switch key {
    case .tab, .down: move(by: 1)
    case .backTab, .up: move(by: -1)
    case .right: return turn(by: 1, &session)
    case .left: return turn(by: -1, &session)
    case .enter: return enter(&session)
    case .escape: return session.model.isActive ? performPrimary(&session) : .nothing
    case .text(let bytes): return type(bytes, &session)
    case .backspace: return erase(&session) { $1.isDate ? $0.droppingLastOfDate() : $0.droppingLastCharacter() }
    case .clear: return erase(&session) { _, _ in Draft() }
    case .redraw, .suspend, .interrupt, .quit, .pageUp, .pageDown: break
    }
    return .nothing
  }

  private mutating func move(by step: Int) {
    focusInForm = place(placesInForm, from: focusInForm, by: step) ?? focusInForm
    focus = focusInForm
    stay()
  }

  private func place(_ places: [Focus], from focus: Focus, by step: Int) -> Focus? {
    guard let index = places.firstIndex(of: focus) else { return nil }
    return places[(index + step + places.count) % places.count]
  }

  /// Handles Enter. In a field, Enter submits the form. It does nothing there while a request is
  /// pending, because the button then cancels the request.
  private func enter(_ session: inout Session) -> Intent {
    switch focus {
    case .item: session.model.isActive ? .nothing : performPrimary(&session)
    case .primary: performPrimary(&session)
    case .link(let id), .answer(let id): .send(session.press(id))
    }
  }

  private func performPrimary(_ session: inout Session) -> Intent {
    guard let primary = session.model.primary else { return .nothing }
    return .send(session.press(primary.id))
  }

  private var focusedItem: String? { if case .item(let id) = focus { id } else { nil } }

  private mutating func type(_ bytes: [UInt8], _ session: inout Session) -> Intent {
    guard let id = focusedItem else { return .nothing }
    if bytes == [UInt8(ascii: " ")] {
      if let item = session.model.item(id), item.isSelection {
        if item.isEditable { list = OptionList(of: item, session) }
        return .nothing
      }
      if let line = session.toggle(id) { return .send(line) }
    }
    stay()
    let isDate = session.model.item(id)?.isDate == true
    return send(session.edit(id) { isDate ? $0.appending(date: bytes) : $0.appending(bytes) })
  }

  /// Handles Backspace and Ctrl-U, which shorten the text of an input or clear the choice of a
  /// selection. An input that never had a value stays without one.
  private func erase(_ session: inout Session, _ edit: (Draft, ViewModel.Item) -> Draft) -> Intent {
    guard let id = focusedItem, let item = session.model.item(id) else { return .nothing }
    if item.isSelection { return send(session.choose(id, nil)) }
    return item.isSecret || session.text(of: item) != nil ? send(session.edit(id) { edit($0, item) }) : .nothing
  }

  private func send(_ line: [UInt8]?) -> Intent { line.map { .send($0) } ?? .nothing }

  // MARK: Alerts and options

  private mutating func handleAlertKey(_ key: Key, _ session: inout Session) -> Intent {
    let answers = session.model.offers.map { Focus.answer($0.id) }
    switch key {
    case .down: scroll += 1
    case .up: scroll -= 1
    case .tab, .right: focus = place(answers, from: focus, by: 1) ?? focus
    case .backTab, .left: focus = place(answers, from: focus, by: -1) ?? focus
    case .enter, .text([UInt8(ascii: " ")]):
      guard case .answer = focus else { break }
      stay()
      return enter(&session)
    default: break
    }
    return .nothing
  }

  /// Handles Left and Right. On a selection they choose the option before or after the current one,
  /// without opening the list; elsewhere they move the focus.
  private mutating func turn(by step: Int, _ session: inout Session) -> Intent {
    guard let id = focusedItem, let item = session.model.item(id), item.isSelection, item.isEditable else {
      move(by: step)
      return .nothing
    }
    var list = OptionList(of: item, session)
    if list.isChosen { list.move(by: step) } else if step < 0 { list.move(by: -1) }
    return send(session.choose(id, list.option?.id))
  }

  private mutating func pick(_ key: Key, _ session: inout Session) -> Intent {
    switch key {
    case .tab, .down, .right: list?.move(by: 1)
    case .backTab, .up, .left: list?.move(by: -1)
    case .enter, .text([UInt8(ascii: " ")]):
      let picked = list
      list = nil
      if let picked, let option = picked.option { return send(session.choose(picked.item, option.id)) }
    case .text(let bytes): list?.type(String(decoding: bytes, as: UTF8.self))
    case .escape: list = nil
    default: break
    }
    return .nothing
  }
}
