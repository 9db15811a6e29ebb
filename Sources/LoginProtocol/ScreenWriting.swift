import JSONCodec
import LoginMachine

/// Writes the items of a screen and the JSON around them, for snapshots and commands. The caller
/// has to reserve the memory beforehand.
extension JSONPen {
  @inline(__always) mutating func put(_ chunk: ScreenTemplate.Chunk, of form: FlatTemplate) {
    put(form.base + Int(chunk.start), Int(chunk.count))
  }

  /// Writes a snapshot, beginning with `head`. If the snapshot shows more than the form,
  /// `ByteBuffer.appendSnapshotRest` has to write the rest.
  @inline(__always) mutating func putSnapshot(_ head: ScreenTemplate.Chunk, _ screen: ShownScreen) {
    putScreen(head, screen, endsForm: screen.isFormOnly)
    guard screen.isFormOnly, !screen.hasWithheldLinks else { return }
    putFocus(screen)
    put(0x7D)
  }

  /// Writes a screen's members without braces: `"screen"`, `"state"`, `"title"`, `"sections"`,
  /// `"actions"`. Leaves out `"actions"` if some links are disabled while others are enabled.
  ///
  /// - Parameter endsForm: whether the snapshot shows only the form. If so, the members between the
  ///   actions and the focus are written too.
  @inline(__always) mutating func putScreen(
    _ head: ScreenTemplate.Chunk, _ screen: ShownScreen, endsForm: Bool
  ) {
    put(head, of: screen.form)
    putSections(screen)
    put(
      screen.hasWithheldLinks ? screen.form.end : screen.form.foot(screen.header, endsForm: endsForm), of: screen.form)
  }

  /// Writes the items between a screen's head and its actions. On a screen with visibility
  /// conditions, writes only the shown items.
  @inline(__always) private mutating func putSections(_ screen: ShownScreen) {
    if screen.form.isDynamic { return putDynamicSections(screen) }
    for index in 0..<screen.form.count { putItem(index, screen.state(of: index), screen) }
  }

  /// Writes the shown sections of a screen with visibility conditions.
  @inline(never) private mutating func putDynamicSections(_ screen: ShownScreen) {
    var isFirst = true
    for index in 0..<screen.form.sectionCount where screen.shows(section: index) {
      if !isFirst { put(0x2C) }
      isFirst = false
      putSection(index, screen)
    }
  }

  /// Writes a section with its shown items.
  @inline(__always) mutating func putSection(_ index: Int, _ screen: ShownScreen) {
    let section = screen.form.section(index)
    put(section.start, of: screen.form)
    // `isFirst`: no item was written yet. `isBegun`: the item written last ended with the start of
    // the next item.
    var (isFirst, isBegun) = (true, false)
    for index in Int(section.items.first)..<Int(section.items.end) {
      let state = screen.state(of: index)
      if state.isHidden {
        if isBegun { removeLead(of: index &- 1, screen) }
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

  /// Removes the start of the next item from the end of what was written, because the next item is
  /// hidden. The last chunk of the item at `index` has written that start.
  mutating func removeLead(of index: Int, _ screen: ShownScreen) {
    takeBack(Int(screen.form.part(index).pointee.lead))
  }

  /// Writes the rest of an item, from its value on. The last chunk of the item may include the
  /// start of the next item, up to the next item's value.
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
    // An item has messages only if its value breaks a rule, or if the authenticator has sent
    // messages about items.
    guard validity == .invalid || screen.hasRemarks, part.pointee.showsValidity else {
      return put(form.tail(part, look), of: form)
    }
    put(form.opening(part, look), of: form)
    putMessages(of: index, screen.failing(state), screen)
    put(part.pointee.closing, of: form)
  }

  /// Writes an item's value.
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

  /// Writes the options of a long list. A snapshot shows only the picked option, or none.
  mutating func putOptions(of index: Int, _ screen: ShownScreen) {
    put(0x5B)
    if let option = screen.pick(of: index) { put(option, of: screen.form) }
    put(0x5D)
  }

  /// Writes the messages of the rules that an item's value breaks, and then the authenticator's
  /// messages about the item.
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

  /// Writes the focus: `{on, since}`, or `null`.
  @inline(__always) mutating func putFocus(_ screen: ShownScreen) {
    guard let chunk = screen.form.focus(screen.focus.target, screen.header.primary) else { return put("null") }
    put(chunk, of: screen.form)
    put(decimal: screen.focus.since)
    put(0x7D)
  }
}
