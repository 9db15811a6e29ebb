import JSONCodec

/// What a transcript expects of a view, and what it does meanwhile.
struct MockScript {
  enum Step {
    /// The view opens a session, which the transcript gives this name; with these of its params.
    case open(String, [String: JSONValue])
    /// The view performs an action while these values stand.
    case perform(session: String, action: String, [String: JSONValue])
    /// These values stand before time passes.
    case stand([String: [String: JSONValue]])
    /// What the replayer does or expects by itself.
    case play(Transcript.Step)
  }

  /// Each with its line in the file.
  private(set) var steps: [(line: Int, step: Step)] = []

  init(_ transcript: Transcript) {
    var standing = Standing()
    let entries = transcript.entries
    for (index, entry) in entries.enumerated() {
      switch entry.step {
      case .input(let bytes):
        let said = entries[(index + 1)...].prefix { if case .input = $0.step { false } else { true } }.compactMap(
          \.said)
        let reactions = said.flatMap { $0.array ?? [$0] }
        guard let line = try? JSONValue(parsing: bytes) else { continue }
        for message in line.array ?? [line] { add(message, entry.line, reactions, &standing) }
      case .output(let message, _):
        for one in message.array ?? [message] { standing.take(one) }
      case .advance:
        steps.append((entry.line, .stand(standing.values)))
        steps.append((entry.line, .play(entry.step)))
      case .ask, .answer, .fault, .terminate, .end: steps.append((entry.line, .play(entry.step)))
      }
    }
  }

  private mutating func add(_ message: JSONValue, _ line: Int, _ reactions: [JSONValue], _ standing: inout Standing) {
    let params = message["params"]
    let isRefused = MockScript.isRefused(message, reactions)
    standing.send(message, isRefused: isRefused)
    // What is refused is no part of what a view has to do.
    guard !isRefused else { return }
    switch message["method"]?.string {
    case "session/open":
      let name = params?["session"]?.string ?? reactions.compactMap { $0["params"]?["session"]?.string }.first
      guard let name else { return }
      var wanted: [String: JSONValue] = [:]
      for key in ["flow", "screen", "locale", "transitions", "policy", "values"] { wanted[key] = params?[key] }
      steps.append((line, .open(name, wanted)))
    case "session/perform":
      guard let session = params?["session"]?.string, let action = params?["action"]?.string else { return }
      steps.append((line, .perform(session: session, action: action, standing.values[session] ?? [:])))
    default: return
    }
  }

  /// Whether an engine that has said this has refused a message.
  static func isRefused(_ message: JSONValue, _ reactions: [JSONValue]) -> Bool {
    if let id = message["id"] { return reactions.contains { $0["id"] == id && $0["error"] != nil } }
    let method = message["method"]
    // Of one that names no session nothing is said.
    if method?.string == "session/open" { return !reactions.contains { $0["params"]?["revision"]?.integer == 1 } }
    return reactions.contains { $0["method"]?.string == "session/refused" && $0["params"]?["method"] == method }
  }
}
