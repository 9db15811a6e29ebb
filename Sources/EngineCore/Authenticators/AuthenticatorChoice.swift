import LoginMachine

/// One `--authenticator` option: the authenticator that decides certain requests.
public struct AuthenticatorChoice: Equatable, Sendable {
  /// The requests to decide.
  public struct Requests: Hashable, Sendable {
    /// The flow that makes the requests; `nil` for requests of every flow.
    public var flow: String?
    /// The name of the requests, as in the flow's definition; `nil` for requests of any name.
    public var request: String?

    public init(flow: String? = nil, request: String? = nil) {
      self.flow = flow
      self.request = request
    }

    /// Parses the text of an option, in the form that `text` returns; `nil` if it is invalid.
    public init?(_ text: String) {
      let parts = text.split(separator: "/", omittingEmptySubsequences: false)
      func isName(_ part: Substring) -> Bool { ASCIIName.isName(part.utf8) }
      switch parts.count {
      case 1 where parts[0] == "*": self = .all
      case 1 where isName(parts[0]): self.init(request: String(parts[0]))
      case 2 where isName(parts[0]) && parts[1] == "*": self.init(flow: String(parts[0]))
      case 2 where isName(parts[0]) && isName(parts[1]):
        self.init(flow: String(parts[0]), request: String(parts[1]))
      default: return nil
      }
    }

    /// All requests of all flows (`*`). Options that name a flow or a request take precedence.
    public static let all = Requests()

    /// The text of the option: `*`, `FLOW/*`, `REQUEST` or `FLOW/REQUEST`.
    public var text: String {
      guard let flow else { return request ?? "*" }
      return "\(flow)/\(request ?? "*")"
    }

    /// How specific this set of requests is. If several sets include a request, the set with the
    /// highest rank applies.
    var rank: Int { (request == nil ? 0 : 2) + (flow == nil ? 0 : 1) }

    func includes(_ other: String, of otherFlow: String) -> Bool {
      (request.map { $0 == other } ?? true) && (flow.map { $0 == otherFlow } ?? true)
    }
  }

  /// The kind of authenticator that decides the requests.
  public enum Backend: Hashable, Sendable {
    /// The program of the accounts.
    case accounts
    /// The frontend: the program that reads the engine's output.
    case frontend
    /// A program and its arguments.
    case command([String])

    /// Whether the backend is the program of the accounts, started with or without options.
    var isAccounts: Bool {
      switch self {
      case .accounts: true
      case .frontend: false
      case .command(let words): words.first == "login-accounts"
      }
    }
  }

  public var requests: Requests
  public var backend: Backend

  public init(_ requests: Requests = .all, _ backend: Backend) {
    self.requests = requests
    self.backend = backend
  }
}
