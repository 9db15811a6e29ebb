import Accounts

/// Why a statement failed.
enum ConnectionFailure: Error, Equatable {
  /// The server answered with an error of this SQLSTATE.
  case state(String)
  /// The connection ended, or the server did not answer in time. Whether the statement was carried
  /// out is unknown.
  case lost
  /// No connection could be made.
  case refused(ServerProblem)
  /// The statement was carried out, but the server has no confirmation from the synchronous
  /// standby.
  case unreplicated

  init(state: String) {
    switch state {
    // With these codes, the server ends the connection: after an administrator's command, after a
    // crash, and while it is starting.
    case "57P01", "57P02", "57P03": self = .lost
    // 08: connection exceptions, also of proxies. 40003: whether the statement was carried out is
    // unknown.
    case _ where state.hasPrefix("08") || state == "40003": self = .lost
    default: self = .state(state)
    }
  }

  /// Whether a retry may succeed.
  var isTransient: Bool {
    switch self {
    case .lost, .unreplicated: true
    case .refused(let problem): problem.isTransient
    case .state(let state):
      // Serialization failure, deadlock, lock not available, cancelled (by the statement timeout),
      // read-only, too many connections. Unique and foreign key violations, because the conflicting
      // row may be newer than the transaction's snapshot. A cached plan whose columns have changed.
      ["40001", "40P01", "55P03", "57014", "25006", "53300", "23505", "23503", "0A000"].contains(state)
        || isUnknownStatement
    }
  }

  /// Whether a prepared statement is missing or has been replaced by another. This happens if a
  /// connection pool between this program and the server assigns connections per transaction.
  var isUnknownStatement: Bool { self == .state("26000") || self == .state("42P05") }

  /// Whether the connection is still usable after its transaction is rolled back.
  var keepsConnection: Bool {
    guard case .state(let state) = self else { return false }
    // 25006: the server is a standby, which cannot write. 0A000: after a column has changed, the
    // prepared statements fail ("cached plan must not change result type").
    return state != "25006" && state != "0A000"
  }

  /// The problem to report to administrators if retries do not help.
  var problem: ServerProblem {
    switch self {
    case .lost: .lost
    case .refused(let problem): problem
    case .unreplicated: .noStandby
    case .state(let state): Self.problem(state)
    }
  }

  static func problem(_ state: String) -> ServerProblem {
    switch state {
    case "40001", "40P01", "55P03", "57014", "23505", "23503": .busy
    case "25006": .readOnly
    case "28P01": .wrongPassword
    case "28000": .notAdmitted
    case "3D000", "3F000": .noDatabase
    case "42501": .noRights
    case "42P01", "42703": .foreign
    case "53100": .full
    case "53300": .tooManyConnections
    case "57P01", "57P02", "57P03": .starting
    default: .failed(state: state)
    }
  }
}

extension ServerProblem {
  /// Whether a retry may succeed without an administrator. For example, a standby may be promoted
  /// at any moment.
  var isTransient: Bool {
    switch self {
    case .unreachable, .connectionRefused, .unknownHost, .starting, .tooManyConnections, .readOnly, .lost, .busy: true
    default: false
    }
  }
}
