import JSONCodec
import LoginMachine
import LoginProtocol

/// Opening sessions.
extension EngineCore {
  func open(_ call: Call, _ parameters: Parameters, _ document: borrowing JSONDocument) throws(RPCError) {
    if let saved = parameters[.saved] { return try openSaved(saved, call, parameters, document) }
    let session = try newSession(parameters, document)
    let values = parameters[.values]
    if let values { try enterInitialValues(values, document, into: session) }
    let start = session.machine.start(question: questions.nextID)
    let isBlank = values == nil && start.effects.isEmpty
    admit(session, isBlank: isBlank)
    reply(to: call) { buffer in
      buffer.append(#"{"session":"#)
      session.id.withUnsafeBytes { buffer.appendJSONString($0) }
      buffer.append(#","revision":1}"#)
    }
    run(start, of: session)
  }

  /// Refuses to open another session if the maximum number of sessions is reached.
  func checkRoom() throws(RPCError) {
    guard sessions.count < configuration.maximumSessions else {
      throw .limitExceeded(
        "maxSessions", maximum: configuration.maximumSessions,
        "There are \(configuration.maximumSessions) sessions open. Close one, or raise --max-sessions.")
    }
  }

  /// Makes the session that a call requests, without values. The session is not open yet.
  func newSession(_ parameters: Parameters, _ document: borrowing JSONDocument) throws(RPCError) -> Session {
    try checkRoom()
    _ = try viewVersion(parameters, document)
    let name = try newName(parameters, document)
    let (template, screen) = try choose(parameters, document)
    let transitions = try transitions(parameters, document, template.flow)
    let detail: UpdateDetail? = try choice(.detail, parameters, document)
    let particulars = try particulars(parameters, document)
    let session = Session(
      id: name, slot: sessions.nextSlot, template: template, machine: sessions.blankMachine(of: template, on: screen),
      now: time.now)
    session.transitions = transitions
    session.particulars = particulars
    session.detail = detail ?? .snapshot
    return session
  }

  /// Opens a new session: it can be found by name from now on, and the view gets its first update.
  ///
  /// - Parameter isBlank: whether nothing was entered and no request has begun since `newSession`.
  func admit(_ session: Session, isBlank: Bool = false) {
    sessions.insert(session)
    statistics.noteSession()
    if configuration.idleTimeout > 0 {
      session.idleTimer = time.schedule(after: configuration.idleTimeout, .idle(slot: session.slot))
    }
    if isBlank, session.transitions == nil { return emitBlankUpdate(of: session) }
    output.updates.recordEmptyView()
    emitUpdate(of: session, edited: nil)
    noteState(of: session)
  }

  /// Writes the first update of a session that is still in its initial state, from the cache of
  /// such updates (`BlankSessions`).
  private func emitBlankUpdate(of session: Session) {
    let update = sessions.blankUpdate(
      of: session.template, on: session.machine.originIndex, detail: session.detail
    ) {
      output.updates.firstUpdate(
        of: &session.machine, detail: session.detail, session.template)
    }
    output.updates.writeUpdate(session: session.id, update)
    noteState(of: session)
  }

  /// The name that a call requests for its session. If the call requests no name, a name is
  /// generated.
  func newName(_ parameters: Parameters, _ document: borrowing JSONDocument) throws(RPCError) -> SessionName {
    guard let node = try parameters.optionalString(.session, document) else {
      return sessions.makeName()
    }
    var isTaken = false
    let name = document.withString(node, scratch: &parsing.scratch) { name -> SessionName? in
      guard (1...EngineCore.maximumNameBytes).contains(name.count), !EngineCore.hasControlCharacter(name) else {
        return nil
      }
      isTaken = sessions.find(name) != nil
      return SessionName(name)
    }
    guard let name else {
      throw .invalidParams(
        .session, "A session's name has 1 to \(EngineCore.maximumNameBytes) bytes and no control characters.")
    }
    if isTaken { throw .sessionExists }
    return name
  }

  /// Whether UTF-8 text contains a control character of Unicode: U+0000 to U+001F and U+007F to
  /// U+009F.
  private static func hasControlCharacter(_ text: UnsafeRawBufferPointer) -> Bool {
    var previous: UInt8 = 0
    for byte in text {
      // After 0xC2 comes the second byte of U+0080 to U+00BF.
      if byte < 0x20 || byte == 0x7F || byte < 0xA0 && previous == 0xC2 { return true }
      previous = byte
    }
    return false
  }

  /// The flow that a call requests, in the nearest language, and the index of the requested screen.
  /// Defaults apply to whatever the call does not request.
  func choose(
    _ parameters: Parameters, _ document: borrowing JSONDocument
  ) throws(RPCError) -> (FlowTemplate, screen: Int) {
    if let name = flowName(parameters, document), let template = catalog.template(namedAgain: name) {
      return (template, template.flow.start)
    }
    let flow: Flow
    if let node = try parameters.optionalString(.flow, document) {
      guard let named = catalog.flow(named: document.string(node)) else {
        throw .unknownFlow(RPCError.name(document, node), catalog.flows.map(\.id))
      }
      flow = named
    } else {
      flow = catalog.first
    }
    let locale = try parameters.optionalString(.locale, document).map { document.string($0) }
    // Items that need a capability are shown only if the view states it. Without `supports`, the
    // flow shows its alternatives to such items.
    let supported = flow.alternatives == nil ? [] : Set(try supports(parameters, document) ?? [])
    let template = catalog.template(of: flow.variant(supporting: supported), locale: locale)
    guard let node = try parameters.optionalString(.screen, document) else {
      if flow.alternatives == nil, let name = flowName(parameters, document) { catalog.note(template, named: name) }
      return (template, template.flow.start)
    }
    let name = document.string(node)
    guard let screen = template.flow.screens.firstIndex(where: { $0.id == name }) else {
      throw .unknownScreen(
        RPCError.name(document, node), template.flow.screens.map(\.id))
    }
    return (template, screen)
  }

  /// The name of the flow that a call requests; `nil` if the call requests no flow, or if it
  /// requests a language or a screen besides the flow.
  private func flowName(_ parameters: Parameters, _ document: borrowing JSONDocument) -> UnsafeRawBufferPointer? {
    guard parameters[.locale] == nil, parameters[.screen] == nil, let node = parameters[.flow],
      document.kind(node) == .string, !document.hasEscapes(node)
    else { return nil }
    return document.text(node)
  }

  /// The queue of updates for the transition policy that a call requests; `nil` if the engine need
  /// not wait for the view.
  private func transitions(
    _ parameters: Parameters, _ document: borrowing JSONDocument, _ flow: Flow
  ) throws(RPCError) -> Session.Transitions? {
    let manner = flow.options
    let transitions = try choice(.transitions, parameters, document) ?? manner.transitions
    let policy = try choice(.policy, parameters, document) ?? manner.policy
    switch transitions {
    case .instant: return nil
    case .acknowledged: return Session.Transitions(policy: policy, of: flow, timeout: manner.presentationTimeout)
    }
  }

  /// The value of an optional param for which only certain words are valid.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: Parameters.Name, _ parameters: Parameters, _ document: borrowing JSONDocument
  ) throws(RPCError) -> Choice? {
    guard let node = try parameters.optionalString(name, document) else { return nil }
    guard let choice = Choice(rawValue: document.string(node)) else {
      let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw .invalidParams(name, "Give \(name.text) as one of \(words).")
    }
    return choice
  }

  // MARK: Initial values

  private func enterInitialValues(
    _ values: JSONDocument.Node, _ document: borrowing JSONDocument, into session: Session
  ) throws(RPCError) {
    guard document.kind(values) == .object else { throw .invalidParams(.values, "Give values as an object by item.") }
    let screen = session.machine.screen
    var child = document.firstChild(values)
    while let key = child, let value = document.sibling(after: key, in: values) {
      guard let item = session.template.item(document, key, on: session.machine.screenReference) else {
        throw .unknownItem(
          RPCError.name(document, key),
          screen.items.indices.filter { !screen.traits[$0].contains(.isText) }.map { screen.items[$0].id })
      }
      guard !screen.items[item].isSecret else {
        throw .invalidParams(.values, "The item \(screen.items[item].id) is secret; its value can only be typed.")
      }
      try enterInitialValue(value, document, into: item, of: session)
      child = document.sibling(after: value, in: values)
    }
  }

  private func enterInitialValue(
    _ value: JSONDocument.Node, _ document: borrowing JSONDocument, into item: Int, of session: Session
  ) throws(RPCError) {
    let kind = session.machine.screen.items[item].kind
    switch (kind, document.kind(value)) {
    case (.input, .string):
      try withText(of: value, document) { text in
        session.machine.prefill(
          text: text.assumingMemoryBound(to: UInt8.self).span, in: item, at: time.utc)
      }
    case (.selection, .null): session.machine.prefill(option: nil, in: item)
    case (.selection(let options, _), .string):
      guard let option = option(value, of: options, document)?[...] else { throw .notAnOption(.values, options) }
      session.machine.prefill(option: option.span, in: item)
    case (.selection(let options, _), _): throw .notAnOption(.values, options)
    case (.external, _):
      let json = try json(value, document)?[...]
      session.machine.prefill(option: json?.span, in: item)
    case (.text, _), (.link, _), (.code, _):
      let id = session.machine.screen.items[item].id
      throw .invalidParams(.values, "The item \(id) is a \(kind.name); it has no value.")
    case (.switch, .true): session.machine.prefill(isOn: true, in: item)
    case (.switch, .false): session.machine.prefill(isOn: false, in: item)
    case (.input, _): throw .invalidParams(.values, "The value of an input is a string.")
    case (.switch, _): throw .invalidParams(.values, "The value of a switch is true or false.")
    }
  }
}
