package import Accounts
import Glibc

extension AccountStore {
  /// Opens the accounts on a database server, and creates the tables if there are none.
  ///
  /// - Parameters:
  ///   - keyFile: The path of the file with the key of one-time code secrets. It is created with
  ///     the first secret.
  ///   - options: `busyTimeoutMs` limits how long failed operations are retried.
  package convenience init(
    on server: DatabaseServer, keyFile: String, options: Options
  ) throws(AccountStoreError) {
    guard AccountFile.createDirectory(of: keyFile) else { throw .keyUnusable(.failed(code: -EACCES)) }
    let database = PostgreSQLDatabase(server, retryTimeoutMs: UInt64(clamping: options.busyTimeoutMs))
    try PostgreSQLSchema.prepare(database)
    try self.init(database: database, keyFile: keyFile, options: options)
  }
}
