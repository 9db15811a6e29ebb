package import JSONCodec

/// Predicts what the fields of sessions contain in a view that does not wait for updates
/// (protocol/updates.md): the values of the last update, and edits that no update contains yet.
package struct FieldState {
  /// The values in the fields of one session.
  package struct Values {
    package var items: [String: JSONValue] = [:]
    /// Whether the view has closed the session. If so, `items` has the values at that time.
    package var isClosed = false

    package init(items: [String: JSONValue] = [:], isClosed: Bool = false) {
      self.items = items
      self.isClosed = isClosed
    }

    /// The first difference from `got`, the values of the same fields in another record; `nil` if
    /// there is none. Items that only one of the two records has are not compared, because the
    /// actions and the values of other items decide which items a screen has.
    package func difference(to got: Values) -> String? {
      for (item, value) in items.sorted(by: { $0.key < $1.key }) {
        guard let other = got.items[item], other != value else { continue }
        return "the item \(item) to hold \(value.text), but it holds \(other.text)"
      }
      return nil
    }
  }

  private struct Session {
    /// The values of the items; `nil` while they are unknown. The value of a secret item comes from
    /// the edits, since updates state only whether the item is filled.
    var values: [String: JSONValue]?
    /// If the updates do not contain all items: the screen that is shown, and whether a request is
    /// pending there.
    var leftOut: (screen: String?, isPending: Bool)?
    /// The number of events that the view has sent. `taken` is the number of those that the engine
    /// has confirmed.
    var sent = 0
    var taken = 0
    /// The edits that no update contains yet. `event` is the number of the edit among the view's
    /// events, and `former` the value that it replaced.
    var edits: [(event: Int, item: String, value: JSONValue, former: JSONValue?)] = []
    /// The revision of the newest update.
    var revision = 0
    /// The number of the view's last press among its events.
    var lastPress = 0
    var isClosed = false

    /// The entered values that are still valid after an update that does not contain all items. All
    /// of them become invalid if the screen has changed or a request has ended.
    mutating func keep(_ snapshot: JSONValue) -> [String: JSONValue] {
      let now = (screen: snapshot["screen"]?.string, isPending: snapshot["state"]?.string == "requestPending")
      defer { leftOut = now }
      guard let before = leftOut, before.screen == now.screen, !before.isPending || now.isPending else { return [:] }
      return values ?? [:]
    }
  }

  package init() {}

  private var sessions: [String: Session] = [:]

  /// The values in the fields of a session; `nil` if there is no such session, or if the engine has
  /// closed it.
  package func values(of name: String) -> Values? {
    guard let session = sessions[name] else { return nil }
    guard session.lastPress <= session.taken, let values = session.values else {
      // The view has pressed an action since the last update, so the screen's items are unknown.
      let since = session.edits.filter { $0.event > session.lastPress }
      let items = Dictionary(since.map { ($0.item, $0.value) }) { _, later in later }
      return Values(items: items, isClosed: session.isClosed)
    }
    return Values(items: values, isClosed: session.isClosed)
  }

  /// The values in the fields of all sessions.
  package var all: [String: Values] { sessions.keys.reduce(into: [:]) { $0[$1] = values(of: $1) } }

  /// The number that the view's next event in a session will have; `nil` if there is no such
  /// session.
  package func nextEvent(in name: String) -> Int? {
    guard let session = sessions[name], !session.isClosed else { return nil }
    return session.sent + 1
  }

  // MARK: Messages of the view

  /// Records a message of a view. A refused edit, press or submit counts as an event but changes no
  /// value.
  package mutating func recordViewMessage(_ message: JSONValue, isRefused: Bool = false) {
    let params = message["params"]
    let method = message["method"]?.string
    guard let name = params?["session"]?.string else {
      // Without a name, all sessions are closed.
      if method == "session/close", !isRefused { for name in sessions.keys { sessions[name]?.isClosed = true } }
      return
    }
    switch method {
    case "session/open" where !isRefused: recordOpening(name, params)
    case "session/submit":
      recordSubmit(name, isRefused ? nil : params?["values"])
    case "session/close" where !isRefused: sessions[name]?.isClosed = true
    case "session/press", "session/edit":
      guard var session = sessions[name], !session.isClosed else { return }
      session.sent += 1
      defer { sessions[name] = session }
      guard !isRefused else { return }
      guard method == "session/edit" else { return session.lastPress = session.sent }
      guard let item = params?["item"]?.string, let value = params?["value"] else { return }
      session.edits.append((session.sent, item, value, session.values?[item]))
      // Only items on the screen have a value, but the screen's items may not be known yet.
      if session.values?[item] != nil || session.leftOut != nil { session.values?[item] = value }
    default: return
    }
  }

  /// Records that a view has opened a session. If it opened a saved session, the number of events
  /// continues from the saved one.
  package mutating func recordOpening(_ name: String, _ params: JSONValue?) {
    var session = Session()
    session.sent = params?["saved"]?["events"]?.integer ?? 0
    session.taken = session.sent
    sessions[name] = session
  }

  /// Records that a view has submitted values in a session. The session's fields have these values
  /// as soon as the next update arrives.
  package mutating func recordSubmit(_ name: String, _ values: JSONValue?) {
    guard var session = sessions[name], !session.isClosed else { return }
    session.sent += 1
    for member in values?.members ?? [] {
      session.edits.append((session.sent, member.key, member.value, session.values?[member.key]))
    }
    if values != nil { session.lastPress = session.sent }
    sessions[name] = session
  }

  // MARK: Messages of the engine

  /// Records a message of the engine. `isComplete` is whether the message contains all items.
  package mutating func recordEngineMessage(_ message: JSONValue, isComplete: Bool = true) {
    guard let params = message["params"], let name = params["session"]?.string else { return }
    switch message["method"]?.string {
    case "session/closed": sessions[name] = nil
    case "session/update": update(name, params, isComplete)
    default: return
    }
  }

  private mutating func update(_ name: String, _ params: JSONValue, _ isComplete: Bool) {
    guard let snapshot = params["snapshot"], let sections = snapshot["sections"]?.array else { return }
    var session = sessions[name] ?? Session()
    // The update for an edit that preceded the close may still arrive.
    guard !session.isClosed else { return }
    let events = params["events"]?.integer ?? 0
    session.taken = max(session.taken, events)
    // An update with the revision of the one before is the answer to a refused event.
    let revision = params["revision"]?.integer ?? 0
    if revision == session.revision, let edit = session.edits.first(where: { $0.event == events }) {
      session.edits.removeAll { $0.event == events }
      if session.values?[edit.item] != nil, !session.edits.contains(where: { $0.item == edit.item }) {
        session.values?[edit.item] = edit.former
      }
    }
    session.revision = revision
    var now: [String: JSONValue] = [:]
    for item in sections.flatMap({ $0["items"]?.array ?? [] }) {
      guard let id = item["id"]?.string else { continue }
      if let value = item["value"] {
        now[id] = value
      } else if let isFilled = item["filled"]?.bool {
        now[id] = isFilled ? entered(id, in: session) ?? .string("") : .string("")
      }
    }
    if isComplete {
      session.leftOut = nil
    } else {
      now = session.keep(snapshot)
    }
    // Edits that the update does not contain yet stay in the fields.
    session.edits.removeAll { $0.event <= session.taken }
    for edit in session.edits where now[edit.item] != nil { now[edit.item] = edit.value }
    session.values = now
    sessions[name] = session
  }

  /// The value that the user entered into a secret item; `nil` if it is unknown.
  private func entered(_ item: String, in session: Session) -> JSONValue? {
    session.edits.last { $0.item == item }?.value ?? session.values?[item]
  }
}
