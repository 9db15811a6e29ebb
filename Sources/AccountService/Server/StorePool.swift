import Accounts
import Synchronization

/// The open stores that no thread is using. There are never more of them than threads.
///
/// The pool stays with the file that it has opened first: what was acknowledged is in that one. If another file has its name, or
/// none, every request is an error until the file is back.
final class StorePool: Sendable {
  /// Up to this size a file is read as a whole before it is used: that takes some 50 ms at most.
  private static let maximumBytesToCheck: Int64 = 16 << 20

  private let location: AccountLocation
  private let options: AccountStore.Options
  private let state = Mutex(State())

  private struct State {
    var idle: [Idle] = []
    var inUse = 0
    /// The file that was opened first.
    var identity: FileIdentity?
    /// How many stores are open, and what they have open.
    var open = 0
    var files: OpenFiles?
    /// Whether a store was found to have lost its files. Then all are closed before another is opened: SQLite keeps the log
    /// of a file as long as anybody has it open.
    var hasMoved = false
    /// Whether the key file was compared with what the accounts say of it.
    var hasComparedKey = false
  }

  /// A store belongs to one thread at a time. While it is idle it belongs to no thread.
  private struct Idle: @unchecked Sendable {
    let store: AccountStore
  }

  /// Whether other hosts may have the same accounts.
  var areShared: Bool { if case .server = location { true } else { false } }

  init(_ arguments: Arguments) {
    location = arguments.location
    options = arguments.options.store
  }

  /// Does the work with a store that no other thread uses. After most errors the store is closed; the next request opens the
  /// file anew.
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
      // On a full disk the file could perhaps not be opened again, and from an open one can be read.
      // A store on a server connects anew by itself.
      case .full, .locked, .keyUnusable, .server:
        giveBack(store)
        throw error
      default: break
      }
      noteClosed(1)
      throw error
    }
  }

  private func takeStore() throws(AccountStoreError) -> AccountStore {
    if let idle = state.withLock({ $0.idle.popLast() }) {
      if idle.store.isCurrent { return idle.store }
      idle.store.rescueLog()
      noteClosed(1)
      closeIdle()
      throw .moved
    }
    let (identity, files) = state.withLock { ($0.identity, $0.files) }
    // SQLite would begin another log in place of one that was removed, while other threads still write to that one.
    if let files, !files.areCurrent { throw movedFiles() }
    let store = try location.open(options, identity: identity)
    if identity == nil { try store.requireWhole(maximumBytes: Self.maximumBytesToCheck) }
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

  /// Tells once that the codes of apps cannot be right here. All other logins can.
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
      noteClosed(1)
      state.withLock { $0.hasComparedKey = false }
      throw error
    }
  }

  private func movedFiles() -> AccountStoreError {
    closeIdle()
    return .moved
  }

  /// Without any store open, the log and its index may come and go.
  private func noteClosed(_ count: Int) {
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
    noteClosed(idle.count)
  }
}
