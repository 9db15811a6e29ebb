import JSONCodec
import LoginForms
import LoginProtocol
import ProtocolDocument

/// What the engine says of itself.
extension Engine {
  /// Answers with the protocol in the words of OpenRPC.
  func discover(_ call: Call) {
    reply(to: call) { $0.append(OpenRPC.line()) }
  }

  /// Answers with what there is to choose from, and what is limited.
  func describe(_ call: Call) {
    guard call.id != nil else { return }
    func number(_ value: Int) -> JSONValue { .number(String(value)) }
    let flows = catalog.flows.map { flow in
      JSONValue.object([
        .init("flow", .string(flow.id)), .init("screens", .array(flow.screens.map { .string($0.id) })),
        .init("locales", .array(flow.strings.locales.sorted().map { .string($0) })),
      ])
    }
    let limits: [JSONValue.Member] = [
      .init("maxSessions", number(options.maximumSessions)), .init("maxLineBytes", number(options.maximumLineBytes)),
      .init("maxValueBytes", number(options.maximumValueBytes)),
      .init("maxBatchEntries", number(Engine.maximumBatchEntries)),
      .init("maxBatchReplyBytes", number(Engine.maximumBatchReplyBytes)),
      .init("idleTimeoutMs", .number(String(options.idleTimeout))),
    ]
    let authenticators = routes.all.map { describe($0.authenticator, deciding: $0.requests) }
    var features: [JSONValue] = []
    if options.isLockstep { features.append(.string("lockstep")) }
    if clock.isManual { features.append(.string("manualClock")) }
    let description = JSONValue.object([
      .init("name", .string("login-engine")), .init("version", .string(Version.program)),
      .init("protocol", .string(Version.wire)), .init("flows", .array(flows)), .init("limits", .object(limits)),
      .init("features", .array(features)), .init("authenticators", .array(authenticators)),
    ])
    reply(to: call) { description.write(to: &$0) }
  }

  /// What decides some requests, and what it has said of itself.
  private func describe(
    _ authenticator: any Authenticator, deciding requests: AuthenticatorChoice.Requests
  ) -> JSONValue {
    let kind =
      switch authenticator {
      case let process as AuthenticatorProcess: process.command.isThisProgram ? "accounts" : "command"
      default: "frontend"
      }
    var members: [JSONValue.Member] = [.init("for", .string(requests.text)), .init("kind", .string(kind))]
    guard let description = authenticator.description else { return .object(members) }
    if let name = description.name { members.append(.init("name", .string(name))) }
    if let version = description.version { members.append(.init("version", .string(version))) }
    if let requests = description.requests {
      members.append(.init("requests", .array(requests.sorted().map { .string($0) })))
    }
    return .object(members)
  }
}
