import JSONCodec
import LoginForms
import LoginMachine
import LoginProtocol

/// What a person does: edits and presses.
extension Engine {
  func change(_ call: Call, _ parameters: Parameters, _ document: borrowing JSONDocument) {
    var target = EventTarget()
    do throws(RPCError) {
      let session = try begin(parameters, document, &target)
      let name = try parameters.requiredString(.item, document)
      if let queue = session.transitions?.queue {
        target.shownItem = session.template.item(
          document, name, on: queue.shown.screenReference)
        if target.shownItem != nil || item(document, name, of: session) != nil {
          try checkShown(queue, parameters, document, session, .change)
        }
      }
      guard let item = item(document, name, of: session), !session.machine.hides(item) else {
        throw .unknownItem(editableItems(session))
      }
      target.item = item
      try parameters.check(for: .change)
      try checkRevision(parameters, document, session, since: session.machine.since(item: item))
      try checkPresented(session)
      guard session.machine.acceptsEdits else { throw notAccepted(session) }
      guard let value = parameters[.value] else { throw .invalidParams(.value, "Give the item's new value.") }
      updates.noteView(of: &session.machine)
      try enter(value, document, into: item, of: session)
      if session.machine.screen.isDynamic { wipeHiddenSecrets(of: session) }
      emitUpdate(of: session, edited: item)
      reply(to: call, session)
    } catch {
      refuse(call, error, method: .change, document, target)
    }
  }

  func perform(_ call: Call, _ parameters: Parameters, _ document: borrowing JSONDocument) {
    var target = EventTarget()
    do throws(RPCError) {
      let session = try begin(parameters, document, &target)
      let name = try parameters.requiredString(.action, document)
      if let queue = session.transitions?.queue {
        let shown = session.template.action(
          document, name, on: queue.shown.screenReference)
        if shown != nil || action(document, name, of: session) != nil {
          try checkShown(queue, parameters, document, session, .perform)
        }
      }
      guard let action = action(document, name, of: session) else {
        throw .unknownAction(session.machine.screen.actionIDs)
      }
      try parameters.check(for: .perform)
      try checkRevision(parameters, document, session, since: session.machine.since(action))
      try checkPresented(session)
      if action == .dismiss, let queue = session.transitions?.queue,
        queue.shown.alertID != session.machine.since(.dismiss), session.machine.alert != nil
      {
        // Nobody has seen it yet.
        throw stale(session)
      }
      updates.noteView(of: &session.machine)
      let outcome = session.machine.press(action, question: lastQuestion.next)
      guard outcome != .refused else { throw notAccepted(session) }
      emitUpdate(of: session, edited: nil)
      run(outcome, of: session)
      reply(to: call, session)
    } catch {
      refuse(call, error, method: .perform, document, target)
    }
  }

  /// Finds the session and counts the event.
  @inline(__always) private func begin(
    _ parameters: Parameters, _ document: borrowing JSONDocument, _ target: inout EventTarget
  ) throws(RPCError) -> Session {
    let session = try session(parameters, document)
    session.machine.countEvent()
    session.lastActive = clock.now
    target.session = session
    return session
  }

  // MARK: Whether it is meant for what is there

  private func checkRevision(
    _ parameters: Parameters, _ document: borrowing JSONDocument, _ session: Session, since: UInt64
  ) throws(RPCError) {
    guard let revision = try parameters.optionalNumber(.revision, document) else { return }
    guard revision <= session.machine.revision else {
      throw .invalidParams(.revision, "This revision has not been reached yet.")
    }
    if revision < since { throw stale(session) }
  }

  /// Refuses an event of a view that has not been told of the machine's screen, unless the event says that it is meant for that screen.
  private func checkShown(
    _ queue: TransitionQueue, _ parameters: Parameters, _ document: borrowing JSONDocument, _ session: Session,
    _ method: Method
  ) throws(RPCError) {
    guard queue.isBehind(session.machine) else { return }
    try parameters.check(for: method)
    let revision = try parameters.optionalNumber(.revision, document)
    if revision == nil { try checkPresented(session) }
    if (revision ?? queue.written.revision) < session.machine.screenSince { throw stale(session) }
  }

  /// Refuses events while the view has something to present, if that is the session's policy.
  @inline(__always) private func checkPresented(_ session: Session) throws(RPCError) {
    guard let queue = session.transitions?.queue, queue.refusesEvents, let awaited = queue.awaited else { return }
    throw .presenting(revision: awaited)
  }
}
