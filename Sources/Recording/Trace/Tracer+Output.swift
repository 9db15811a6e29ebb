import JSONCodec
import LoginProtocol

/// Traces the engine's output and its questions to authenticators.
extension Tracer {
  /// Traces a line of output: its kind and its short members.
  ///
  /// - Parameters:
  ///   - line: the line without secrets.
  ///   - asking: the name of the session that asks, for a question to the frontend.
  func output(_ line: [UInt8], asking: [UInt8]?, _ now: Moment) {
    guard let message = try? JSONValue(parsing: line) else { return }
    guard let all = message.array else { return output(message, asking, now) }
    for reply in all { output(reply, asking, now) }
  }

  private func output(_ message: JSONValue, _ asking: [UInt8]?, _ now: Moment) {
    guard let method = message["method"]?.string else {
      let error = message["error"]?["data"]?["code"]
      return note(
        "effect",
        [.init("effect", .string("reply")), .init("id", message["id"] ?? .null), .init("error", error ?? .null)], now)
    }
    if method.utf8.starts(with: "authenticator/".utf8) { return question(message, to: nil, asking, now) }
    let params = message["params"]
    var members: [JSONValue.Member] = [.init("effect", .string(method))]
    for name in ["session", "revision", "events", "reason", "attempt"] {
      if let value = params?[name] { members.append(.init(name, value)) }
    }
    if let error = params?["error"]?["data"]?["code"] { members.append(.init("error", error)) }
    if let commands = params?["commands"]?.array {
      members.append(.init("commands", .array(commands.compactMap { $0["command"] })))
    }
    note("effect", members, now)
  }

  /// Traces a line to an authenticator, without any value.
  ///
  /// - Parameters:
  ///   - line: the line without secrets.
  ///   - asking: the name of the session that asks.
  func question(_ line: [UInt8], to name: AuthenticatorName, asking: [UInt8]?, _ now: Moment) {
    if let message = try? JSONValue(parsing: line) { question(message, to: name, asking, now) }
  }

  /// Traces a question. `name` is `nil` for the frontend.
  private func question(_ message: JSONValue, to name: AuthenticatorName?, _ asking: [UInt8]?, _ now: Moment) {
    guard let method = message["method"], let params = message["params"] else { return }
    var members: [JSONValue.Member] = [.init("effect", method)]
    if let name { members.append(Tracer.authenticator(name.text)) }
    for name in ["attempt", "retryOf", "request", "action", "poll", "locale", "flow", "screen", "milliseconds"] {
      if let value = params[name] { members.append(.init(name, value)) }
    }
    if let asking { members.append(Tracer.session(asking)) }
    note("effect", members, now)
  }

  static func authenticator(_ name: String) -> JSONValue.Member { .init("authenticator", .string(name)) }
}
