import JSONCodec
import LoginMachine
import LoginProtocol

/// The options of selections. Views need this call for selections with more options than a snapshot
/// contains.
extension EngineCore {
  /// Replies with all options of a selection. The item is found in the same way as for an edit, but
  /// the request is no event and changes nothing.
  func options(_ call: Call, _ parameters: Parameters, _ document: borrowing JSONDocument) throws(RPCError) {
    let session = try session(parameters, document)
    session.lastActive = time.now
    let name = try parameters.requiredString(.item, document)
    if let queue = session.transitions?.queue {
      let shown = session.template.item(document, name, on: queue.written.view.screenReference)
      if shown != nil || item(document, name, of: session) != nil {
        try checkShown(queue, parameters, document, session, .options)
      }
    }
    guard let item = item(document, name, of: session), !session.machine.hides(item) else {
      throw unknownItem(session, document, name)
    }
    try checkRevision(parameters, document, session, since: session.machine.since(item: item))
    // The titles are in the language in which the view shows the item. Until the next update, this
    // may be another language than the session's.
    let view = session.transitions?.queue.written.view
    let shown = view?.screenReference == session.machine.screenReference ? view : nil
    let screen = shown?.screen(of: session.template.flow) ?? session.machine.screen
    let strings = shown.map { template(in: $0.language, of: session).strings } ?? session.template.strings
    guard screen.items.indices.contains(item), case .selection(let options, _) = screen.items[item].kind else {
      throw .invalidParams(.item, "This item is no selection, so it has no options.")
    }
    reply(to: call) { buffer in
      buffer.append(#"{"session":"#)
      session.id.withUnsafeBytes { buffer.appendJSONString($0) }
      buffer.append(#","item":"#)
      buffer.appendJSONString(session.machine.screen.items[item].id)
      buffer.append(#","options":"#)
      buffer.appendOptions(options, strings)
      buffer.append(0x7D)
    }
  }
}
