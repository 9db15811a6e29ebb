import EventLoop

/// Which authenticator decides what.
struct AuthenticatorRoutes {
  private struct Route {
    let requests: AuthenticatorChoice.Requests
    let authenticator: any Authenticator
  }

  /// The most exact first.
  private let routes: [Route]
  /// Who decides what none of the routes is about.
  private let fallback: any Authenticator
  /// Those that are processes, each once.
  let processes: [AuthenticatorProcess]
  /// The one that is the frontend, if there is one.
  let frontend: FrontendAuthenticator?

  /// - Parameters:
  ///   - choices: at most one for the same requests.
  ///   - process: makes the process for a decider; called once for each.
  ///   - makeFrontend: makes the authenticator that is the frontend; called once at most.
  init(
    _ choices: [AuthenticatorChoice], process: (AuthenticatorChoice.Decider) -> AuthenticatorProcess,
    frontend makeFrontend: () -> FrontendAuthenticator
  ) {
    var made: [AuthenticatorChoice.Decider: any Authenticator] = [:]
    var processes: [AuthenticatorProcess] = []
    var frontend: FrontendAuthenticator?
    func authenticator(for decider: AuthenticatorChoice.Decider) -> any Authenticator {
      if let known = made[decider] { return known }
      let new: any Authenticator
      switch decider {
      case .frontend:
        let made = makeFrontend()
        frontend = made
        new = made
      case .accounts, .command:
        let made = process(decider)
        processes.append(made)
        new = made
      }
      made[decider] = new
      return new
    }
    let exact = choices.filter { $0.requests != .all }.sorted { $0.requests.rank > $1.requests.rank }
    routes = exact.map { Route(requests: $0.requests, authenticator: authenticator(for: $0.decider)) }
    fallback = authenticator(for: choices.last { $0.requests == .all }?.decider ?? .accounts)
    self.processes = processes
    self.frontend = frontend
  }

  /// Who decides a request of a flow.
  func authenticator(for request: String, of flow: String) -> any Authenticator {
    if routes.isEmpty { return fallback }
    return routes.first { $0.requests.includes(request, of: flow) }?.authenticator ?? fallback
  }

  /// All, with what they decide.
  var all: [(requests: AuthenticatorChoice.Requests, authenticator: any Authenticator)] {
    routes.map { ($0.requests, $0.authenticator) } + [(.all, fallback)]
  }
}
