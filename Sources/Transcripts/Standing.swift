import JSONCodec

/// The values that stand in sessions, as the updates and the edits since tell.
struct Standing {
  /// By session, then by item. What a secret item holds is known from the edits; whether it holds anything, from the updates.
  private(set) var values: [String: [String: JSONValue]] = [:]

  /// A view has changed a value.
  mutating func change(_ params: JSONValue?) {
    guard let session = params?["session"]?.string, let item = params?["item"]?.string, let value = params?["value"],
      // Only what is on the screen has a value.
      values[session]?[item] != nil
    else { return }
    values[session]?[item] = value
  }

  /// The engine has said something.
  mutating func take(_ message: JSONValue) {
    guard let params = message["params"], let session = params["session"]?.string else { return }
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
