import AuthenticatorKit
import JSONCodec
import LoginMachine
public import LoginProtocol

/// The description of an authenticator process for its host.
public struct AuthenticatorProfile: Sendable {
  public let id: AuthenticatorID
  public let backend: AuthenticatorChoice.Backend
  public let name: AuthenticatorName
}

/// All authenticators of an engine, and the routes of requests to them.
struct AuthenticatorTable {
  private struct Route {
    let requests: AuthenticatorChoice.Requests
    let authenticator: AuthenticatorReference
  }

  private let links: [AuthenticatorLink]
  /// The routes from requests to authenticators, the most specific first. The route for all other
  /// requests is `fallback`.
  private let exactRoutes: [Route]
  /// The authenticator of requests for which there is no route.
  private let fallback: AuthenticatorReference
  /// Whether the frontend decides any requests.
  let includesFrontend: Bool
  /// The number of authenticators that are being started: the host was asked to start them, and has
  /// not yet reported a start or a failure.
  private var starting = 0
  /// The number of the last question that asked an authenticator to move its clock.
  private var lastClockQuestion = ClockQuestionID.beforeFirst

  init(_ configuration: EngineConfiguration) {
    let choices = configuration.authenticators
    let names = AuthenticatorNames(choices)
    var links: [AuthenticatorLink] = []
    func reference(_ backend: AuthenticatorChoice.Backend) -> AuthenticatorReference {
      if backend == .frontend { return .frontend }
      if let known = links.first(where: { $0.profile.backend == backend }) { return .process(known.profile.id) }
      let id = AuthenticatorID(index: links.count)
      let profile = AuthenticatorProfile(id: id, backend: backend, name: names[backend])
      let link = AuthenticatorLink(
        profile, maximumLineBytes: max(configuration.maximumLineBytes, 1 << 20))
      links.append(link)
      return .process(id)
    }
    let exact = choices.filter { $0.requests != .all }.sorted { $0.requests.rank > $1.requests.rank }
    exactRoutes = exact.map { Route(requests: $0.requests, authenticator: reference($0.backend)) }
    fallback = reference(choices.last { $0.requests == .all }?.backend ?? .accounts)
    includesFrontend = fallback == .frontend || exactRoutes.contains { $0.authenticator == .frontend }
    self.links = links
  }

  // MARK: Routes

  /// The authenticator of a request of a flow.
  func authenticator(for request: String, of flow: String) -> AuthenticatorReference {
    if exactRoutes.isEmpty { return fallback }
    return exactRoutes.first { $0.requests.includes(request, of: flow) }?.authenticator ?? fallback
  }

  /// All routes, the most specific first.
  var routes: [(requests: AuthenticatorChoice.Requests, authenticator: AuthenticatorReference)] {
    exactRoutes.map { ($0.requests, $0.authenticator) } + [(.all, fallback)]
  }

  /// Whether an authenticator has listed the requests that it decides, and this request is not
  /// among them.
  func refuses(_ request: String, _ authenticator: AuthenticatorReference) -> Bool {
    guard let known = link(authenticator)?.description?.requests else { return false }
    return !known.contains(request)
  }

  // MARK: Links

  var profiles: [AuthenticatorProfile] { links.map(\.profile) }

  func link(_ authenticator: AuthenticatorReference) -> AuthenticatorLink? {
    switch authenticator {
    case .frontend: nil
    case .process(let id): link(id)
    }
  }

  func link(_ id: AuthenticatorID) -> AuthenticatorLink? {
    links.indices.contains(id.index) ? links[id.index] : nil
  }

  @inline(__always) func forEach(_ body: (AuthenticatorLink) -> Void) { for link in links { body(link) } }

  func contains(where isMeant: (AuthenticatorLink) -> Bool) -> Bool { links.contains(where: isMeant) }

  /// Whether any authenticator is being started. Derived from a counter, because it is checked for
  /// every line.
  var isStarting: Bool { starting > 0 }

  /// Records that the host was asked to start an authenticator.
  mutating func noteStarting() { starting += 1 }

  /// Records that the host has started an authenticator, or has failed to start it.
  mutating func noteStartEnded() { starting = max(0, starting - 1) }

  // MARK: Clocks

  /// The running authenticators whose clocks move with the engine's.
  var clockFollowers: [AuthenticatorLink] { links.filter { $0.followsClock && $0.isRunning } }

  /// The number for the next question that asks an authenticator to move its clock. These numbers
  /// are separate from the numbers of the sessions' questions. So the number of a session's
  /// question does not depend on which authenticators there are.
  mutating func nextClockQuestion() -> ClockQuestionID {
    lastClockQuestion = lastClockQuestion.next
    return lastClockQuestion
  }
}

extension AuthenticatorReference {
  /// How questions are identified in messages to this authenticator.
  var numbering: QuestionNumbering {
    switch self {
    case .frontend: .names
    case .process: .numbers
    }
  }
}
