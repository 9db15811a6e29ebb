import JSONCodec
import LoginMachine
import LoginProtocol

/// Events for the observer.
extension EngineCore {
  /// Reports an event to the observer. Output that the observer has not seen yet is reported first.
  @inline(__always) func emit(_ event: @autoclosure () -> EngineEvent) {
    if observer != nil { emitToObserver(event()) }
  }

  @inline(never) private func emitToObserver(_ event: EngineEvent) {
    guard let observer else { return }
    emitOutput(observer)
    observer.observe(event, at: time.moment)
  }

  /// Reports an event to the observer at once, without first reporting the output that was produced
  /// before the event.
  @inline(__always) func note(_ event: @autoclosure () -> EngineEvent) {
    guard let observer else { return }
    observer.observe(event(), at: time.moment)
  }

  /// Reports to the observer the output that it has not seen yet.
  @inline(never) func emitOutput(_ observer: any EngineObserver) {
    let isClockMoving = time.advance != nil
    let moment = time.moment
    output.withUnobserved { line, asking in
      observer.observe(.output(OutputLine(bytes: line, isClockMoving: isClockMoving, asking: asking)), at: moment)
    }
  }

  /// Reports the state of a session's machine to the observer, after an event that may have changed
  /// it.
  @inline(__always) func noteState(of session: Session) {
    if observer != nil { noteSessionState(session) }
  }

  @inline(never) private func noteSessionState(_ session: Session) {
    let machine = session.machine
    note(
      .session(
        SessionState(
          slot: session.slot, session: session.id.bytes, revision: machine.revision, screen: machine.screen.id,
          phase: machine.phase.name, alertSince: machine.alert == nil ? 0 : machine.since(.dismiss))))
  }

  /// Reports to the observer that a message of the view is about to be handled.
  @inline(__always) func emitMessage(_ document: borrowing JSONDocument, _ node: JSONDocument.Node) {
    if observer != nil { emitToObserver(of: document, node) }
  }

  @inline(never) private func emitToObserver(of document: borrowing JSONDocument, _ node: JSONDocument.Node) {
    guard let observer else { return }
    emitOutput(observer)
    let message = ViewMessage(
      bytes: document.fullText(node), isInBatch: input.batch != nil, known: knownValues(document, node),
      waitsForClock: waitsForClock(document, node))
    observer.observe(.message(message), at: time.moment)
  }

  // MARK: Known values

  private func knownValues(_ document: borrowing JSONDocument, _ node: JSONDocument.Node) -> KnownValues {
    guard case .call(let call) = IncomingMessage(document, node), let params = call.params,
      document.kind(params) == .object
    else { return .none }
    let parameters = Parameters(document, params)
    switch Method(document, call.method) {
    case .edit: return editedValue(parameters, document)
    case .open:
      if let saved = parameters[.saved] { return (try? readSaved(saved, document)) == nil ? .none : .savedSession }
      guard let chosen = try? choose(parameters, document) else { return .none }
      return items(of: chosen.0.flow.screens[chosen.screen], in: chosen.0.flow)
    case .submit: return submittedItems(parameters, document)
    case .press, .presented, .save, .locale, .close, .snapshot, .options, .list, .describe, .discover, .stats,
      .advance, .cancel, nil:
      return .none
    }
  }

  /// What the observer may know about the value in an edit, such as that it is a secret. `none` if
  /// the item cannot be determined or the edit was meant for another screen.
  private func editedValue(_ parameters: Parameters, _ document: borrowing JSONDocument) -> KnownValues {
    guard let session = try? session(parameters, document), let name = try? parameters.requiredString(.item, document),
      let item = item(document, name, of: session)
    else { return .none }
    guard isMeant(parameters, document, for: session, since: session.machine.since(item: item)) else { return .none }
    let traits = session.machine.screen.traits[item]
    if traits.contains(.isSecret) {
      return .secretValue(rules: session.template.flow.rulesOfSecrets(and: session.machine.screen))
    }
    return traits.contains(.isExternal) ? .externalValue : .plainValue
  }

  /// What the observer may know about the values in a submit: the items of the screen. `none` if
  /// the submit may be meant for another screen.
  private func submittedItems(_ parameters: Parameters, _ document: borrowing JSONDocument) -> KnownValues {
    guard parameters[.session] != nil else {
      guard let chosen = try? choose(parameters, document) else { return .none }
      return items(of: chosen.0.flow.screens[chosen.screen], in: chosen.0.flow)
    }
    guard let session = try? session(parameters, document) else { return .none }
    guard isMeant(parameters, document, for: session, since: session.machine.screenSince) else { return .none }
    return items(of: session.machine.screen, in: session.template.flow)
  }

  /// Whether the view showed the machine's current screen, in revision `since` or later, when it
  /// sent an event.
  private func isMeant(
    _ parameters: Parameters, _ document: borrowing JSONDocument, for session: Session, since: UInt64
  ) -> Bool {
    if let queue = session.transitions?.queue, queue.isBehind(session.machine) { return false }
    guard let node = parameters[.revision] else { return true }
    return document.wholeNumber(node).map { shows($0, since: since, session) } ?? false
  }

  private func items(of screen: Screen, in flow: Flow) -> KnownValues {
    .items(of: screen, secretRules: flow.rulesOfSecrets(and: screen))
  }

  /// Whether authenticators have to move their clocks before the engine can move its own clock as a
  /// message asks.
  private func waitsForClock(_ document: borrowing JSONDocument, _ node: JSONDocument.Node) -> Bool {
    guard time.clock.isManual, !authenticators.clockFollowers.isEmpty,
      case .call(let call) = IncomingMessage(document, node), Method(document, call.method) == .advance
    else { return false }
    return true
  }

  // MARK: Sessions that are asked for

  /// The session that asks an open question; `nil` if the question is not open.
  func askingSession(of question: QuestionID) -> AskingSession? {
    questions[question].map { AskingSession(session: $0.session.id.bytes, screen: $0.session.machine.screen) }
  }
}
