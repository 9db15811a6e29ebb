import JSONCodec
import LoginForms
public import LoginMachine

/// Updates of forms that are typed into: see `SessionMachine.isTyped`.
extension UpdateWriter {
  /// Writes the update after a key stroke into `item`. `machine` has made the step, and the view has changed the item's value itself.
  ///
  /// What it writes is what `writeUpdate(of:session:edited:omitsSnapshot:_:)` does, without a `ViewState` on both sides.
  public mutating func writeUpdate(
    typedInto item: Int, _ step: TypedStep, in machine: inout SessionMachine,
    session: SessionName, omitsSnapshot: Bool, _ form: FormText
  ) {
    let (revision, events, focus) = (machine.revision, machine.events, machine.focus)
    let sections = form.isDynamic ? machine.draft.sections : []
    let marks = machine.flow.options.showsMarks
    machine.draft.entries.withAll { states, texts in
      precondition(states.count == form.count * MemoryLayout<UInt64>.size && item < form.count)
      let room = form.largest + session.room + JSONPen.room(forString: texts.count)
      output.append(atMost: room) { pen in
        pen.put(#"{"jsonrpc":"2.0","method":"session/update","params":{"session":"#)
        session.put(to: &pen)
        pen.put(#","revision":"#)
        pen.put(decimal: revision)
        pen.put(#","events":"#)
        pen.put(decimal: events)
        if !omitsSnapshot {
          pen.put(form.head(step.after.phase), of: form)
          if form.isDynamic {
            pen.putSections(sections, form, states, texts, marks: marks)
          } else {
            pen.putItems(form, states, texts, marks: marks)
          }
          pen.put(form.foot(primaryIsEnabled: step.after.primaryIsEnabled), of: form)
          pen.putFocus(focus, form, states)
          pen.put(0x7D)
        }
        pen.putCommands(of: item, from: step.before, to: step.after, form)
      }
    }
  }
}

extension JSONPen {
  @inline(__always) fileprivate mutating func put(_ chunk: ScreenTemplate.Chunk, of form: FormText) {
    put(form.base + Int(chunk.start), Int(chunk.count))
  }

  /// Writes all items of a form where nothing comes or goes, and all that stands between them.
  @inline(__always) fileprivate mutating func putItems(
    _ form: FormText, _ states: UnsafeRawBufferPointer, _ texts: UnsafeRawBufferPointer, marks: Bool
  ) {
    var start = 0
    for index in 0..<form.count {
      let state = Draft.EntryState(states, at: index)
      putValueAndMarks(form.part(index), state, start..<state.textEnd, texts, form, marks: marks)
      start = state.textEnd
    }
  }

  /// Writes what is there of sections whose items come and go.
  @inline(never) fileprivate mutating func putSections(
    _ shown: [Bool], _ form: FormText, _ states: UnsafeRawBufferPointer, _ texts: UnsafeRawBufferPointer, marks: Bool
  ) {
    var isFirstSection = true
    for index in 0..<form.sectionCount where shown[index] {
      let section = form.section(index)
      if !isFirstSection { put(0x2C) }
      isFirstSection = false
      put(section.start, of: form)
      var isFirst = true
      for item in Int(section.items.first)..<Int(section.items.end) {
        let state = Draft.EntryState(states, at: item)
        if state.isHidden { continue }
        if !isFirst { put(0x2C) }
        isFirst = false
        let start = item == 0 ? 0 : Draft.EntryState(states, at: item - 1).textEnd
        put(form.part(item).pointee.start, of: form)
        putValueAndMarks(form.part(item), state, start..<state.textEnd, texts, form, marks: marks)
      }
      put("]}")
    }
  }

  /// Writes an item from its value on.
  @inline(__always) private mutating func putValueAndMarks(
    _ part: UnsafeMutablePointer<FormText.Part>, _ state: Draft.EntryState, _ text: Range<Int>,
    _ texts: UnsafeRawBufferPointer,
    _ form: FormText, marks: Bool
  ) {
    switch part.pointee.shows {
    case .text, .pick:
      if state.isAbsent { put("null") } else { put(string: UnsafeRawBufferPointer(rebasing: texts[text])) }
    case .json:
      let json = UnsafeRawBufferPointer(rebasing: texts[text])
      if !state.isAbsent, let source = json.baseAddress { put(source, json.count) } else { put("null") }
    case .nothing: break
    case .filled: put(state.isFilled)
    case .position: if let isOn = state.isOn { put(isOn) } else { put("null") }
    }
    let isMarked = marks && state.isMarked
    guard isMarked, !state.failing.isEmpty else { return put(part.tail(isMarked ? .valid : .unknown), of: form) }
    guard part.pointee.showsValidity else { return put(part.tail(.invalid), of: form) }
    put(part.opening(.invalid), of: form)
    putMessages(state.failing, part, form)
    put(part.pointee.closing, of: form)
  }

  /// Writes the messages of the rules that are not met.
  fileprivate mutating func putMessages(
    _ failing: RuleSet, _ part: UnsafeMutablePointer<FormText.Part>, _ form: FormText
  ) {
    var isFirst = true
    for rule in 0..<Int(part.pointee.failures) where failing.contains(rule) {
      if !isFirst { put(0x2C) }
      isFirst = false
      put(form.failure(part, rule), of: form)
    }
  }

  /// Writes `{on, since}`, or `null`. An item that is not on the screen has no keyboard.
  @inline(__always) fileprivate mutating func putFocus(
    _ focus: Focus, _ form: FormText, _ states: UnsafeRawBufferPointer
  ) {
    switch focus.target {
    case .item(let item) where item < form.count && !Draft.EntryState(states, at: item).isHidden:
      put(form.part(item).pointee.focus, of: form)
    case .primary:
      put(#"{"on":"#)
      put(form.primaryID, of: form)
      put(#","since":"#)
    case .item, .dismissal, nil: return put("null")
    }
    put(decimal: focus.since)
    put(0x7D)
  }

  /// Writes the commands that lead from one look to another, in the order of `Presenter`, and the end of the update.
  @inline(__always) fileprivate mutating func putCommands(
    of item: Int, from before: FormLook, to after: FormLook, _ form: FormText
  ) {
    guard before != after else { return put(",\"commands\":[]}}\n") }
    put(#","commands":["#)
    let part = form.part(item)
    var isFirst = true
    if before.phase != after.phase {
      isFirst = false
      put(#"{"command":"setState","state":""#)
      put(after.phase.wireName)
      put(#""}"#)
    }
    if part.pointee.showsValidity, before.validity != after.validity || before.failing != after.failing {
      if !isFirst { put(0x2C) }
      isFirst = false
      put(#"{"command":"setItem","item":"#)
      put(part.pointee.id, of: form)
      if before.validity != after.validity {
        put(#","validity":""#)
        put(after.validity.wireName)
        put(0x22)
      }
      if before.failing != after.failing {
        put(#","messages":["#)
        putMessages(after.failing, part, form)
        put(0x5D)
      }
      put(0x7D)
    }
    if before.primaryIsEnabled != after.primaryIsEnabled {
      if !isFirst { put(0x2C) }
      put(#"{"command":"setAction","action":"#)
      put(form.primaryID, of: form)
      put(#","enabled":"#)
      put(after.primaryIsEnabled)
      put(0x7D)
    }
    put("]}}\n")
  }
}
