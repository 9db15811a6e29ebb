import CPQ
import Foundation
import Synchronization

/// The database server of `LOGIN_ENGINE_POSTGRESQL`, a connection string of keywords. If it is set,
/// the tests of accounts use it in place of files.
public enum TestServer {
  private static let connection = ProcessInfo.processInfo.environment["LOGIN_ENGINE_POSTGRESQL"]

  /// Whether tests run on a server.
  public static var isUsed: Bool { connection != nil }

  /// The paths whose schemas exist.
  private static let made = Mutex<Set<String>>([])

  /// A connection string for the accounts in place of a file: a schema of their own.
  public static func connection(for path: String) throws -> String {
    let isNew = made.withLock { $0.insert(path).inserted }
    if isNew { try run("CREATE SCHEMA IF NOT EXISTS \(schema(path))", with: connection ?? "") }
    return (connection ?? "") + " options='-csearch_path=\(schema(path))'"
  }

  /// Drops the accounts in place of a file.
  public static func drop(_ path: String) {
    guard isUsed, made.withLock({ $0.remove(path) != nil }) else { return }
    _ = try? run("DROP SCHEMA IF EXISTS \(schema(path)) CASCADE", with: connection ?? "")
  }

  /// Runs statements on the accounts in place of a file. Returns the first column of the last row.
  @discardableResult
  public static func run(_ sql: String, for path: String) throws -> String {
    try run(sql, with: connection(for: path))
  }

  @discardableResult
  private static func run(_ sql: String, with connection: String) throws -> String {
    let handle = PQconnectdb(connection)
    defer { PQfinish(handle) }
    PQsetNoticeProcessor(handle, { _, _ in }, nil)
    let result = PQexec(handle, sql)
    defer { PQclear(result) }
    switch PQresultStatus(result) {
    case PGRES_COMMAND_OK: return ""
    case PGRES_TUPLES_OK:
      let rows = PQntuples(result)
      return rows == 0 ? "" : String(cString: PQgetvalue(result, rows - 1, 0))
    default: throw Failure(description: String(cString: PQerrorMessage(handle)))
    }
  }

  struct Failure: Error, CustomStringConvertible { let description: String }

  /// The name of the schema for a path.
  private static func schema(_ path: String) -> String {
    "t"
      + String(
        path.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }, radix: 36)
  }
}
