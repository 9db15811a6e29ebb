/// Why a database server could not be used. No case contains a name, an address or a password.
public enum ServerProblem: Equatable, Sendable {
  /// The connection string is malformed, or a file that it names cannot be read.
  case invalidConnection
  /// libpq's service file does not define the service.
  case noService
  /// The server does not answer in time, or there is no network route to it.
  case unreachable
  /// Nothing listens on the given host and port, or on the given socket.
  case connectionRefused
  /// The host name does not resolve to an address.
  case unknownHost
  /// The server is starting, stopping or recovering.
  case starting
  /// The server accepts no more connections.
  case tooManyConnections
  /// The server requires a password, and none is configured.
  case noPassword
  /// Authentication failed, by password or otherwise.
  case wrongPassword
  /// The server's pg_hba.conf has no entry that admits this user from this address to this
  /// database, or the user may not log in.
  case notAdmitted
  /// The server and libpq have no permitted authentication method in common.
  case refused
  /// The server does not support TLS, which `sslmode` requires.
  case noTLS
  /// The server's certificate is not trusted or belongs to another host.
  case certificate
  /// The client's certificate or its key cannot be used.
  case clientCertificate
  /// TLS could not be set up for another reason.
  case tlsFailed
  /// The database does not exist.
  case noDatabase
  /// The user lacks the right to create, read or write the tables.
  case noRights
  /// The server is read-only, such as a standby.
  case readOnly
  /// The server is too old. The value is its version as libpq reports it: 90624 for 9.6.24.
  case tooOld(Int32)
  /// The database's encoding is not UTF-8.
  case encoding
  /// The database contains tables of another program.
  case foreign
  /// A newer version of this program created the tables. The values are the version of the tables
  /// and the newest version that this program knows.
  case newer(Int64, known: Int64)
  /// The command `move` has not yet moved all accounts into the database.
  case moving
  /// The connection was lost and could not be restored in time. The last request may have been
  /// carried out.
  case lost
  /// Other clients held locks on the same accounts for too long.
  case busy
  /// The server waits for a synchronous standby that does not answer.
  case noStandby
  case full
  /// Any other error, by its SQLSTATE (PostgreSQL manual, appendix A).
  case failed(state: String)

  var explanation: String {
    switch self {
    case .invalidConnection: "The connection to the database server is not described as libpq wants it."
    case .noService: "The file of libpq's services has no service of that name, or cannot be read: see PGSERVICEFILE."
    case .unreachable: "The database server cannot be reached: it does not answer in time, or there is no way to it."
    case .connectionRefused:
      "The database server cannot be reached: nothing listens at that host and port, or that socket."
    case .unknownHost: "The name of the database server's host leads to no address."
    case .starting: "The database server cannot be used yet or any more: it is starting, stopping or recovering."
    case .tooManyConnections: "The database server takes no more connections: see max_connections."
    case .noPassword: "The database server asks for a password, and there is none: see PGPASSFILE."
    case .wrongPassword:
      "The database server does not let this program in: the password is not right, or the user is unknown."
    case .notAdmitted:
      "The database server refuses the connection: pg_hba.conf has no entry for this user, database, address and encryption, or this user does not exist or may not log in."
    case .refused:
      "The database server does not let this program in: the two have no way of authentication in common. See pg_hba.conf, channel_binding and gssencmode."
    case .noTLS:
      "The database server takes no encrypted connections, which sslmode asks for: see the server's setting ssl."
    case .certificate:
      "The database server's certificate is not trusted, or is another host's: see sslrootcert and sslmode."
    case .clientCertificate:
      "The client's certificate or its key cannot be used: see sslcert and sslkey, and who may read the key."
    case .tlsFailed: "An encrypted connection to the database server could not be made."
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
    case .noStandby:
      "The database server waits for a synchronous standby that does not answer, and acknowledges nothing until then: see its setting synchronous_standby_names."
    case .full: "There is no room left on the disk of the database server."
    case .failed(let state):
      // A program that claims to be a server may send any text.
      state.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
        ? "The database server failed (SQLSTATE \(state))." : "The database server failed."
    }
  }
}

extension AccountStoreError {
  /// Whether the disk is full. An operation then still does the parts of its work that only read.
  var isFull: Bool { self == .full || self == .server(.full) }
}
