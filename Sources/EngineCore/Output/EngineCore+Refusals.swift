import JSONCodec
import LoginMachine
import LoginProtocol

/// Refusals, and the commands that undo refused edits.
extension EngineCore {
  /// The target of a refused event, as far as known: enough to undo the event in the view.
  struct EventTarget {
    var session: Session?
    /// The item in the machine's screen.
    var item: Int?
    /// The item in the screen that a view in a transition still shows.
    var shownItem: Int?
  }

  /// Replies to a refused call. For an event of a session, an update comes first, which counts the
  /// event and undoes its change in the view.
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
      // The message may refer to the data, which no reply carries here.
      let data = error.details.isEmpty ? "" : " data: \(JSONValue.object(error.details).text)"
      warn(ofRefused: "a notification was refused: \(error.name): \(error.message)\(data)")
    }
  }

  /// Restores an item in the view to the machine's value, or to the last written value for a view
  /// in a transition. A secret is cleared on both sides, because the engine no longer knows what
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

  /// Whether a secret is kept although an edit of it is refused. That is safe while a request is
  /// pending or an alert is shown: nothing can have been entered since the press, and the view
  /// restores its value when the undoing command says that the item is filled. A view in a
  /// transition may still show the item as empty, in which case the secret is not kept.
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

  /// The items that are on the screen and can be edited.
  func editableItems(_ session: Session) -> [String] {
    let screen = session.machine.screen
    return screen.items.indices
      .filter { !session.machine.draft.state(of: $0).isHidden && screen.traits[$0].isDisjoint(with: .isFixed) }
      .map { screen.items[$0].id }
  }

  /// The error for an item that the screen does not show; `name` is the node of its name.
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
