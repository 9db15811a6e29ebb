import Accounts
import Synchronization

/// The open stores that no thread is using. There are never more open stores than threads.
///
/// The pool uses only the file that it opened first, because that file has all acknowledged
/// changes. If the path leads to another file or to none, every request fails until the first file
/// is back.
final class StorePool: Sendable {
  /// The maximum size of a file that is checked completely before use, which takes about 50 ms at
  /// most.
  private static let maximumBytesToCheck: Int64 = 16 << 20

  private let location: AccountLocation
  private let options: AccountStore.Options
  private let state = Mutex(State())

  private struct State {
    var idle: [Idle] = []
    var inUse = 0
    /// The identity of the file that was opened first.
    var identity: FileIdentity?
    /// The number of open stores. `files` are the files that these stores have open.
    var open = 0
    var files: OpenFiles?
    /// Whether a store has found that its files were moved. All stores are then closed before
    /// another is opened, because SQLite keeps a file's log as long as any connection has it open.
    var hasMoved = false
    /// Whether the key file was compared with the key id in the database.
    var hasComparedKey = false
  }

  /// An idle store. A store belongs to one thread at a time; while idle it belongs to none.
  private struct Idle: @unchecked Sendable {
    let store: AccountStore
  }

  /// Whether other servers may use the same accounts.
  var areShared: Bool { if case .server = location { true } else { false } }

  init(_ arguments: Arguments) {
    location = arguments.location
    options = arguments.options.store
  }

  /// Runs `work` with a store that no other thread uses. After most errors the store is closed, and
  /// the next request opens the file again.
  func with<Result>(
    _ work: (AccountStore) throws(AccountStoreError) -> Result
  ) throws(AccountStoreError) -> Result {
    try enter()
    defer { state.withLock { $0.inUse -= 1 } }
    return try use(work)
  }

  private func enter() throws(AccountStoreError) {
    let isOpen = state.withLock { state in
      if state.hasMoved, state.inUse == 0 { state.hasMoved = false }
      if !state.hasMoved { state.inUse += 1 }
      return !state.hasMoved
    }
    guard isOpen else { throw .moved }
  }

  private func use<Result>(
    _ work: (AccountStore) throws(AccountStoreError) -> Result
  ) throws(AccountStoreError) -> Result {
    let store = try takeStore()
    do throws(AccountStoreError) {
      let result = try work(store)
      giveBack(store)
      return result
    } catch {
      switch error {
      case .moved: closeIdle()
      // In these cases the store stays open. A full disk may prevent reopening the file, while
      // reading from an open one still works. A store on a database server reconnects by itself.
      case .full, .locked, .keyUnusable, .server:
        giveBack(store)
        throw error
      default: break
      }
      recordClosed(1)
      throw error
    }
  }

  private func takeStore() throws(AccountStoreError) -> AccountStore {
    if let idle = state.withLock({ $0.idle.popLast() }) {
      if idle.store.isCurrent { return idle.store }
      idle.store.rescueLog()
      recordClosed(1)
      closeIdle()
      throw .moved
    }
    let (identity, files) = state.withLock { ($0.identity, $0.files) }
    // SQLite would start a new log in place of a removed one, while other threads still write to
    // the removed log.
    if let files, !files.areCurrent { throw movedFiles() }
    let store = try location.open(options, identity: identity)
    if identity == nil { try store.requireIntact(maximumBytes: Self.maximumBytesToCheck) }
    let isSame = state.withLock { state in
      state.identity = state.identity ?? store.identity
      guard (state.files ?? store.openFiles) == store.openFiles else { return false }
      state.files = store.openFiles
      state.open += 1
      return true
    }
    guard isSame else { throw movedFiles() }
    try compareKey(of: store)
    return store
  }

  /// Compares the key file with the accounts at the first call, and reports a key file that cannot
  /// be used. One-time codes cannot be checked on this server then, but all other logins work.
  private func compareKey(of store: AccountStore) throws(AccountStoreError) {
    let isFirst = state.withLock { state in
      defer { state.hasComparedKey = true }
      return !state.hasComparedKey
    }
    guard isFirst else { return }
    do throws(AccountStoreError) {
      if let problem = try store.keyProblem() {
        Console.reportError(AccountStoreError.keyUnusable(problem).explanation)
      }
    } catch {
      recordClosed(1)
      state.withLock { $0.hasComparedKey = false }
      throw error
    }
  }

  private func movedFiles() -> AccountStoreError {
    closeIdle()
    return .moved
  }

  /// Records that stores were closed. If no store is open any more, forgets which files the stores
  /// had open, because SQLite may then remove its log and the log's index and create them again.
  private func recordClosed(_ count: Int) {
    state.withLock { state in
      state.open -= count
      if state.open <= 0 { (state.open, state.files) = (0, nil) }
    }
  }

  private func giveBack(_ store: AccountStore) {
    let idle = Idle(store: store)
    state.withLock { $0.idle.append(idle) }
  }

  private func closeIdle() {
    let idle = state.withLock { state in
      state.hasMoved = true
      defer { state.idle = [] }
      return state.idle
    }
    withExtendedLifetime(idle) {}
    recordClosed(idle.count)
  }
}
