import JSONCodec

/// Lines of the protocol in a document: what a view or an authenticator writes is written to the engine, which then has to write what the document says it does, in
/// that order. `"…"` stands for any value, and the document may leave out whole lines; the steps that lead to a question are made up.
private struct Exchange {
  private var steps: [JSONValue] = []
  /// What the engine writes, as it is shown.
  private var shown: [JSONValue] = []
  private var isBegun = false
  private var idsOfView: [JSONValue] = []
  private var sessions: [JSONValue] = []
  private var screen: JSONValue?
  private var description: JSONValue?

  init(_ values: [JSONValue]) throws {
    if values.contains(where: { $0["id"]?.string?.hasPrefix("authenticator-") == true }) {
      steps.append(Self.step("options", .array([.string("--authenticator"), .string("frontend")])))
    }
    for value in values { try take(value) }
    // Nothing is left in flight, and what an authenticator says of itself arrives.
    if isBegun { sessions.append(.string("s")) }
    for session in sessions { perform("close", [:], session: session) }
    say(#"{"jsonrpc":"2.0","id":"last","method":"engine/describe"}"#)
  }

  private mutating func take(_ value: JSONValue) throws {
    switch value["method"]?.string {
    case "session/update", "session/refused", "session/closed": shown.append(value)
    case "authenticator/notify": steps.append(Self.step("answer", value))
    case "authenticator/describe":
      begin()
      steps.append(Self.step("ask", value))
      shown.append(value)
    case "authenticator/submit":
      begin(value["params"]?["values"])
      shown.append(value)
    case "authenticator/continue":
      begin()
      for member in value["params"]?["values"]?.members ?? [] { change(member.key, member.value) }
      perform("perform", ["action": screen?.at("actions", "submit", "id") ?? .string("submit")])
      shown.append(value)
    case "authenticator/cancel":
      perform("perform", ["action": .string("cancel")])
      shown.append(value)
    case .some:
      if let id = value["id"] { idsOfView.append(id) }
      if let session = value.at("params", "session") { sessions.append(session) }
      steps.append(Self.step("in", value))
    case nil: try takeResponse(value)
    }
  }

  private mutating func takeResponse(_ value: JSONValue) throws {
    guard let id = value["id"], value["result"] != nil || value["error"] != nil else {
      throw Deviation("this is no line of the protocol: \(value.text)")
    }
    if idsOfView.contains(id) { return shown.append(value) }
    begin()
    if id.string == "describe" { description = value["result"] }
    screen = value.at("result", "screen") ?? screen
    steps.append(Self.step(id.string?.hasPrefix("authenticator-") == true ? "in" : "answer", value))
  }

  // MARK: What leads to a question

  private mutating func begin(_ values: JSONValue? = nil) {
    guard !isBegun else { return }
    isBegun = true
    say(#"{"jsonrpc":"2.0","method":"session/open","params":{"session":"s"}}"#)
    let values = values?.members ?? [.init("email_field", .string("ada@example.com")), .init("password", .string("…"))]
    for member in values { change(member.key == "email_field" ? "email" : member.key, member.value) }
    perform("perform", ["action": .string("submit")])
  }

  private mutating func change(_ item: String, _ value: JSONValue) {
    perform("change", ["item": .string(item), "value": value == .string("…") ? .string("correct horse") : value])
  }

  private mutating func perform(
    _ method: String, _ params: KeyValuePairs<String, JSONValue>, session: JSONValue = .string("s")
  ) {
    let all = [.init("session", session)] + params.map { JSONValue.Member($0.key, $0.value) }
    steps.append(
      Self.step(
        "in",
        .object([
          .init("jsonrpc", .string("2.0")), .init("method", .string("session/" + method)),
          .init("params", .object(all)),
        ])))
  }

  private mutating func say(_ line: String) {
    guard let value = try? JSONValue(parsing: line) else { return }
    steps.append(Self.step("in", value))
  }

  private static func step(_ kind: String, _ value: JSONValue) -> JSONValue { .object([.init(kind, value)]) }

  // MARK: What the engine writes

  func check() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(steps.map(\.text).joined(separator: "\n"), to: "example.jsonl")
    let replay = try Replay(["--update", file])
    guard replay.status == 0 else { throw Deviation(replay.output + replay.error) }
    let written = try Conversation(path: file).steps.filter { ["out", "ask"].contains($0.kind) }.map(\.value)
    var rest = written[...]
    for line in shown {
      guard let index = rest.firstIndex(where: { line.stands(for: $0) }) else {
        throw Deviation("the engine does not write\n\(line.text)\nbut\n\(rest.map(\.text).joined(separator: "\n"))")
      }
      rest = rest[(index + 1)...]
    }
    let told = written.last?.at("result", "authenticators")?[0]
    for member in description?.members ?? [] where told?[member.key] != member.value {
      throw Deviation("engine/describe does not tell \(member.key): \(told?.text ?? "")")
    }
  }
}

extension JSONValue {
  /// Whether this is the other value, once what it leaves out is left out.
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

extension Example {
  func isSpoken() throws { try Exchange(values()).check() }
}
