import Accounts

/// Why a statement did not succeed.
enum ConnectionFailure: Error, Equatable {
  /// The server's answer was an error, with this SQLSTATE.
  case state(String)
  /// The connection ended, or the server did not answer in time. Whether the statement was carried out is not known.
  case lost
  /// No connection could be made.
  case refused(ServerProblem)
  /// It was carried out, but the server has not heard from the standby that has to have it too.
  case unreplicated

  init(state: String) {
    switch state {
    // The server ends the connection with these: an administrator's command, a crash, not yet started.
    case "57P01", "57P02", "57P03": self = .lost
    // 08: connection exceptions, also of those who stand between. 40003: whether it was carried out is not known.
    case _ where state.hasPrefix("08") || state == "40003": self = .lost
    default: self = .state(state)
    }
  }

  /// Whether the same may succeed when it is done again.
  var isPassing: Bool {
    switch self {
    case .lost, .unreplicated: true
    case .refused(let problem): problem.isPassing
    case .state(let state):
      // Serialization failure, deadlock, lock not available, cancelled (by the statement's time limit), read-only, too many connections; a row with this
      // key, or without the one that it refers to, which the transaction does not see because it has begun before; a plan whose columns have changed.
      ["40001", "40P01", "55P03", "57014", "25006", "53300", "23505", "23503", "0A000"].contains(state)
        || isUnknownStatement
    }
  }

  /// Whether a prepared statement is not there, or another is in its place: something between this program and the server gives each transaction any of its
  /// connections.
  var isUnknownStatement: Bool { self == .state("26000") || self == .state("42P05") }

  /// Whether the connection can be used further, once its transaction is rolled back.
  var leavesConnection: Bool {
    guard case .state(let state) = self else { return false }
    // With a standby nothing can be done, and when a column has changed, what is prepared is of no use: "cached plan must not change result type".
    return state != "25006" && state != "0A000"
  }

  /// What is told if it does not pass.
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
  /// Whether the same may succeed when it is done again, also without anybody's help. A standby may be promoted at any moment.
  var isPassing: Bool {
    switch self {
    case .unreachable, .connectionRefused, .unknownHost, .starting, .tooManyConnections, .readOnly, .lost, .busy: true
    default: false
    }
  }
}
