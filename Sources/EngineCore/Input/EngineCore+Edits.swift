import JSONCodec
import LoginMachine
import LoginProtocol

/// User events: edits and presses.
extension EngineCore {
  /// Serves `session/edit`.
  func edit(_ call: Call, _ parameters: Parameters, _ document: borrowing JSONDocument) {
    var target = EditTarget()
    if let error = edit(parameters, id: nil, document, &target) {
      refuse(call, error, parameters, document, target)
    } else if let session = target.session {
      session.lend { reply(to: call, $0) }
    }
  }

  /// The session and the item that an edit names; `nil` where the edit is refused before they are
  /// known. `session` is not retained: the session table keeps it alive.
  struct EditTarget {
    var session: Unmanaged<Session>?
    /// The index of the item in the machine's screen. A view in a transition may still show another
    /// screen: `shownItem` is the item's index in that screen.
    var item: Int?
    var shownItem: Int?
  }

  func refuse(
    _ call: Call, _ error: RPCError, _ parameters: Parameters, _ document: borrowing JSONDocument, _ target: EditTarget
  ) {
    let target = EventTarget(
      session: target.session?.takeUnretainedValue(), item: target.item, shownItem: target.shownItem)
    refuse(call, error, method: .edit, document, target)
  }

  /// Applies an edit and replies to it. Returns the error if it is refused.
  @inline(__always) func edit(
    _ parameters: Parameters, id: UnsafeRawBufferPointer?, _ document: borrowing JSONDocument,
    _ target: inout EditTarget
  ) -> RPCError? {
    do throws(RPCError) {
      let name = try parameters.requiredString(.session, document)
      guard
        let session = document.withString(name, scratch: &parsing.scratch, { sessions.findUnretained($0) })
      else { throw .unknownSession }
      target.session = session
      return session.lend { session in
        do throws(RPCError) {
          try edit(session, parameters, document, &target)
          if let id { reply { $0.appendReply(to: id, revision: session.machine.revision) } }
          return nil
        } catch {
          return error
        }
      }
    } catch {
      return error
    }
  }

  @inline(__always) private func edit(
    _ session: Session, _ parameters: borrowing Parameters, _ document: borrowing JSONDocument,
    _ target: inout EditTarget
  ) throws(RPCError) {
    session.machine.countEvent()
    session.lastActive = time.now
    let name = try parameters.requiredString(.item, document)
    if session.transitions != nil { try checkShown(name, parameters, document, session, &target.shownItem) }
    guard let item = item(document, name, of: session), !session.machine.hides(item) else {
      throw unknownItem(session, document, name)
    }
    target.item = item
    try parameters.check(for: .edit, document)
    if parameters[.revision] != nil {
      try checkRevision(parameters, document, session, since: session.machine.since(item: item))
    }
    try checkPresented(session)
    guard session.machine.acceptsEdits else { throw notAccepted(session) }
    guard let value = parameters[.value] else { throw .invalidParams(.value, "Give the item's new value.") }
    try update(session, after: .edit(item)) { () throws(RPCError) in
      try enter(value, document, into: item, of: session)
    }
  }

  /// For a session whose view acknowledges updates: finds the edited item on the screen that the
  /// view was sent last, and refuses the edit if the view may have meant an item of an earlier
  /// screen.
  @inline(never) private func checkShown(
    _ name: JSONDocument.Node, _ parameters: borrowing Parameters, _ document: borrowing JSONDocument,
    _ session: Session, _ shownItem: inout Int?
  ) throws(RPCError) {
    guard let queue = session.transitions?.queue else { return }
    shownItem = session.template.item(document, name, on: queue.written.view.screenReference)
    if shownItem != nil || item(document, name, of: session) != nil {
      try checkShown(queue, parameters, document, session, .edit)
    }
  }

  func press(_ call: Call, _ parameters: Parameters, _ document: borrowing JSONDocument) {
    var target = EventTarget()
    do throws(RPCError) {
      let session = try countEvent(parameters, document, &target)
      let name = try parameters.requiredString(.action, document)
      if let queue = session.transitions?.queue {
        let shown = session.template.action(
          document, name, on: queue.written.view.screenReference)
        if shown != nil || action(document, name, of: session) != nil {
          try checkShown(queue, parameters, document, session, .press)
        }
      }
      guard let action = action(document, name, of: session) else {
        throw unknownAction(session, document, name)
      }
      try parameters.check(for: .press, document)
      try checkRevision(parameters, document, session, since: session.machine.since(action))
      try checkPresented(session)
      try checkShownEnd(action, session)
      try press(action, of: session)
      replyWhenStarted(to: call, session)
    } catch {
      refuse(call, error, method: .press, document, target)
    }
  }

  /// Presses an action and runs the resulting step.
  private func press(_ action: SessionMachine.Action, of session: Session) throws(RPCError) {
    try update(session, after: .press) { () throws(RPCError) in
      let step = session.machine.press(action, question: questions.nextID, at: time.utc)
      if step.isRefused { throw notAccepted(session) }
      return step
    }
  }

  /// Replies to a press. If an authenticator is being started, the reply is delayed until it has
  /// started or failed to start.
  private func replyWhenStarted(to call: Call, _ session: Session) {
    guard authenticators.isStarting, let request = call.requestID else { return reply(to: call, session) }
    input.delay(.init(request: request, session: session, kind: .press))
  }

  /// The same for a submit that asked no authenticator, or asked one only in the background.
  /// Like the reply to a press, this reply is delayed while an authenticator is being started.
  func replyWhenStarted(to call: Call, _ session: Session, submitted outcome: RequestOutcome?) {
    guard let request = call.requestID else { return }
    guard authenticators.isStarting else { return reply(toSubmit: request, of: session, outcome) }
    input.delay(.init(request: request, session: session, kind: .submit(outcome)))
  }

  /// Writes the reply that was delayed until an authenticator had started or failed to start.
  func writeDelayedReply() {
    guard !authenticators.isStarting, let delayed = input.takeDelayedReply() else { return }
    switch delayed.kind {
    case .press:
      delayed.request.text.withUnsafeBytes { id in
        reply { buffer in
          buffer.appendReplyHead(id: id)
          buffer.appendRevision(delayed.session.machine.revision)
          buffer.addIgnored(delayed.request.ignored)
          buffer.append(0x7D)
        }
      }
    case .submit(let outcome): reply(toSubmit: delayed.request, of: delayed.session, outcome)
    }
    endBatchIfDone()
  }

  /// Finds the session that a call names, and counts the call as an event of the session.
  @inline(__always) func countEvent(
    _ parameters: borrowing Parameters, _ document: borrowing JSONDocument
  ) throws(RPCError) -> Session {
    let session = try session(parameters, document)
    session.machine.countEvent()
    session.lastActive = time.now
    return session
  }

  /// Finds the session that a call names, counts the call as an event, and stores the session in
  /// `target`, so that a refusal can be sent to the session.
  @inline(__always) func countEvent(
    _ parameters: borrowing Parameters, _ document: borrowing JSONDocument, _ target: inout EventTarget
  ) throws(RPCError) -> Session {
    let session = try countEvent(parameters, document)
    target.session = session
    return session
  }

  /// For an edit, a press or a submit that is refused without being examined: counts the event, and
  /// finds the session and, for an edit, the item to restore in the view.
  func countedTarget(of call: Call, _ method: Method, _ document: borrowing JSONDocument) -> EventTarget {
    var target = EventTarget()
    guard let params = call.params, document.kind(params) == .object else { return target }
    let parameters = Parameters(document, params)
    guard let session = try? countEvent(parameters, document, &target), method == .edit,
      let name = try? parameters.requiredString(.item, document)
    else { return target }
    if let queue = session.transitions?.queue {
      target.shownItem = session.template.item(document, name, on: queue.written.view.screenReference)
    }
    if let item = item(document, name, of: session), !session.machine.hides(item) { target.item = item }
    return target
  }

  // MARK: Whether the event is meant for the current screen

  func checkRevision(
    _ parameters: borrowing Parameters, _ document: borrowing JSONDocument, _ session: Session, since: UInt64
  ) throws(RPCError) {
    guard let revision = try parameters.optionalNumber(.revision, document) else { return }
    guard revision <= session.machine.revision else {
      throw .invalidParams(.revision, "This revision has not been reached yet.")
    }
    if !shows(revision, since: since, session) { throw .staleRevision }
  }

  /// Whether a view that names `revision` shows a certain part of the screen as it is now. `since`
  /// is the revision since which that part is unchanged.
  func shows(_ revision: UInt64, since: UInt64, _ session: Session) -> Bool {
    (session.transitions?.queue.revision(shownAt: revision) ?? revision) >= since
  }

  /// Refuses an event if the view has not been sent the machine's screen.
  func checkShown(
    _ queue: TransitionQueue, _ parameters: borrowing Parameters, _ document: borrowing JSONDocument,
    _ session: Session, _ method: Method
  ) throws(RPCError) {
    guard queue.isBehind(session.machine) else { return }
    try parameters.check(for: method, document)
    if try parameters.optionalNumber(.revision, document) == nil { try checkPresented(session) }
    throw .staleRevision
  }

  /// Refuses to dismiss an alert or to leave a scene that the view has not been sent yet.
  func checkShownEnd(_ action: SessionMachine.Action, _ session: Session) throws(RPCError) {
    guard let queue = session.transitions?.queue else { return }
    if action == .dismiss, queue.written.view.alertID != session.machine.since(.dismiss), session.machine.alert != nil {
      throw .staleRevision
    }
    if action == .again, queue.written.view.scene == nil, session.machine.accepts(.again) { throw .staleRevision }
  }

  /// Refuses an event while the view is presenting an update, if the session's transition policy is
  /// to refuse such events.
  @inline(__always) func checkPresented(_ session: Session) throws(RPCError) {
    guard let queue = session.transitions?.queue, queue.refusesEvents, let awaited = queue.awaited else { return }
    throw .presenting(revision: awaited)
  }
}
