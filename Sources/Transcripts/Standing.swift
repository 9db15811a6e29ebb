import JSONCodec

/// The values that stand in sessions, as the updates and the edits since tell.
struct Standing {
  /// By session, then by item. What a secret item holds is known from the edits; whether it holds anything, from the updates.
  private(set) var values: [String: [String: JSONValue]] = [:]
  /// The sessions of the requests that changed something, by their ids.
  private var asked: [String: String] = [:]

  /// A view has changed a value.
  mutating func change(_ message: JSONValue) {
    let params = message["params"]
    guard let session = params?["session"]?.string, let item = params?["item"]?.string, let value = params?["value"],
      // Only what is on the screen has a value.
      values[session]?[item] != nil
    else { return }
    values[session]?[item] = value
    if let id = message["id"] { asked[id.text] = session }
  }

  /// Gives the view back what it had: what a refusal says.
  private mutating func undo(_ commands: JSONValue?, in session: String) {
    for command in commands?.array ?? [] where command["command"]?.string == "setItem" {
      guard let item = command["item"]?.string, values[session]?[item] != nil else { continue }
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
    case "session/closed": values[session] = nil
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
