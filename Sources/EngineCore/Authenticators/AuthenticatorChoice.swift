import LoginMachine

/// One `--authenticator`: who decides which requests.
public struct AuthenticatorChoice: Equatable, Sendable {
  /// What is decided.
  public struct Requests: Hashable, Sendable {
    /// The flow that asks; `nil` for every flow.
    public var flow: String?
    /// The flow's name for what is asked; `nil` for all of them.
    public var request: String?

    public init(flow: String? = nil, request: String? = nil) {
      self.flow = flow
      self.request = request
    }

    /// Reads what `text` writes; `nil` if that names no requests.
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

    /// Everything that nothing more exact names.
    public static let all = Requests()

    /// As it is written: `*`, `FLOW/*`, `REQUEST` or `FLOW/REQUEST`.
    public var text: String {
      guard let flow else { return request ?? "*" }
      return "\(flow)/\(request ?? "*")"
    }

    /// The more exact one wins.
    var rank: Int { (request == nil ? 0 : 2) + (flow == nil ? 0 : 1) }

    func includes(_ other: String, of otherFlow: String) -> Bool {
      (request.map { $0 == other } ?? true) && (flow.map { $0 == otherFlow } ?? true)
    }
  }

  /// Who decides.
  public enum Backend: Hashable, Sendable {
    /// The accounts.
    case accounts
    /// Whoever reads the engine's output.
    case frontend
    /// A program and its arguments.
    case command([String])

    /// Whether it is the accounts, with options or without.
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
