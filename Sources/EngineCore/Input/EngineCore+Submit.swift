import JSONCodec
import LoginMachine
import LoginProtocol

/// Submits: several values and a press in one call, counted as one event.
extension EngineCore {
  func submit(_ call: Call, _ parameters: Parameters, _ document: borrowing JSONDocument) {
    var target = EventTarget()
    do throws(RPCError) {
      if parameters[.session] == nil {
        try checkSubmit(parameters, document)
        try submitToNewSession(call, parameters, document)
      } else {
        let session = try countEvent(parameters, document, &target)
        try checkSubmit(parameters, document)
        try submit(call, parameters, document, to: session)
      }
    } catch {
      refuse(call, error, method: .submit, document, target)
    }
  }

  private func checkSubmit(_ parameters: Parameters, _ document: borrowing JSONDocument) throws(RPCError) {
    if input.batch != nil { throw .submitInBatch }
    try parameters.check(for: .submit, document)
    if parameters[.session] == nil {
      guard parameters[.revision] == nil else {
        throw .invalidParams(.revision, "A session that is opened has no revision yet; name one, or leave this out.")
      }
    } else if let name = Method.openingParameters.first(where: { parameters[$0] != nil }) {
      throw .invalidParams(name, "The session is open already; leave session or \(name.text) out.")
    }
  }

  private func submit(
    _ call: Call, _ parameters: Parameters, _ document: borrowing JSONDocument, to session: Session
  ) throws(RPCError) {
    if let queue = session.transitions?.queue { try checkShown(queue, parameters, document, session, .submit) }
    try checkPresented(session)
    let timeout = try parameters.optionalNumber(.timeoutMs, document)
    commit(try rehearse(parameters, document, session), of: session, call, timeout)
  }

  /// Opens a session and submits to it. The session is opened only if the submit will be accepted.
  private func submitToNewSession(
    _ call: Call, _ parameters: Parameters, _ document: borrowing JSONDocument
  ) throws(RPCError) {
    let timeout = try parameters.optionalNumber(.timeoutMs, document)
    let session = try newSession(parameters, document)
    let start = session.machine.start(question: questions.nextID)
    _ = try rehearse(parameters, document, session)
    admit(session)
    run(start, of: session)
    session.machine.countEvent()
    do throws(RPCError) {
      // Again, because an initial request may have changed the session at once.
      commit(try rehearse(parameters, document, session), of: session, call, timeout)
    } catch {
      // The view was shown the session.
      close(session, because: .refused)
      throw error
    }
  }

  // MARK: All or nothing

  /// The state of a session with the values of a call, and the press that follows.
  private struct Rehearsal {
    /// A copy of the session with its machine, its secrets and the new values.
    let standIn: Session
    /// The step of the edits.
    let edits: Step
    let action: SessionMachine.Action
  }

  /// Enters the values of a call into a copy of the session, so that nothing changes if one of
  /// them, or the press, is refused.
  private func rehearse(
    _ parameters: Parameters, _ document: borrowing JSONDocument, _ session: Session
  ) throws(RPCError) -> Rehearsal {
    let standIn = Session(
      id: session.id, slot: session.slot, template: session.template, machine: session.machine, now: session.lastActive)
    let values = try values(parameters, document, session)
    var action = try namedAction(parameters, document, session)
    let sinceValues = values.map { session.machine.since(item: $0.item) }.max() ?? 0
    let sinceAction = session.machine.since(action ?? session.machine.primaryRole)
    try checkRevision(parameters, document, session, since: max(sinceValues, sinceAction))
    if let action { try checkShownEnd(action, session) }
    guard values.isEmpty || session.machine.acceptsEdits else { throw notAccepted(session) }
    session.vault.copy(to: &standIn.vault)
    var edits = Step.refused
    for value in values {
      do throws(RPCError) {
        edits = edits.followed(by: try enter(value.node, document, into: value.item, of: standIn))
      } catch {
        throw error.about(valueOf: session.machine.screen.items[value.item].id)
      }
    }
    // If the values show or hide items, their visibility after all values counts.
    if let value = values.first(where: { standIn.machine.hides($0.item) }) {
      throw unknownItem(session, document, value.name)
    }
    standIn.machine.joinEdits(since: session.machine)
    if action == .retry, !values.isEmpty { action = standIn.machine.joinRetry(since: session.machine) }
    let part = standIn.machine.primaryRole
    if action == nil, part == .submit || part == .retry { action = part }
    guard let action, standIn.machine.accepts(action) else { throw notAccepted(session) }
    return Rehearsal(standIn: standIn, edits: edits, action: action)
  }

  /// The items that a call sets, in its order.
  private func values(
    _ parameters: Parameters, _ document: borrowing JSONDocument, _ session: Session
  ) throws(RPCError) -> [(item: Int, name: JSONDocument.Node, node: JSONDocument.Node)] {
    guard let values = parameters[.values] else { return [] }
    guard document.kind(values) == .object else { throw .invalidParams(.values, "Give values as an object by item.") }
    var found: [(item: Int, name: JSONDocument.Node, node: JSONDocument.Node)] = []
    var child = document.firstChild(values)
    while let key = child, let value = document.sibling(after: key, in: values) {
      guard let item = item(document, key, of: session) else { throw unknownItem(session, document, key) }
      found.append((item, key, value))
      child = document.sibling(after: value, in: values)
    }
    return found
  }

  /// The action that a call names; `nil` for the primary one.
  private func namedAction(
    _ parameters: Parameters, _ document: borrowing JSONDocument, _ session: Session
  ) throws(RPCError) -> SessionMachine.Action? {
    guard let name = try parameters.optionalString(.action, document) else { return nil }
    guard let action = action(document, name, of: session) else {
      throw unknownAction(session, document, name)
    }
    return action
  }

  /// Applies a rehearsal to the session, presses, and replies now or once the outcome is known.
  private func commit(_ rehearsal: Rehearsal, of session: Session, _ call: Call, _ timeout: UInt64?) {
    let former = session.machine.primaryRole
    var (step, isAwaited) = (Step.refused, false)
    update(session, after: .submit(call.requestID, timeout: timeout)) {
      session.machine = rehearsal.standIn.machine
      swap(&session.vault, &rehearsal.standIn.vault)
      step = session.machine.press(rehearsal.action, question: questions.nextID, at: time.utc, after: former)
      isAwaited = session.machine.awaitedQuestion != nil
      return rehearsal.edits.followed(by: step)
    }
    if !isAwaited { replyWhenStarted(to: call, session, submitted: RequestOutcome(rehearsal.action, step)) }
  }
}

extension RequestOutcome {
  /// The immediate outcome of a press that asked no authenticator; `nil` if the press makes no
  /// request.
  fileprivate init?(_ action: SessionMachine.Action, _ step: Step) {
    let leaves = step.effects.contains { if case .end = $0 { true } else { false } }
    switch action {
    case .submit, .retry: self = .invalid
    case .cancel: self = .cancelled
    case .link where leaves: self = .cancelled
    case .link, .again, .dismiss: return nil
    }
  }
}
