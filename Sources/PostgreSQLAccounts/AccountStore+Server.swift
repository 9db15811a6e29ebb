package import Accounts
import Glibc

extension AccountStore {
  /// Opens the accounts of a database server, and makes the tables if there are none.
  ///
  /// - Parameter keyFile: the path of the file with the key of the secrets of one-time codes, which is made with the first secret.
  /// - Parameter options: `busyTimeoutMs` is for how long what cannot be done at once is done again.
  package convenience init(
    on server: DatabaseServer, keyFile: String, options: Options
  ) throws(AccountStoreError) {
    guard AccountFile.createDirectory(of: keyFile) else { throw .keyUnusable(.failed(code: -EACCES)) }
    let database = PostgreSQLDatabase(server, patienceMs: UInt64(clamping: options.busyTimeoutMs))
    try PostgreSQLSchema.prepare(database)
    try self.init(database: database, keyFile: keyFile, options: options)
  }
}
