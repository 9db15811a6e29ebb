import JSONCodec
import LoginMachine
import LoginProtocol

/// `session/submit`: a call with several values and a press, which counts as one event.
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

  /// Serves a submit that names no session: opens a session, enters the values and presses the
  /// action. No session is opened if the submit would be refused.
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
      // A second rehearsal, because an initial request may have changed the session when it was
      // opened.
      commit(try rehearse(parameters, document, session), of: session, call, timeout)
    } catch {
      // The view has been sent the session, so it has to be told that the session is closed.
      close(session, because: .refused)
      throw error
    }
  }

  // MARK: All or nothing

  /// The result of trying out a submit: a session with the submit's values, and the action to
  /// press.
  private struct Rehearsal {
    /// A copy of the session, with its machine and its secrets, into which the values were entered.
    let standIn: Session
    /// The step that combines the edits by which the values were entered.
    let edits: Step
    let action: SessionMachine.Action
  }

  /// Enters the values of a submit into a copy of the session, so that the session does not change
  /// if a value or the press is refused.
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
    // Values may show or hide items. What counts is whether an item is shown once all values are
    // entered.
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

  /// The items to which a submit gives values, in the order of the call.
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

  /// The action that a submit names; `nil` if it names none and so means the primary action.
  private func namedAction(
    _ parameters: Parameters, _ document: borrowing JSONDocument, _ session: Session
  ) throws(RPCError) -> SessionMachine.Action? {
    guard let name = try parameters.optionalString(.action, document) else { return nil }
    guard let action = action(document, name, of: session) else {
      throw unknownAction(session, document, name)
    }
    return action
  }

  /// Replaces the session's state by that of the rehearsal and presses the action. Replies at once,
  /// or as soon as the outcome is known.
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
  /// The outcome of a submit that waits for no answer of an authenticator; `nil` if the pressed
  /// action makes no request.
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
