import AuthenticatorKit
import JSONCodec
import LoginMachine
import LoginProtocol

/// Descriptions of the engine itself.
extension EngineCore {
  /// Replies with the OpenRPC description of the protocol.
  func discover(_ call: Call) {
    reply(to: call) { $0.append(OpenRPC.line()) }
  }

  /// Replies with the flows, limits and features of the engine.
  func describe(_ call: Call, _ parameters: Parameters, _ document: borrowing JSONDocument) throws(RPCError) {
    _ = try viewVersion(parameters, document)
    guard call.id != nil else { return }
    func number(_ value: Int) -> JSONValue { .number(String(value)) }
    let flows = catalog.flows.map { flow in
      JSONValue.object([
        .init("flow", .string(flow.id)), .init("screens", .array(flow.screens.map { .string($0.id) })),
        .init("locales", .array(flow.strings.locales.sorted().map { .string($0) })),
      ])
    }
    let limits: [JSONValue.Member] = [
      .init("maxSessions", number(configuration.maximumSessions)),
      .init("maxLineBytes", number(configuration.maximumLineBytes)),
      .init("maxValueBytes", number(configuration.maximumValueBytes)),
      .init("maxBatchEntries", number(Batch.maximumEntries)),
      .init("maxBatchReplyBytes", number(Batch.maximumReplyBytes)),
      .init("idleTimeoutMs", .number(String(configuration.idleTimeout))),
    ]
    let backends = authenticators.routes.map { describe($0.authenticator, deciding: $0.requests) }
    var features: [JSONValue] = []
    if configuration.isLockstep { features.append(.string("lockstep")) }
    if time.clock.isManual { features.append(.string("manualClock")) }
    let description = JSONValue.object([
      .init("name", .string("login-engine")), .init("version", .string(configuration.version.program)),
      .init("protocol", .string(configuration.version.wire)), .init("flows", .array(flows)),
      .init("limits", .object(limits)),
      .init("features", .array(features)), .init("authenticators", .array(backends)),
    ])
    reply(to: call) { description.write(to: &$0) }
  }

  /// Replies with the counters of this run of the engine.
  func stats(_ call: Call) {
    guard call.id != nil else { return }
    func number(_ name: String, _ value: UInt64) -> JSONValue.Member { .init(name, .number(String(value))) }
    let outcomes = RequestOutcome.answers.map { number($0.rawValue, statistics.count(of: $0)) }
    let buckets = statistics.distribution.map { bucket in
      JSONValue.object((bucket.limit.map { [number("upToMs", $0)] } ?? []) + [number("count", bucket.count)])
    }
    let stats = JSONValue.object([
      .init("sessions", .object([number("open", UInt64(sessions.count)), number("opened", statistics.opened)])),
      .init(
        "attempts",
        .object([
          number("open", UInt64(questions.count)), number("asked", statistics.asked),
          number("answered", statistics.answered), number("cancelled", statistics.cancelled),
        ])),
      .init("outcomes", .object(outcomes)),
      .init(
        "latencies",
        .object([
          number("sumMs", statistics.sum), number("longestMs", statistics.longest), .init("buckets", .array(buckets)),
        ])),
    ])
    reply(to: call) { stats.write(to: &$0) }
  }

  /// Describes the authenticator that decides certain requests.
  private func describe(
    _ authenticator: AuthenticatorReference, deciding requests: AuthenticatorChoice.Requests
  ) -> JSONValue {
    var members: [JSONValue.Member] = [.init("for", .string(requests.text))]
    guard let link = authenticators.link(authenticator) else {
      return .object(members + [.init("kind", .string("frontend"))])
    }
    members.append(.init("kind", .string(link.isAccounts ? "accounts" : "command")))
    guard let description = link.description else { return .object(members) }
    if let name = description.name { members.append(.init("name", .string(name))) }
    if let version = description.version { members.append(.init("version", .string(version))) }
    if let requests = description.requests {
      members.append(.init("requests", .array(requests.sorted().map { .string($0) })))
    }
    return .object(members)
  }
}
