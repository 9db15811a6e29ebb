package import Accounts
import Glibc
import Synchronization

/// A database server, and the state that all connections of this process to it share.
package final class DatabaseServer: Sendable {
  /// The timeout for one attempt to connect to one host, in milliseconds.
  static let connectTimeoutMs: UInt64 = 2_000

  let settings: ConnectionSettings
  private let state = Mutex(State())

  private struct State {
    /// When the first of the recent attempts to connect failed, by the monotonic clock. Nil while
    /// the server is reachable.
    var downSince: UInt64?
    var preparesStatements = true
    /// How many failed attempts were counted since old ones were last deleted. `forgottenAt` is the
    /// time of that deletion.
    var counted: Int64 = 0
    var forgottenAt: UInt64 = 0
  }

  /// - Parameter connection: A connection string or URI, as in libpq's manual. May be empty if the
  ///   environment has all values.
  package init(_ connection: String) throws(AccountStoreError) { settings = try ConnectionSettings(connection) }

  /// Sets the defaults in libpq's environment that accounts need. Call this before starting other
  /// threads.
  package static func setDefaults() { ConnectionSettings.setDefaults() }

  /// Whether statements are prepared by name. False behind a connection pool such as PgBouncer,
  /// which gives each transaction another connection.
  var preparesStatements: Bool { state.withLock { $0.preparesStatements } }
  func stopPreparing() { state.withLock { $0.preparesStatements = false } }

  func recordConnected() { state.withLock { $0.downSince = nil } }
  func recordUnreachable() { state.withLock { $0.downSince = $0.downSince ?? Clock.now() } }

  /// Returns the time until which an operation that starts now is retried. If the server has been
  /// unreachable for long, operations are not retried, because other requests wait for them.
  func deadline(retryTimeoutMs: UInt64) -> UInt64 { state.withLock { $0.downSince ?? Clock.now() } + retryTimeoutMs }

  /// Whether to delete old records of failed attempts now: more than a fiftieth of `maximum`
  /// attempts have failed since the last deletion, or a minute has passed.
  func shouldDeleteOldFailures(keeping maximum: Int64) -> Bool {
    state.withLock { state in
      state.counted += 1
      let now = Clock.now()
      guard state.counted > maximum / 50 || now >= state.forgottenAt + 60_000 else { return false }
      (state.counted, state.forgottenAt) = (0, now)
      return true
    }
  }
}
