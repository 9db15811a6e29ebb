import EventLoop
import JSONCodec
import LoginForms
import LoginMachine
import LoginProtocol

/// Writes what happens as JSON lines: `{"time":...,"kind":...,...}`. What was typed into secret items is left out.
final class Tracer {
  private var file: ObservationFile
  private unowned let engine: Engine
  private let start: UInt64
  /// Where sessions stood when it was last written, by their slots.
  private var places: [Int: Place] = [:]

  private struct Place: Equatable {
    var session: [UInt8]
    var screen: String
    var state: Phase.Name
    var alert: UInt64
  }

  init(_ path: String, _ engine: Engine) throws(SystemError) {
    file = try ObservationFile(path, engine.log)
    self.engine = engine
    start = engine.clock.isManual ? 0 : engine.clock.now
  }

  /// Writes one line.
  func note(_ kind: String, _ members: [JSONValue.Member] = []) {
    var line = ByteBuffer()
    line.append(#"{"time":"#)
    line.append(decimal: engine.clock.now - start)
    line.append(#","kind":"#)
    line.appendJSONString(kind)
    for member in members {
      line.append(0x2C)
      line.appendJSONString(member.key)
      line.append(0x3A)
      member.value.write(to: &line)
    }
    line.append("}\n")
    file.append(line.array())
  }

  func finishes() {
    note("exit")
    file.finish()
  }

  // MARK: Events in

  /// An event: the method and its params, but for what is secret or cannot be told from it.
  func takesMessage(_ document: borrowing JSONDocument, _ node: JSONDocument.Node) {
    if engine.routes.frontend != nil, AuthenticatorReply.isMeant(by: document, node) {
      return hears(document, node, "frontend")
    }
    guard case .call(let call) = IncomingMessage(document, node) else {
      note("event", [.init("method", .null)])
      return
    }
    var members: [JSONValue.Member] = []
    guard let method = Method(document, call.method) else {
      note("event", [.init("method", .null)])
      return
    }
    members.append(.init("method", .string("\(method.name)")))
    if let id = call.id { members.append(.init("id", JSONValue(document, id))) }
    guard let params = call.params, document.kind(params) == .object else { return note("event", members) }
    let parameters = Parameters(document, params)
    for name in Parameters.Name.allCases {
      guard let value = parameters[name] else { continue }
      members.append(.init("\(name.text)", text(of: name, value, parameters, method, document)))
    }
    note("event", members)
  }

  private func text(
    of name: Parameters.Name, _ value: JSONDocument.Node, _ parameters: Parameters, _ method: Method,
    _ document: borrowing JSONDocument
  ) -> JSONValue {
    switch (name, document.kind(value)) {
    case (.value, _):
      let isPlain = method == .change && engine.holdsPlainItem(parameters, document)
      return isPlain ? JSONValue(document, value) : .string(Tracer.withheld)
    case (.values, _): return .string(Tracer.withheld)
    case (_, .string), (_, .number): return JSONValue(document, value)
    default: return .string(Tracer.withheld)
    }
  }

  private static let withheld = "(withheld)"

  func takesUnreadable(_ line: UnsafeRawBufferPointer, _ error: RPCError) {
    note("unreadable", [.init("bytes", .number(String(line.count)))] + error.details)
  }

  func fires(_ timer: Engine.Timer) {
    switch timer {
    case .requestTimeout(let question):
      note("timer", [.init("timer", .string("requestTimeout")), .init("attempt", .number(String(question.number)))])
    case .poll(let conversationID):
      note("timer", [.init("timer", .string("poll")), .init("attempt", .number(String(conversationID.number)))])
    case .expiry(let conversationID):
      note("timer", [.init("timer", .string("expiry")), .init("attempt", .number(String(conversationID.number)))])
    case .throttle(let question, _):
      note("timer", [.init("timer", .string("throttle")), .init("attempt", .number(String(question.number)))])
    case .presentation(let slot): note("timer", [.init("timer", .string("presentation")), session(inSlot: slot)])
    case .idle(let slot): note("timer", [.init("timer", .string("idle")), session(inSlot: slot)])
    }
  }

  private func session(inSlot slot: Int) -> JSONValue.Member {
    let id = engine.sessions.session(inSlot: slot)?.id
    return .init("session", id.map { .string(String(decoding: $0, as: UTF8.self)) } ?? .null)
  }

  // MARK: States

  /// Tells where a session's machine stands if that is elsewhere than before.
  func changes(_ session: Session) {
    let now = Place(
      session: session.id, screen: session.machine.screen.id, state: session.machine.phase.name,
      alert: session.machine.alert == nil ? 0 : session.machine.since(.dismiss))
    let before = places.updateValue(now, forKey: session.slot)
    guard before != now else { return }
    let isSame = before?.session == now.session
    note(
      "state",
      [
        .init("session", .string(String(decoding: session.id, as: UTF8.self))),
        .init("revision", .number(String(session.machine.revision))),
        .init("from", isSame ? before.map { .string("\($0.state.wireName)") } ?? .null : .null),
        .init("to", .string("\(now.state.wireName)")), .init("screen", .string(now.screen)),
        .init("alert", .bool(now.alert != 0)),
      ])
  }

  // MARK: Authenticators

  func starts(_ command: AuthenticatorProcess.Command) {
    note("authenticator", [Tracer.name(of: command), .init("is", .string("started"))])
  }

  func suffers(_ fault: String, _ command: AuthenticatorProcess.Command) {
    note("fault", [Tracer.name(of: command), .init("fault", .string(fault))])
  }

  private static func name(of command: AuthenticatorProcess.Command) -> JSONValue.Member {
    .init("authenticator", .string(command.name))
  }

  // MARK: Effects

  /// What was written to the view: its kind and what of it is short.
  func writes(_ line: UnsafeRawBufferPointer) {
    var document = JSONDocument()
    // Questions to the frontend as authenticator hold secrets.
    if (try? document.parse(line)) != nil, let root = document.root, let method = document.member("method", of: root),
      document.text(method).starts(with: "authenticator/".utf8)
    {
      return asks(line, nil)
    }
    guard let message = try? JSONValue(parsing: line) else { return }
    guard let all = message.array else { return write(message) }
    for reply in all { write(reply) }
  }

  private func write(_ message: JSONValue) {
    guard let method = message["method"]?.string else {
      let error = message["error"]?["data"]?["code"]
      note(
        "effect",
        [.init("effect", .string("reply")), .init("id", message["id"] ?? .null), .init("error", error ?? .null)])
      return
    }
    let params = message["params"]
    var members: [JSONValue.Member] = [.init("effect", .string(method))]
    for name in ["session", "revision", "events", "reason", "attempt"] {
      if let value = params?[name] { members.append(.init(name, value)) }
    }
    if let error = params?["error"]?["data"]?["code"] { members.append(.init("error", error)) }
    if let commands = params?["commands"]?.array {
      members.append(.init("commands", .array(commands.compactMap { $0["command"] })))
    }
    note("effect", members)
  }

  /// What was written to the authenticator, without any value; the frontend has no command.
  func asks(_ line: UnsafeRawBufferPointer, _ command: AuthenticatorProcess.Command?) {
    var document = JSONDocument()
    guard (try? document.parse(line)) != nil, let root = document.root,
      let method = document.member("method", of: root), let params = document.member("params", of: root)
    else { return }
    var members: [JSONValue.Member] = [.init("effect", JSONValue(document, method))]
    if let command { members.append(Tracer.name(of: command)) }
    for name: StaticString in ["attempt", "retryOf", "request", "action", "poll", "locale", "milliseconds"] {
      if let value = document.member(name, of: params) { members.append(.init("\(name)", JSONValue(document, value))) }
    }
    if let attempt = document.member("attempt", of: params).flatMap({ document.wholeNumber($0) }),
      let session = engine.sessionAsking(ConversationID(number: attempt))
    {
      members.append(.init("session", .string(String(decoding: session.id, as: UTF8.self))))
    }
    note("effect", members)
  }

  /// What the authenticator says, but for its data.
  func hears(_ document: borrowing JSONDocument, _ command: AuthenticatorProcess.Command) {
    if let root = document.root { hears(document, root, command.name) }
  }

  private func hears(_ document: borrowing JSONDocument, _ root: JSONDocument.Node, _ name: String) {
    var members = [JSONValue.Member("authenticator", .string(name))]
    if let id = document.member("id", of: root) {
      let isNumber = document.wholeNumber(id) != nil
      members.append(.init("id", isNumber ? JSONValue(document, id) : Tracer.code(document, id)))
    }
    if let method = document.member("method", of: root) {
      let isNotice = document.equals(method, AuthenticatorReply.notifyMethod)
      members.append(.init("method", .string(isNotice ? "\(AuthenticatorReply.notifyMethod)" : Tracer.withheld)))
    }
    if let params = document.member("params", of: root), let attempt = document.member("attempt", of: params),
      let number = document.wholeNumber(attempt)
    {
      members.append(.init("attempt", .number(String(number))))
    }
    if let result = document.member("result", of: root) {
      for name: StaticString in ["outcome", "reason"] {
        if let value = document.member(name, of: result) {
          members.append(.init("\(name)", Tracer.code(document, value)))
        }
      }
      if let value = document.member("retryAfterMs", of: result), let time = document.wholeNumber(value) {
        members.append(.init("retryAfterMs", .number(String(time))))
      }
      if let message = document.member("message", of: result), let code = document.member("code", of: message) {
        members.append(.init("message", Tracer.code(document, code)))
      }
    }
    if let error = document.member("error", of: root), let data = document.member("data", of: error),
      let code = document.member("code", of: data)
    {
      members.append(.init("error", Tracer.code(document, code)))
    }
    note("answer", members)
  }

  /// A code if it can be one; anything else may quote what was typed.
  private static func code(_ document: borrowing JSONDocument, _ node: JSONDocument.Node) -> JSONValue {
    .string(AuthenticatorReply.codeName(document, node) ?? withheld)
  }
}
