import JSONCodec

/// The questions that an engine has put to its frontend, and that wait for an answer.
struct MockQuestions {
  /// The attempts by the ids of their questions.
  private var waiting: [String: String] = [:]
  /// The attempts that are not decided yet.
  private var attempts: Set<String> = []

  /// The engine has said something.
  mutating func take(_ message: JSONValue) {
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

  /// The frontend has said something.
  mutating func send(_ message: JSONValue) {
    guard message["method"] == nil, let id = message["id"] else { return }
    guard let attempt = waiting.removeValue(forKey: id.text) else { return }
    if message["result"]?["outcome"]?.string != "challenge" { attempts.remove(attempt) }
  }

  /// Whether somebody waits for this.
  func expect(_ message: JSONValue) -> Bool {
    guard let method = message["method"]?.string else { return message["id"].map { waiting[$0.text] != nil } ?? false }
    return method == "authenticator/notify" && attempts.contains(message["params"]?["attempt"]?.text ?? "")
  }
}
