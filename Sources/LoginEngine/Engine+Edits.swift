import JSONCodec
import LoginForms
import LoginMachine
import LoginProtocol

/// What a person does: edits and presses.
extension Engine {
  /// What is known of a call when it is refused: enough to undo it in the view.
  private struct Target {
    var session: Session?
    var item: Int?
  }

  func change(_ call: Call, _ parameters: Parameters, _ document: borrowing JSONDocument) {
    var target = Target()
    do throws(RPCError) {
      let session = try begin(parameters, document, &target)
      let screen = session.machine.screenIndex
      let name = try parameters.requiredString(.item, document)
      guard let item = session.template.item(document, name, onScreen: screen) else {
        throw .unknownItem(session.machine.screen.items.map(\.id))
      }
      target.item = item
      try parameters.check(for: .change)
      try checkRevision(parameters, document, session, since: session.machine.screenSince)
      guard session.machine.acceptsEdits else { throw notAccepted(session) }
      guard let value = parameters[.value] else { throw .invalidParams(.value, "Give the item's new value.") }
      updates.begin(from: &session.machine)
      try enter(value, document, into: item, of: session)
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
      guard let action = session.template.action(document, name, onScreen: session.machine.screenIndex) else {
        throw .unknownAction(actions(of: session.machine.screen))
      }
      try parameters.check(for: .perform)
      try checkRevision(parameters, document, session, since: session.machine.since(action))
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
    guard revision < since else { return }
    var error = RPCError.staleRevision
    var details = ByteBuffer()
    details.append(#","revision":"#)
    details.append(decimal: session.machine.revision)
    details.append(#","snapshot":"#)
    updates.appendSnapshot(of: &session.machine, session.template, to: &details)
    error.writtenDetails = details.array()
    throw error
  }

  /// Puts a value into an item that accepts edits.
  private func enter(
    _ value: JSONDocument.Node, _ document: borrowing JSONDocument, into item: Int, of session: Session
  ) throws(RPCError) {
    let traits = session.machine.screen.traits[item]
    if !traits.contains(.isToggle) {
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

  private func enterSecret(_ text: UnsafeRawBufferPointer, into item: Int, of session: Session) {
    let screen = session.machine.screen
    session.vault.keep(text, at: item, of: screen.items.count)
    let failing = RuleSet(of: screen.items[item].rules, failingOn: text.assumingMemoryBound(to: UInt8.self).span)
    _ = session.machine.changeSecret(item, isFilled: !text.isEmpty, failing: failing)
  }

  @inline(__always) private func reply(to call: Call, _ session: Session) {
    guard let id = call.id else { return }
    reply { buffer in
      buffer.appendReplyHead(id: id)
      buffer.append(#"{"revision":"#)
      buffer.append(decimal: session.machine.revision)
      buffer.append("}}")
    }
  }

  private func actions(of screen: Screen) -> [String] {
    [screen.primary.submit.id, screen.primary.cancel.id, screen.primary.retry.id] + screen.links.map(\.action.id)
  }

  private func notAccepted(_ session: Session) -> RPCError {
    let screen = session.machine.screen
    var accepted: [String] = []
    switch session.machine.phase {
    case .initial, .unvalidated, .validated: accepted.append(screen.primary.submit.id)
    case .requestPending: if session.machine.primaryPart == .cancel { accepted.append(screen.primary.cancel.id) }
    case .requestFailed: accepted.append(screen.primary.retry.id)
    case .requestSucceeded: break
    }
    let isOpen = session.machine.acceptsEdits
    if isOpen { accepted += screen.links.map(\.action.id) }
    return .notAccepted(
      state: "\(session.machine.phase.name.wireName)", items: isOpen ? screen.items.map(\.id) : [], actions: accepted)
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
    if let session = target.session, let item = target.item { undo(item, of: session, &commands) }
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

  /// Gives the view back what the machine has of an item. A secret is emptied on both sides, because nobody can tell any more
  /// what the view shows of it.
  private func undo(_ item: Int, of session: Session, _ commands: inout ByteBuffer) {
    let isSecret = session.machine.screen.items[item].isSecret
    if isSecret {
      updates.begin(from: &session.machine)
      session.vault.wipe(at: item)
      if session.machine.loseSecret(item) { emitUpdate(of: session, edited: nil) }
    }
    updates.appendUndo(of: item, in: &session.machine, session.template, to: &commands)
  }

  private func sessionName(_ call: Call, _ document: borrowing JSONDocument) -> JSONDocument.Node? {
    guard let params = call.params, let name = document.member("session", of: params),
      document.kind(name) == .string, document.text(name).count <= Engine.maximumNameBytes
    else { return nil }
    return name
  }
}
