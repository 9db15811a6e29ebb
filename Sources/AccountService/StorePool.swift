import AccountStore
import Synchronization

/// The open stores that no thread is using. There are never more of them than threads.
final class StorePool: Sendable {
  private let path: String
  private let options: AccountStore.Options
  private let idle = Mutex<[Idle]>([])

  /// A store belongs to one thread at a time. While it is idle it belongs to no thread.
  private struct Idle: @unchecked Sendable {
    let store: AccountStore
  }

  init(_ arguments: Arguments) {
    path = arguments.options.file
    options = arguments.options.store
  }

  /// Does the work with a store that no other thread uses. A store is closed after an error, and when its file was moved or
  /// removed meanwhile; the next request opens the file anew.
  func with<Result>(
    _ work: (AccountStore) throws(AccountStoreError) -> Result
  ) throws(AccountStoreError) -> Result {
    let store = try takeStore()
    let result = try work(store)
    let idle = Idle(store: store)
    self.idle.withLock { $0.append(idle) }
    return result
  }

  private func takeStore() throws(AccountStoreError) -> AccountStore {
    while let idle = idle.withLock({ $0.popLast() }) {
      if idle.store.isCurrent { return idle.store }
    }
    return try AccountStore(path: path, options: options)
  }
}
