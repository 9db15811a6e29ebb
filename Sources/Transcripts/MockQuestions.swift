import JSONCodec

/// The requests that an engine has sent to its frontend, and that wait for a response.
struct MockQuestions {
  /// The attempts, by the ids of the requests.
  private var waiting: [String: String] = [:]
  /// The attempts that are not decided yet.
  private var attempts: Set<String> = []

  /// Records a message of the engine.
  mutating func recordEngineMessage(_ message: JSONValue) {
    guard let method = message["method"]?.string, method.hasPrefix("authenticator/") else { return }
    let attempt = message["params"]?["attempt"]?.text ?? ""
    if let id = message["id"] {
      waiting[id.text] = attempt
      attempts.insert(attempt)
    } else if method == "authenticator/cancel" {
      waiting = waiting.filter { $0.value != attempt }
      attempts.remove(attempt)
    }
  }

  /// Records a message of the frontend.
  mutating func recordFrontendMessage(_ message: JSONValue) {
    guard message["method"] == nil, let id = message["id"] else { return }
    guard let attempt = waiting.removeValue(forKey: id.text) else { return }
    if message["result"]?["outcome"]?.string != "challenge" { attempts.remove(attempt) }
  }

  /// Whether the engine waits for this message.
  func awaits(_ message: JSONValue) -> Bool {
    guard let method = message["method"]?.string else { return message["id"].map { waiting[$0.text] != nil } ?? false }
    return method == "authenticator/notify" && attempts.contains(message["params"]?["attempt"]?.text ?? "")
  }
}
