import JSONCodec
import LoginForms
import LoginMachine
import LoginProtocol

/// What a person does: edits and presses.
extension Engine {
  /// What is known of a call when it is refused: enough to undo it in the view.
  private struct Target {
    var session: Session?
    /// The item of the machine's screen.
    var item: Int?
    /// The item of the screen that a view shows which takes its time.
    var shownItem: Int?
  }

  func change(_ call: Call, _ parameters: Parameters, _ document: borrowing JSONDocument) {
    var target = Target()
    do throws(RPCError) {
      let session = try begin(parameters, document, &target)
      let screen = session.machine.screenIndex
      let name = try parameters.requiredString(.item, document)
      if let queue = session.transitions?.queue {
        target.shownItem = item(document, name, on: queue.shown, of: session)
        if target.shownItem != nil || item(document, name, of: session) != nil {
          try checkShown(queue, parameters, document, session, .change)
        }
      }
      guard
        let item = session.template.item(document, name, onScreen: screen) ?? itemOfChallenge(document, name, session),
        !session.machine.hides(item)
      else { throw .unknownItem(editableItems(session)) }
      target.item = item
      try parameters.check(for: .change)
      try checkRevision(parameters, document, session, since: session.machine.since(item: item))
      try checkPresented(session)
      guard session.machine.acceptsEdits else { throw notAccepted(session) }
      guard let value = parameters[.value] else { throw .invalidParams(.value, "Give the item's new value.") }
      updates.begin(from: &session.machine)
      try enter(value, document, into: item, of: session)
      if session.machine.screen.isDynamic { wipeHiddenSecrets(of: session) }
      emitUpdate(of: session, edited: item)
      reply(to: call, session)
    } catch {
      refuse(call, error, .change, document, target)
    }
  }

  func perform(_ call: Call, _ parameters: Parameters, _ document: borrowing JSONDocument) {
    var target = Target()
    do throws(RPCError) {
      let session = try begin(parameters, document, &target)
      let name = try parameters.requiredString(.action, document)
      if let queue = session.transitions?.queue,
        action(document, name, on: queue.shown, of: session) != nil || action(document, name, of: session) != nil
      {
        try checkShown(queue, parameters, document, session, .perform)
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
      updates.begin(from: &session.machine)
      let outcome = session.machine.press(action, attempt: lastAttempt + 1)
      guard outcome != .refused else { throw notAccepted(session) }
      emitUpdate(of: session, edited: nil)
      run(outcome, of: session)
      reply(to: call, session)
    } catch {
      refuse(call, error, .perform, document, target)
    }
  }

  /// Finds the session and counts the event.
  @inline(__always) private func begin(
    _ parameters: Parameters, _ document: borrowing JSONDocument, _ target: inout Target
  ) throws(RPCError) -> Session {
    let session = try session(parameters, document)
    session.machine.countEvent()
    session.lastActive = clock.now
    target.session = session
    return session
  }

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

  /// What was seen has been replaced since; with what the view was told last.
  private func stale(_ session: Session) -> RPCError {
    var error = RPCError.staleRevision
    var details = ByteBuffer()
    appendWritten(of: session, to: &details)
    details.append(#","snapshot":"#)
    appendWrittenSnapshot(of: session, to: &details)
    error.writtenDetails = details.array()
    return error
  }

  /// Refuses events while the view has something to present, if that is the session's policy.
  @inline(__always) private func checkPresented(_ session: Session) throws(RPCError) {
    guard let queue = session.transitions?.queue, queue.refusesEvents, let awaited = queue.awaited else { return }
    throw .presenting(revision: awaited)
  }

  /// Puts a value into an item that accepts edits.
  private func enter(
    _ value: JSONDocument.Node, _ document: borrowing JSONDocument, into item: Int, of session: Session
  ) throws(RPCError) {
    let traits = session.machine.screen.traits[item]
    if !traits.isDisjoint(with: [.isSelection, .isText]) {
      try pick(value, document, at: item, of: session)
    } else if !traits.contains(.isToggle) {
      guard document.kind(value) == .string else { throw .invalidParams(.value, "The value of this item is a string.") }
      let maximum = options.maximumValueBytes
      let isSecret = traits.contains(.isSecret)
      let fits = document.withString(value, scratch: &scratch) { text in
        guard text.count <= maximum else { return false }
        if isSecret {
          enterSecret(text, into: item, of: session)
        } else {
          _ = session.machine.change(item, to: text.assumingMemoryBound(to: UInt8.self).span)
        }
        return true
      }
      if isSecret, document.hasEscapes(value) { scratch.wipe() }
      guard fits else {
        throw .limitExceeded("maxValueBytes", maximum: maximum, "A value has at most \(maximum) bytes of UTF-8.")
      }
    } else {
      switch document.kind(value) {
      case .true: _ = session.machine.change(item, to: true)
      case .false: _ = session.machine.change(item, to: false)
      case .null, .number, .string, .array, .object:
        throw .invalidParams(.value, "The value of this item is true or false.")
      }
    }
  }

  /// Picks what `value` names in a selection.
  private func pick(
    _ value: JSONDocument.Node, _ document: borrowing JSONDocument, at item: Int, of session: Session
  ) throws(RPCError) {
    guard case .selection(let options, _) = session.machine.screen.items[item].kind else {
      throw .invalidParams(.item, "This item is a text; it has no value.")
    }
    if document.kind(value) == .null {
      _ = session.machine.pick(nil, at: item)
    } else if let option = option(value, of: options, document) {
      _ = session.machine.pick(option.span, at: item)
    } else {
      throw .notAnOption(.value, options)
    }
  }

  /// The id of the option that `value` names, in UTF-8.
  func option(
    _ value: JSONDocument.Node, of options: [Item.Option], _ document: borrowing JSONDocument
  ) -> [UInt8]? {
    guard document.kind(value) == .string else { return nil }
    let name = Array(document.string(value).utf8)
    return options.contains { $0.id.utf8.elementsEqual(name) } ? name : nil
  }

  /// Destroys the secrets of items that are not on the screen any more.
  private func wipeHiddenSecrets(of session: Session) {
    let screen = session.machine.screen
    for item in screen.items.indices
    where screen.traits[item].contains(.isSecret) && session.machine.draft.entries[item].isHidden {
      session.vault.wipe(at: item)
    }
  }

  private func enterSecret(_ text: UnsafeRawBufferPointer, into item: Int, of session: Session) {
    let screen = session.machine.screen
    session.vault.keep(text, at: item, of: screen.items.count)
    let failing = RuleSet(of: screen.items[item].rules, failingOn: text.assumingMemoryBound(to: UInt8.self).span) {
      session.vault.isSame(text, at: $0)
    }
    let dependents = screen.traits[item].contains(.hasDependents) ? verdicts(on: item, of: session) : []
    _ = session.machine.changeSecret(item, isFilled: !text.isEmpty, failing: failing, dependents: dependents)
  }

  /// Judges the secrets that have rules about another.
  private func verdicts(on item: Int, of session: Session) -> [Draft.Verdict] {
    let screen = session.machine.screen
    return screen.items.indices.filter { screen.items[$0].rules.contains { $0.requirement == .equalTo(item) } }.map {
      dependent in
      session.vault.withSecret(at: dependent) { text in
        Draft.Verdict(
          item: dependent,
          failing: RuleSet(of: screen.items[dependent].rules, failingOn: text.assumingMemoryBound(to: UInt8.self).span)
          {
            session.vault.isSame(text, at: $0)
          })
      }
    }
  }

  @inline(__always) func reply(to call: Call, _ session: Session) {
    guard let id = call.id else { return }
    reply { buffer in
      buffer.appendReplyHead(id: id)
      buffer.append(#"{"revision":"#)
      buffer.append(decimal: session.machine.revision)
      buffer.append("}}")
    }
  }

  /// The items that are on the screen and can be edited.
  private func editableItems(_ session: Session) -> [String] {
    let screen = session.machine.screen
    return screen.items.indices
      .filter { !session.machine.draft.entries[$0].isHidden && !screen.traits[$0].contains(.isText) }
      .map { screen.items[$0].id }
  }

  private func notAccepted(_ session: Session) -> RPCError {
    let screen = session.machine.screen
    let actions: [SessionMachine.Action] =
      [.submit, .cancel, .retry] + screen.links.indices.map { .link($0) } + [.dismiss]
    let accepted = zip(actions, screen.actionIDs).filter { session.machine.accepts($0.0) }.map(\.1)
    return .notAccepted(
      state: "\(session.machine.phase.name.wireName)",
      items: session.machine.acceptsEdits ? editableItems(session) : [], actions: accepted)
  }

  // MARK: Refusals

  /// Refuses a call that is about no session's event.
  func refuse(_ call: Call, _ error: RPCError, method: Method?, _ document: borrowing JSONDocument) {
    refuse(call, error, method, document, Target())
  }

  /// Tells that a call was refused, with the commands that undo it in the view.
  private func refuse(
    _ call: Call, _ error: RPCError, _ method: Method?, _ document: borrowing JSONDocument, _ target: Target
  ) {
    var commands = ByteBuffer()
    if let session = target.session {
      commands.append(#","events":"#)
      commands.append(decimal: session.machine.events)
    }
    commands.append(#","commands":["#)
    if let session = target.session { undo(target, of: session, &commands) }
    commands.append(0x5D)
    if let id = call.id {
      var error = error
      if target.session != nil { error.writtenDetails += commands.array() }
      reply(error, to: id)
    } else if let method, let name = sessionName(call, document) {
      updates.output.append(#"{"jsonrpc":"2.0","method":"session/refused","params":{"session":"#)
      updates.output.append(document.fullText(name))
      if target.session == nil {
        // Not an event of the session, if there is one of that name: what it has counted stays.
        let session = document.withString(name, scratch: &scratch) { sessions.find($0) }
        updates.output.append(#","events":"#)
        updates.output.append(decimal: session?.machine.events ?? 0)
      }
      updates.output.append(#","method":""#)
      updates.output.append(method.name)
      updates.output.append(#"","error":"#)
      updates.output.appendError(error)
      commands.withBytes { updates.output.append($0) }
      updates.output.append("}}\n")
    } else {
      log.write(.warning, "a notification was refused: \(error.name): \(error.message)")
    }
  }

  /// Gives the view back what the machine has of an item, or what was shown of it to a view that takes its time. A secret is emptied on both sides,
  /// because nobody can tell any more what the view shows of it.
  private func undo(_ target: Target, of session: Session, _ commands: inout ByteBuffer) {
    if let item = target.item, session.machine.screen.items[item].isSecret {
      updates.begin(from: &session.machine)
      session.vault.wipe(at: item)
      if session.machine.loseSecret(item) { emitUpdate(of: session, edited: nil) }
    }
    if let queue = session.transitions?.queue {
      guard let item = target.shownItem else { return }
      updates.appendUndo(of: item, in: queue.shown, session.template, to: &commands)
    } else if let item = target.item {
      updates.appendUndo(of: item, in: &session.machine, session.template, to: &commands)
    }
  }

  private func sessionName(_ call: Call, _ document: borrowing JSONDocument) -> JSONDocument.Node? {
    guard let params = call.params, let name = document.member("session", of: params),
      document.kind(name) == .string, document.text(name).count <= Engine.maximumNameBytes
    else { return nil }
    return name
  }
}
