import JSONCodec
import TestSupport

extension Example {
  /// Checks an example that consists of protocol lines. The lines of a view or an authenticator are
  /// written to the engine, and the engine then has to write the documented lines in the same
  /// order. `"…"` stands for any value, and the document may leave lines of the engine out.
  func isSpoken() throws { try SpokenExample(values()).check() }
}

/// A transcript that is made of the lines in a document. Where a line needs a question that the
/// document does not show, calls of the view that lead to the question are added.
private struct SpokenExample {
  private var steps: [JSONValue] = []
  /// The lines of the engine that the document shows.
  private var shown: [JSONValue] = []
  private var idsOfView: [JSONValue] = []
  private var sessionsOfView: [JSONValue] = []
  /// The number of the last question to an authenticator.
  private var asked = 0
  /// The number of the session that asked the last question.
  private var session = 0
  private var isDescribed = false
  private var screen: JSONValue?
  private var wait: JSONValue?

  init(_ values: [JSONValue]) throws {
    if values.contains(where: { $0["id"]?.string?.hasPrefix(Self.idOfFrontend) == true }) {
      steps.append(Self.step("options", .array([.string("--authenticator"), .string("frontend")])))
    }
    for value in values { try take(value) }
    // Closes all sessions, so that no question stays open.
    let sessions = sessionsOfView + (0..<session).map { .string("own\($0 + 1)") }
    for session in sessions { send("close", [.init("session", session)]) }
    if isDescribed { steps.append(Self.step("in", Self.describe)) }
  }

  private static let idOfFrontend = "authenticator-"
  private static let describe = JSONValue.object([
    .init("jsonrpc", .string("2.0")), .init("id", .string("example")), .init("method", .string("engine/describe")),
  ])

  private static func step(_ kind: String, _ value: JSONValue) -> JSONValue { .object([.init(kind, value)]) }

  // MARK: Origin of a line

  private mutating func take(_ value: JSONValue) throws {
    switch value["method"]?.string {
    case "session/update", "session/refused", "session/closed": shown.append(value)
    case "authenticator/describe":
      begin()
      steps.append(Self.step("ask", value))
      shown.append(value)
    case "authenticator/submit":
      begin(with: value.at("params", "values"))
      shown.append(value)
    case "authenticator/continue":
      resume(value.at("params", "values"))
      shown.append(value)
    case "authenticator/cancel":
      if asked == 0 { begin() }
      act("press", "action", .string("cancel"))
      shown.append(value)
    case "authenticator/notify":
      if asked == 0 { begin() }
      steps.append(Self.step("answer", value))
    case .some:
      if let id = value["id"] { idsOfView.append(id) }
      if value["method"]?.string == "session/open" { sessionsOfView.append(value.at("params", "session") ?? .null) }
      steps.append(Self.step("in", value))
    case nil: try takeResponse(value)
    }
  }

  private mutating func takeResponse(_ value: JSONValue) throws {
    guard let id = value["id"], value["result"] != nil || value["error"] != nil else {
      throw Deviation("this is no line of the protocol: \(value.text)")
    }
    if idsOfView.contains(id) { return shown.append(value) }
    isDescribed = isDescribed || id.string == "describe"
    let isOfFrontend = id.string?.hasPrefix(Self.idOfFrontend) == true
    let number = id.string.map { isOfFrontend ? Int($0.dropFirst(Self.idOfFrontend.count)) ?? 0 : 0 } ?? id.integer ?? 0
    // If the document does not show the question, a login is added that leads to it.
    if number > asked { begin() }
    screen = value.at("result", "screen") ?? screen
    wait = value.at("result", "wait", "pollAfterMs")
    steps.append(Self.step(isOfFrontend ? "in" : "answer", value))
  }

  // MARK: Calls that lead to a question

  /// Adds calls of the view that fill in a login and press its button.
  private mutating func begin(with values: JSONValue? = nil) {
    session += 1
    asked += 1
    send("open", [.init("session", .string("own\(session)"))])
    let values = values?.members ?? [.init("email", .string("ada@example.com")), .init("password", .string("…"))]
    for member in values { change(member.key == "email" ? "email" : member.key, member.value) }
    act("press", "action", .string("submit"))
  }

  /// Adds calls of the view that fill in the screen of a challenge and press its button, or lets
  /// time pass until the challenge is polled.
  private mutating func resume(_ values: JSONValue?) {
    if asked == 0 { begin() }
    asked += 1
    if let wait { return steps.append(Self.step("advance", wait)) }
    for member in values?.members ?? [] { change(member.key, member.value) }
    act("press", "action", screen?.at("actions", "submit", "id") ?? .string("submit"))
  }

  private mutating func change(_ item: String, _ value: JSONValue) {
    act("edit", "item", .string(item), .init("value", value == .string("…") ? .string("correct horse") : value))
  }

  private mutating func act(_ method: String, _ key: String, _ id: JSONValue, _ others: JSONValue.Member...) {
    send(method, [.init("session", .string("own\(session)")), .init(key, id)] + others)
  }

  private mutating func send(_ method: String, _ params: [JSONValue.Member]) {
    let members: [JSONValue.Member] = [
      .init("jsonrpc", .string("2.0")), .init("method", .string("session/" + method)), .init("params", .object(params)),
    ]
    steps.append(Self.step("in", .object(members)))
  }

  // MARK: Output of the engine

  func check() throws {
    let folder = try TemporaryDirectory()
    let file = try folder.write(steps.map(\.text).joined(separator: "\n"), to: "example.jsonl")
    let replay = try Replay(["--update", file])
    guard replay.status == 0 else { throw Deviation(replay.output + replay.error) }
    let steps = try Conversation(path: file).steps
    let written = steps.filter { ["out", "ask"].contains($0.kind) }.map(\.value)
    var rest = written[...]
    for line in shown {
      guard let index = rest.firstIndex(where: { line.stands(for: $0) }) else {
        throw Deviation("it does not write\n\(line.text)\nbut\n\(rest.map(\.text).joined(separator: "\n"))")
      }
      rest = rest[(index + 1)...]
    }
    try checkAnswers(steps)
  }

  /// Checks that the documented answers of an authenticator are valid and have an effect.
  private func checkAnswers(_ steps: [Conversation.Step]) throws {
    for (step, next) in zip(steps, steps.dropFirst()) {
      guard step.kind == "answer" || step.kind == "in" && step.value["method"] == nil else { continue }
      if step.value["id"]?.string == "describe" {
        let told = steps.last?.value.at("result", "authenticators")?[0]
        for member in step.value["result"]?.members ?? [] where told?[member.key] != member.value {
          throw Deviation("engine/describe does not tell \(member.key): \(told?.text ?? "")")
        }
      } else if next.kind != "out", step.value.at("result", "wait") == nil {
        throw Deviation("this has no consequence: \(step.value.text)")
      } else if next.value.at("params", "snapshot", "error", "code")?.string == "network.invalidAnswer" {
        throw Deviation("the engine cannot use this: \(step.value.text)")
      }
    }
  }
}

extension JSONValue {
  /// Whether this documented value describes the other value: `"…"` in this value stands for any
  /// value.
  fileprivate func stands(for other: JSONValue) -> Bool {
    switch (self, other) {
    case (.string("…"), _): true
    case (.array(let own), .array(let others)):
      own.count == others.count && zip(own, others).allSatisfy { $0.stands(for: $1) }
    case (.object(let own), .object(let others)):
      own.count == others.count && own.allSatisfy { member in other[member.key].map(member.value.stands) ?? false }
    default: self == other
    }
  }
}
