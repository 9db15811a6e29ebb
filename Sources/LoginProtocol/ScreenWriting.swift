import JSONCodec
import LoginMachine

/// Items and what stands around them: all snapshots and commands have them from here. The room for them is made once, beforehand.
extension JSONPen {
  @inline(__always) mutating func put(_ chunk: ScreenTemplate.Chunk, of form: FlatTemplate) {
    put(form.base + Int(chunk.start), Int(chunk.count))
  }

  /// Writes a snapshot from the head of its screen on; where more than the form is shown, up to where `ByteBuffer.appendSnapshotRest` goes on.
  @inline(__always) mutating func putSnapshot(_ head: ScreenTemplate.Chunk, _ screen: ShownScreen) {
    putScreen(head, screen, endsForm: screen.isFormOnly)
    guard screen.isFormOnly, !screen.hasWithheldLinks else { return }
    putFocus(screen)
    put(0x7D)
  }

  /// Writes a screen's members without braces: `"screen"`, `"state"`, `"title"`, `"sections"`, `"actions"`; these last not where links are withheld.
  ///
  /// - Parameter endsForm: whether what a snapshot says after its screen while only the form is shown follows, up to where the keyboard is.
  @inline(__always) mutating func putScreen(
    _ head: ScreenTemplate.Chunk, _ screen: ShownScreen, endsForm: Bool
  ) {
    put(head, of: screen.form)
    putSections(screen)
    put(
      screen.hasWithheldLinks ? screen.form.end : screen.form.foot(screen.header, endsForm: endsForm), of: screen.form)
  }

  /// Writes what stands between a screen's head and its actions: all items, or those that are there.
  @inline(__always) private mutating func putSections(_ screen: ShownScreen) {
    if screen.form.isDynamic { return putDynamicSections(screen) }
    for index in 0..<screen.form.count { putItem(index, screen.state(of: index), screen) }
  }

  /// Writes what is there of sections whose items come and go.
  @inline(never) private mutating func putDynamicSections(_ screen: ShownScreen) {
    var isFirst = true
    for index in 0..<screen.form.sectionCount where screen.shows(section: index) {
      if !isFirst { put(0x2C) }
      isFirst = false
      putSection(index, screen)
    }
  }

  /// Writes a section with the items that are there.
  @inline(__always) mutating func putSection(_ index: Int, _ screen: ShownScreen) {
    let section = screen.form.section(index)
    put(section.start, of: screen.form)
    // Whether an item was written, and whether the beginning of the next one was with the last.
    var (isFirst, isBegun) = (true, false)
    for index in Int(section.items.first)..<Int(section.items.end) {
      let state = screen.state(of: index)
      if state.isHidden {
        if isBegun { takeBackLead(of: index &- 1, screen) }
        isBegun = false
        continue
      }
      if !isBegun {
        if !isFirst { put(0x2C) }
        put(screen.form.part(index).pointee.start, of: screen.form)
      }
      putItem(index, state, screen)
      (isFirst, isBegun) = (false, true)
    }
    put("]}")
  }

  /// Takes back what an item that was written last has of the next one, where items come and go; the last of a section has nothing of it.
  mutating func takeBackLead(of index: Int, _ screen: ShownScreen) {
    takeBack(Int(screen.form.part(index).pointee.lead))
  }

  /// Writes an item from its value on, and all that stands before the value of the next one.
  @inline(__always) mutating func putItem(_ index: Int, _ state: Draft.EntryState, _ screen: ShownScreen) {
    let (form, part) = (screen.form, screen.form.part(index))
    if part.pointee.shows == .pick {
      put(#""options":"#)
      putOptions(of: index, screen)
      put(#","value":"#)
    }
    putValue(of: index, state, screen)
    let validity = screen.validity(of: index, state)
    let look = screen.look(validity)
    // Something is said of an item only if its value is not acceptable, or by the authenticator.
    guard validity == .invalid || screen.hasRemarks, part.pointee.showsValidity else {
      return put(form.tail(part, look), of: form)
    }
    put(form.opening(part, look), of: form)
    putMessages(of: index, screen.failing(state), screen)
    put(part.pointee.closing, of: form)
  }

  /// Writes what stands in the place of an item's value.
  @inline(__always) mutating func putValue(
    of index: Int, _ state: Draft.EntryState, _ screen: ShownScreen
  ) {
    switch screen.form.part(index).pointee.shows {
    case .text, .pick:
      if state.isAbsent { put("null") } else { put(string: screen.text(of: index, state)) }
    case .json:
      let json = screen.text(of: index, state)
      if !state.isAbsent, let source = json.baseAddress { put(source, json.count) } else { put("null") }
    case .nothing: break
    case .filled: put(state.isFilled)
    case .position: if let isOn = state.isOn { put(isOn) } else { put("null") }
    }
  }

  /// Writes the array with the option of a long list that is shown, or without any.
  mutating func putOptions(of index: Int, _ screen: ShownScreen) {
    put(0x5B)
    if let option = screen.pick(of: index) { put(option, of: screen.form) }
    put(0x5D)
  }

  /// Writes the messages of the rules that are not met, and what the authenticator said.
  mutating func putMessages(of index: Int, _ failing: RuleSet, _ screen: ShownScreen) {
    let part = screen.form.part(index)
    var isFirst = true
    for rule in 0..<Int(part.pointee.failures) where failing.contains(rule) {
      if !isFirst { put(0x2C) }
      isFirst = false
      put(screen.form.failure(part, rule), of: screen.form)
    }
    guard screen.hasRemarks else { return }
    for message in screen.remarks(of: index) {
      if !isFirst { put(0x2C) }
      isFirst = false
      message.withUnsafeBytes { if let source = $0.baseAddress { put(source, $0.count) } }
    }
  }

  /// Writes `{on, since}`, or `null`.
  @inline(__always) mutating func putFocus(_ screen: ShownScreen) {
    guard let chunk = screen.form.focus(screen.focus.target, screen.header.primary) else { return put("null") }
    put(chunk, of: screen.form)
    put(decimal: screen.focus.since)
    put(0x7D)
  }
}
