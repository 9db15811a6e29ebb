package import Accounts
import Glibc
import Synchronization

/// A database server, as the connections of one process know it.
package final class DatabaseServer: Sendable {
  /// How long one attempt to connect to one host may take, in milliseconds.
  static let connectTimeoutMs: UInt64 = 2_000

  let settings: ConnectionSettings
  private let state = Mutex(State())

  private struct State {
    /// Since when no connection could be made, by the monotonic clock.
    var downSince: UInt64?
    var preparesStatements = true
    /// How many failures were counted since old ones were forgotten, and when that was.
    var counted: Int64 = 0
    var forgottenAt: UInt64 = 0
  }

  /// - Parameter connection: a connection string or URI, as in libpq's manual. It may be empty, for what the environment says.
  package init(_ connection: String) throws(AccountStoreError) { settings = try ConnectionSettings(connection) }

  /// Gives libpq's environment what accounts need and nothing else says. To be called before there are other threads.
  package static func setDefaults() { ConnectionSettings.setDefaults() }

  /// Whether statements are prepared by name. Not where a pool such as PgBouncer gives each transaction another connection.
  var preparesStatements: Bool { state.withLock { $0.preparesStatements } }
  func stopPreparing() { state.withLock { $0.preparesStatements = false } }

  func noteConnected() { state.withLock { $0.downSince = nil } }
  func noteDown() { state.withLock { $0.downSince = $0.downSince ?? Clock.now() } }

  /// Until when something that begins now may be done again. Those who come when the server has been away for long do not wait: others wait behind them.
  func deadline(patienceMs: UInt64) -> UInt64 { state.withLock { $0.downSince ?? Clock.now() } + patienceMs }

  /// Whether it is time to forget old failures: after a fiftieth of those that are kept, or a minute.
  func isTimeToForget(keeping maximum: Int64) -> Bool {
    state.withLock { state in
      state.counted += 1
      let now = Clock.now()
      guard state.counted > maximum / 50 || now >= state.forgottenAt + 60_000 else { return false }
      (state.counted, state.forgottenAt) = (0, now)
      return true
    }
  }
}
