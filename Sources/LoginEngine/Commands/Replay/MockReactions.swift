import JSONCodec

/// The engine's reactions to the messages of a view: which of them it accepted or refused, and the
/// names of the sessions that it opened.
struct MockReactions {
  /// The engine's responses, keyed by id, in reverse order.
  private var responses: [String: [(place: Int, isError: Bool)]] = [:]
  /// The engine's refusals of notifications, keyed by method and session, in reverse order.
  private var refusals: [String: [(place: Int, event: Int)]] = [:]
  /// The first updates of sessions, in reverse order.
  private var openings: [(place: Int, session: String)] = []

  /// Reads the messages of an engine, each with its position in the transcript.
  init(_ outputs: [(place: Int, message: JSONValue)]) {
    for (place, message) in outputs {
      let params = message["params"]
      switch message["method"]?.string {
      case nil:
        if let id = message["id"] { responses[id.text, default: []].append((place, message["error"] != nil)) }
      case "session/refused":
        let method = params?["method"]?.string ?? ""
        let key = "\(method) \(params?["session"]?.string ?? "")"
        refusals[key, default: []].append((place, params?["error"]?["data"]?["events"]?.integer ?? 0))
      case "session/update":
        if params?["revision"]?.integer == 1, let session = params?["session"]?.string {
          openings.append((place, session))
        }
      default: break
      }
    }
    for (id, list) in responses { responses[id] = list.reversed() }
    for (key, list) in refusals { refusals[key] = list.reversed() }
    openings.reverse()
  }

  /// Whether a message that was sent at this position was refused. A request without a response
  /// counts as refused, unless it is a `session/submit`.
  mutating func isRefused(_ message: JSONValue, at place: Int, event: Int?) -> Bool {
    if message["method"] == nil { return false }
    let isSubmit = message["method"]?.string == "session/submit"
    if let id = message["id"] {
      while let first = responses[id.text]?.last {
        responses[id.text]?.removeLast()
        if first.place >= place { return first.isError }
      }
      // The engine answers a submit only with its outcome, but refuses it at once.
      return !isSubmit
    }
    let method = message["method"]?.string ?? ""
    let name = message["params"]?["session"]?.string
    let key = "\(method) \(name ?? "")"
    while let first = refusals[key]?.last, first.place < place { refusals[key]?.removeLast() }
    guard method != "session/open", !isSubmit || name != nil else {
      let opening = openings.last { $0.place >= place && (name == nil || $0.session == name) }
      guard let opening else { return true }
      return takeRefusal(key) { $0.place < opening.place }
    }
    let counts = ["session/edit", "session/press", "session/submit"].contains(method)
    // Reopening a session resets its event count.
    let reopened = openings.last { $0.place >= place && $0.session == name }?.place ?? .max
    return takeRefusal(key) { $0.place < reopened && (!counts || event == nil || $0.event == event) }
  }

  /// Whether the next refusal with this key matches. If it does, removes it.
  private mutating func takeRefusal(_ key: String, where isMeant: ((place: Int, event: Int)) -> Bool) -> Bool {
    guard let first = refusals[key]?.last, isMeant(first) else { return false }
    refusals[key]?.removeLast()
    return true
  }

  /// The name of the session that a message at this position has opened.
  mutating func opened(_ name: String?, at place: Int) -> String? {
    let index = openings.lastIndex { $0.place >= place && (name == nil || $0.session == name) }
    return index.map { openings.remove(at: $0).session } ?? name
  }
}
