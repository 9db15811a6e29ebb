/// Why a database server could not be used. No case holds a name, an address or a password.
public enum ServerProblem: Equatable, Sendable {
  /// The connection string is none, or what it names cannot be read.
  case invalidConnection
  /// No server answers.
  case unreachable
  /// The server takes no more connections.
  case tooManyConnections
  /// The server lets nobody in with that name and password or certificate.
  case refused
  /// There is no database of that name.
  case noDatabase
  /// The user may not read and write the tables, or not make them.
  case noRights
  /// The server only reads, such as a standby.
  case readOnly
  /// The server's version, as libpq gives it: 90624 for 9.6.24.
  case tooOld(Int32)
  /// The database is not in UTF-8.
  case encoding
  /// There are tables of another program.
  case foreign
  /// A newer version of this program made the tables: their version, and the one that this program knows.
  case newer(Int64, known: Int64)
  /// Accounts are moved into the database, and not all are there yet.
  case moving
  /// The connection ended and could not be made again in time. What was asked for may have been done.
  case lost
  /// Others used the same accounts for too long.
  case busy
  case full
  /// Any other error, by its SQLSTATE (PostgreSQL's manual, appendix A).
  case failed(state: String)

  var explanation: String {
    switch self {
    case .invalidConnection: "The connection to the database server is not described as libpq wants it."
    case .unreachable: "The database server cannot be reached."
    case .tooManyConnections: "The database server takes no more connections."
    case .refused:
      "The database server lets this program not in: the user, the password or the certificate is not right."
    case .noDatabase: "The database server has no such database or schema."
    case .noRights: "The user of the database may not use the tables of accounts, or not make them."
    case .readOnly: "The database server can only be read from, as a standby. Name the hosts of all servers."
    case .tooOld(let version):
      "The database server is too old: it is version \(version / 10_000), and 11 is the oldest that will do."
    case .encoding: "The database is not in UTF-8. Make one with ENCODING 'UTF8'."
    case .foreign:
      "The database has tables of another program. Give accounts a database or a schema of their own."
    case .newer(let version, let known):
      "A newer version of this program made the tables: they have version \(version), this one knows \(known)."
    case .moving:
      "Accounts are being moved into the database. If that was cut off, do it again: the command is move."
    case .lost: "The connection to the database server was lost."
    case .busy: "The database server was kept busy by others for too long."
    case .full: "There is no room left on the disk of the database server."
    case .failed(let state):
      // What claims to be a server may send anything.
      state.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
        ? "The database server failed (SQLSTATE \(state))." : "The database server failed."
    }
  }
}

extension AccountStoreError {
  /// Whether there is no room to write, so that what can be done by reading is done all the same.
  var isFull: Bool { self == .full || self == .server(.full) }
}
