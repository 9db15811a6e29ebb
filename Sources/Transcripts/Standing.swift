import JSONCodec

/// What stands in the fields of sessions, as the updates and the edits since tell.
struct Standing {
  /// What stands in the fields of one session.
  struct Values {
    var items: [String: JSONValue] = [:]
    /// Whether the view has closed the session; then these are the values that stood at the time.
    var isClosed = false

    /// How the values of a session differ from these, for a person; `nil` if they do not.
    /// Items that only one of them has are not compared: what is on a screen follows from what was pressed and from the values of other items.
    func difference(to got: Values) -> String? {
      for (item, value) in items.sorted(by: { $0.key < $1.key }) {
        guard let other = got.items[item], other != value else { continue }
        return "the item \(item) to hold \(value.text), but it holds \(other.text)"
      }
      return nil
    }
  }

  private struct Session {
    /// By item. What a secret item holds is known from the edits; whether it holds anything, from the updates. `nil` while that is not known.
    var values: [String: JSONValue]?
    /// Where it is left out what is on the screen: the screen and state that the edits since belong to.
    var leftOut: (screen: String?, isPending: Bool)?
    /// How many changes and performs the view has sent, and how many of them the engine has said to have taken.
    var sent = 0
    var taken = 0
    /// The edits that no update is known to hold yet, with what they have replaced.
    var edits: [(event: Int, item: String, value: JSONValue, former: JSONValue?)] = []
    /// Which of the view's events was its last perform.
    var lastPerform = 0
    var isClosed = false

    /// What has been entered and still stands when it is left out what is on the screen: nothing on another one, nor when a request has ended.
    mutating func keep(_ snapshot: JSONValue) -> [String: JSONValue] {
      let now = (screen: snapshot["screen"]?.string, isPending: snapshot["state"]?.string == "requestPending")
      defer { leftOut = now }
      guard let before = leftOut, before.screen == now.screen, !before.isPending || now.isPending else { return [:] }
      return values ?? [:]
    }
  }

  private var sessions: [String: Session] = [:]
  /// The sessions of the requests that count as events, by their ids.
  private var asked: [String: String] = [:]

  /// What stands in a session; `nil` if it was never there, or the engine has ended it.
  func values(of name: String) -> Values? {
    guard let session = sessions[name] else { return nil }
    guard session.lastPerform <= session.taken, let values = session.values else {
      // What is on the screen by now is not known.
      let since = session.edits.filter { $0.event > session.lastPerform }
      let items = Dictionary(since.map { ($0.item, $0.value) }) { _, later in later }
      return Values(items: items, isClosed: session.isClosed)
    }
    return Values(items: values, isClosed: session.isClosed)
  }

  /// What stands in all sessions.
  var all: [String: Values] { sessions.keys.reduce(into: [:]) { $0[$1] = values(of: $1) } }

  /// The number of the next change or perform in a session; `nil` if there is no such session.
  func nextEvent(in name: String) -> Int? {
    guard let session = sessions[name], !session.isClosed else { return nil }
    return session.sent + 1
  }

  // MARK: What a view says

  /// A view has sent something. What is known to be refused counts and changes nothing.
  mutating func send(_ message: JSONValue, isRefused: Bool = false) {
    let params = message["params"]
    guard let name = params?["session"]?.string else { return }
    switch message["method"]?.string {
    case "session/open" where !isRefused: open(name)
    case "session/close" where !isRefused: sessions[name]?.isClosed = true
    case "session/perform", "session/change":
      guard var session = sessions[name], !session.isClosed else { return }
      session.sent += 1
      if let id = message["id"] { asked[id.text] = name }
      defer { sessions[name] = session }
      guard !isRefused else { return }
      guard message["method"]?.string == "session/change" else { return session.lastPerform = session.sent }
      guard let item = params?["item"]?.string, let value = params?["value"] else { return }
      session.edits.append((session.sent, item, value, session.values?[item]))
      // Only what is on the screen has a value; what that is may not have been said yet.
      if session.values?[item] != nil || session.leftOut != nil { session.values?[item] = value }
    default: return
    }
  }

  /// A view has opened a session of this name.
  mutating func open(_ name: String) { sessions[name] = Session() }

  // MARK: What the engine says

  /// The engine has said something; `isComplete` if nothing of what is on the screen is left out.
  mutating func take(_ message: JSONValue, isComplete: Bool = true) {
    if let id = message["id"], message["method"] == nil, let session = asked.removeValue(forKey: id.text) {
      refuse(message["error"]?["data"], in: session)
    }
    guard let params = message["params"], let name = params["session"]?.string else { return }
    switch message["method"]?.string {
    case "session/closed": sessions[name] = nil
    case "session/refused": refuse(params, in: name)
    case "session/update": update(name, params, isComplete)
    default: return
    }
  }

  /// Gives the view back what it had: what a refusal says.
  private mutating func refuse(_ refusal: JSONValue?, in name: String) {
    guard let refusal, var session = sessions[name] else { return }
    session.taken = max(session.taken, refusal["events"]?.integer ?? 0)
    for command in refusal["commands"]?.array ?? [] where command["command"]?.string == "setItem" {
      guard let item = command["item"]?.string else { continue }
      let refused = session.edits.first { $0.item == item && $0.event <= session.taken }
      session.edits.removeAll { $0.item == item && $0.event <= session.taken }
      guard session.values?[item] != nil, !session.edits.contains(where: { $0.item == item }) else { continue }
      if let value = command["value"] { session.values?[item] = value }
      switch command["filled"]?.bool {
      case true?: if let former = refused?.former { session.values?[item] = former }
      case false?: session.values?[item] = .string("")
      case nil: break
      }
    }
    sessions[name] = session
  }

  private mutating func update(_ name: String, _ params: JSONValue, _ isComplete: Bool) {
    guard let snapshot = params["snapshot"], let sections = snapshot["sections"]?.array else { return }
    var session = sessions[name] ?? Session()
    if session.isClosed { session = Session() }
    session.taken = max(session.taken, params["events"]?.integer ?? 0)
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
    // What the view has entered since is in its fields all the same.
    session.edits.removeAll { $0.event <= session.taken }
    for edit in session.edits where now[edit.item] != nil { now[edit.item] = edit.value }
    session.values = now
    sessions[name] = session
  }

  /// What was typed into a secret item.
  private func entered(_ item: String, in session: Session) -> JSONValue? {
    session.values?[item] ?? session.edits.last { $0.item == item }?.value
  }
}
