import JSONCodec
import LoginMachine
import LoginProtocol

/// Refusals, and the commands that undo refused edits.
extension EngineCore {
  /// The session and the item of a refused event; `nil` where they are unknown. This is all that is
  /// needed to undo an edit in the view.
  struct EventTarget {
    var session: Session?
    /// The index of the event's item in the machine's screen.
    var item: Int?
    /// The index of the event's item in the screen that the view still shows, if the view is in a
    /// transition.
    var shownItem: Int?
  }

  /// Replies to a refused call. If the call is an event of a session, an update is written before
  /// the reply. The update takes the event into account and, if the event is an edit, undoes it in
  /// the view.
  func refuse(
    _ call: Call, _ error: RPCError, method: Method?, _ document: borrowing JSONDocument,
    _ target: EventTarget = EventTarget()
  ) {
    var error = error
    if let session = target.session {
      undo(target, of: session)
      error.details.append(.init("events", .number(String(session.machine.events))))
    }
    if let id = call.id {
      reply(error, to: id)
    } else if let method, let name = sessionName(call, document) {
      output.updates.output.append(#"{"jsonrpc":"2.0","method":"session/refused","params":{"session":"#)
      output.updates.output.append(document.fullText(name))
      output.updates.output.append(#","method":""#)
      output.updates.output.append(method.name)
      output.updates.output.append(#"","error":"#)
      output.updates.output.appendError(error)
      output.updates.output.append("}}\n")
    } else {
      // The error's message may refer to its data. A refused notification gets no reply that would
      // carry the data, so the log does.
      let data = error.details.isEmpty ? "" : " data: \(JSONValue.object(error.details).text)"
      warn(ofRefused: "a notification was refused: \(error.name): \(error.message)\(data)")
    }
  }

  /// Undoes a refused edit in the view: restores the machine's value or, if the view is in a
  /// transition, the value that it was sent last. If the item is a filled secret, its value is
  /// cleared in the view and in the engine. This is necessary because the engine does not know
  /// which value
  /// the view shows, unless the view can restore it (`restoreSecret`).
  private func undo(_ target: EventTarget, of session: Session) {
    var lost: Int?
    if let item = target.item, session.machine.screen.items[item].isSecret,
      session.machine.draft.state(of: item).isFilled, !keepsSecret(item, target, of: session)
    {
      session.vault.wipe(at: item)
      lost = item
    }
    let refused = RefusedEvent(item: target.item, shownItem: target.shownItem, losesSecret: lost != nil)
    update(session, after: .refusal(refused)) { lost.map { session.machine.discardSecret($0) } ?? .shown([]) }
  }

  /// Whether the engine keeps the value of a secret item although it refuses an edit of the item.
  /// This requires a view that can restore its own value when a command says that the item is
  /// filled. It is safe while a request is pending or an alert is shown, because no value can have
  /// been entered since the press. It is not safe if the view is in a transition and still shows
  /// the item as empty.
  private func keepsSecret(_ item: Int, _ target: EventTarget, of session: Session) -> Bool {
    guard session.particulars?.restoresSecrets == true, !session.machine.acceptsEdits else { return false }
    guard let queue = session.transitions?.queue, let shown = target.shownItem else { return true }
    return queue.isFilled(shown)
  }

  private func sessionName(_ call: Call, _ document: borrowing JSONDocument) -> JSONDocument.Node? {
    guard let params = call.params, let name = document.member("session", of: params),
      document.kind(name) == .string, document.text(name).count <= EngineCore.maximumNameBytes
    else { return nil }
    return name
  }

  // MARK: Reasons

  /// The ids of the items that are on a session's screen and can be edited.
  func editableItems(_ session: Session) -> [String] {
    let screen = session.machine.screen
    return screen.items.indices
      .filter { !session.machine.draft.state(of: $0).isHidden && screen.traits[$0].isDisjoint(with: .isFixed) }
      .map { screen.items[$0].id }
  }

  /// The error for a call that names an item that the session's screen does not show. `name` is the
  /// document's node with the item's name.
  func unknownItem(
    _ session: Session, _ document: borrowing JSONDocument, _ name: JSONDocument.Node
  ) -> RPCError {
    .unknownItem(RPCError.name(document, name), editableItems(session))
  }

  func unknownAction(
    _ session: Session, _ document: borrowing JSONDocument, _ name: JSONDocument.Node
  ) -> RPCError {
    .unknownAction(RPCError.name(document, name), session.machine.screen.actionIDs)
  }

  func notAccepted(_ session: Session) -> RPCError {
    let screen = session.machine.screen
    return .notAccepted(
      state: "\(session.machine.phase.name.wireName)", isUnderAlert: session.machine.alert != nil,
      items: session.machine.acceptsEdits ? editableItems(session) : [],
      actions: screen.namedActions.filter { session.machine.accepts($0.action) }.map(\.id))
  }
}
