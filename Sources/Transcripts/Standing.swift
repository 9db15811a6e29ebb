import JSONCodec

/// The values that stand in sessions, as the updates and the edits since tell.
struct Standing {
  /// By session, then by item. What a secret item holds is known from the edits; whether it holds anything, from the updates.
  private(set) var values: [String: [String: JSONValue]] = [:]
  /// The sessions of the requests that changed something, by their ids.
  private var asked: [String: String] = [:]
  /// By session, how many changes and performs the view has sent.
  private var events: [String: Int] = [:]
  /// By session, the edits that no update is known to hold yet.
  private var edits: [String: [(event: Int, item: String, value: JSONValue)]] = [:]

  /// A view has sent something. What is known to be refused counts and changes nothing.
  mutating func send(_ message: JSONValue, isRefused: Bool = false) {
    let params = message["params"]
    guard let session = params?["session"]?.string else { return }
    switch message["method"]?.string {
    case "session/open" where !isRefused: forget(session)
    case "session/perform": events[session, default: 0] += 1
    case "session/change":
      events[session, default: 0] += 1
      guard !isRefused, let item = params?["item"]?.string, let value = params?["value"] else { return }
      // Only what is on the screen has a value; what that is may not have been said yet.
      if let shown = values[session], shown[item] == nil { return }
      values[session]?[item] = value
      edits[session, default: []].append((events[session] ?? 0, item, value))
      if let id = message["id"] { asked[id.text] = session }
    default: return
    }
  }

  private mutating func forget(_ session: String) {
    values[session] = nil
    events[session] = nil
    edits[session] = nil
  }

  /// Gives the view back what it had: what a refusal says.
  private mutating func undo(_ commands: JSONValue?, in session: String) {
    for command in commands?.array ?? [] where command["command"]?.string == "setItem" {
      guard let item = command["item"]?.string, values[session]?[item] != nil else { continue }
      edits[session]?.removeAll { $0.item == item }
      if let value = command["value"] { values[session]?[item] = value }
      if command["filled"]?.bool == false { values[session]?[item] = .string("") }
    }
  }

  /// The engine has said something.
  mutating func take(_ message: JSONValue) {
    if let id = message["id"], let session = asked.removeValue(forKey: id.text) {
      undo(message["error"]?["data"]?["commands"], in: session)
    }
    guard let params = message["params"], let session = params["session"]?.string else { return }
    switch message["method"]?.string {
    case "session/closed": forget(session)
    case "session/refused": undo(params["commands"], in: session)
    default: break
    }
    guard let sections = params["snapshot"]?["sections"]?.array else { return }
    var now: [String: JSONValue] = [:]
    for item in sections.flatMap({ $0["items"]?.array ?? [] }) {
      guard let id = item["id"]?.string else { continue }
      if let value = item["value"] {
        now[id] = value
      } else if let isFilled = item["filled"]?.bool {
        now[id] = isFilled ? values[session]?[id] ?? .string("") : .string("")
      }
    }
    // What the view has entered since is in its fields all the same.
    let taken = params["events"]?.integer ?? 0
    edits[session]?.removeAll { $0.event <= taken }
    for edit in edits[session] ?? [] where now[edit.item] != nil { now[edit.item] = edit.value }
    values[session] = now
  }

  /// How two sessions' values differ, for a person; `nil` if they do not.
  static func difference(_ expected: [String: JSONValue], _ got: [String: JSONValue]) -> String? {
    for item in expected.keys.sorted() where expected[item] != got[item] {
      return "the item \(item) to hold \(text(expected[item])), but it holds \(text(got[item]))"
    }
    for item in got.keys.sorted() where expected[item] == nil {
      return "no item \(item), but it is there and holds \(text(got[item]))"
    }
    return nil
  }

  private static func text(_ value: JSONValue?) -> String { value?.text ?? "nothing" }
}
