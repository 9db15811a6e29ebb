import JSONCodec
import LoginMachine
import LoginProtocol

/// What is not taken, and how the view gets back what it has changed.
extension EngineCore {
  /// What is known of an event when it is refused: enough to undo it in the view.
  struct EventTarget {
    var session: Session?
    /// The item of the machine's screen.
    var item: Int?
    /// The item of the screen that a view shows which takes its time.
    var shownItem: Int?
    /// Whether the edit is to empty the item: then the view has emptied it already.
    var empties = false
  }

  /// Tells that a call was refused, with the commands that undo it in the view if it was an event.
  func refuse(
    _ call: Call, _ error: RPCError, method: Method?, _ document: borrowing JSONDocument,
    _ target: EventTarget = EventTarget()
  ) {
    var commands = ByteBuffer()
    if let session = target.session {
      commands.append(#","events":"#)
      commands.append(decimal: session.machine.events)
    }
    commands.append(#","commands":["#)
    var error = error
    if let session = target.session {
      undo(target, of: session, &commands)
      session.transitions?.queue.noteRefusal(events: session.machine.events)
      // Made anew, because emptying a secret may have led to an update.
      if error.isStale { error = stale(session) }
    }
    commands.append(0x5D)
    if let id = call.id {
      if target.session != nil { error.writtenDetails += commands.array() }
      reply(error, to: id)
    } else if let method, let name = sessionName(call, document) {
      output.updates.output.append(#"{"jsonrpc":"2.0","method":"session/refused","params":{"session":"#)
      output.updates.output.append(document.fullText(name))
      if target.session == nil {
        // Not an event of the session, if there is one of that name: what it has counted stays.
        let session = document.withString(name, scratch: &parsing.scratch) { sessions.find($0) }
        output.updates.output.append(#","events":"#)
        output.updates.output.append(decimal: session?.machine.events ?? 0)
      }
      output.updates.output.append(#","method":""#)
      output.updates.output.append(method.name)
      output.updates.output.append(#"","error":"#)
      output.updates.output.appendError(error)
      commands.withBytes { output.updates.output.append($0) }
      output.updates.output.append("}}\n")
    } else {
      warn(ofRefused: "a notification was refused: \(error.name): \(error.message)")
    }
  }

  /// Gives the view back what the machine has of an item, or what was shown of it to a view that takes its time. A secret is emptied on both sides,
  /// because nobody can tell any more what the view shows of it, unless the view says that it can. A view that has emptied it itself is not told to.
  private func undo(_ target: EventTarget, of session: Session, _ commands: inout ByteBuffer) {
    if let item = target.item, session.machine.screen.items[item].isSecret, !keepsSecret(item, target, of: session) {
      session.vault.wipe(at: item)
      update(session) { session.machine.loseSecret(item) }
    }
    if let queue = session.transitions?.queue {
      guard let item = target.shownItem else { return }
      let template = template(in: queue.shown.language, of: session)
      output.updates.appendUndo(of: item, in: queue.shown, isEmpty: target.empties, template, to: &commands)
    } else if let item = target.item {
      output.updates.appendUndo(
        of: item, in: &session.machine, isEmpty: target.empties, session.template, to: &commands)
    }
  }

  /// Whether a secret stays although an edit of it is refused: nothing can be entered since a press, because a request is pending or an alert is shown, and
  /// the view puts back what it had then when the undoing command says that the item is filled. A view that takes its time may show the item as empty still,
  /// and is then told so.
  private func keepsSecret(_ item: Int, _ target: EventTarget, of session: Session) -> Bool {
    guard session.particulars?.restoresSecrets == true, !session.machine.acceptsEdits,
      session.machine.draft.state(of: item).isFilled
    else { return false }
    guard let queue = session.transitions?.queue, let shown = target.shownItem else { return true }
    return queue.shown.items[shown].isFilled
  }

  private func sessionName(_ call: Call, _ document: borrowing JSONDocument) -> JSONDocument.Node? {
    guard let params = call.params, let name = document.member("session", of: params),
      document.kind(name) == .string, document.text(name).count <= EngineCore.maximumNameBytes
    else { return nil }
    return name
  }

  // MARK: Reasons

  /// What was seen has been replaced since; with what the view was told last.
  func stale(_ session: Session) -> RPCError {
    var error = RPCError.staleRevision
    var details = ByteBuffer()
    appendWritten(of: session, to: &details)
    details.append(#","snapshot":"#)
    appendWrittenSnapshot(of: session, to: &details)
    error.writtenDetails = details.array()
    return error
  }

  /// The items that are on the screen and can be edited.
  func editableItems(_ session: Session) -> [String] {
    let screen = session.machine.screen
    return screen.items.indices
      .filter { !session.machine.draft.state(of: $0).isHidden && screen.traits[$0].isDisjoint(with: .isFixed) }
      .map { screen.items[$0].id }
  }

  func notAccepted(_ session: Session) -> RPCError {
    let screen = session.machine.screen
    return .notAccepted(
      state: "\(session.machine.phase.name.wireName)",
      items: session.machine.acceptsEdits ? editableItems(session) : [],
      actions: screen.namedActions.filter { session.machine.accepts($0.action) }.map(\.id))
  }
}
