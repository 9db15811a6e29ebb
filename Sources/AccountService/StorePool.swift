import AccountStore
import Synchronization

/// The open connections that no thread is using. There are never more than there are threads.
final class StorePool: Sendable {
  private let path: String
  private let options: AccountStore.Options
  private let idle = Mutex<[Idle]>([])

  /// A store belongs to one thread at a time; here to none.
  private struct Idle: @unchecked Sendable {
    let store: AccountStore
  }

  init(_ arguments: Arguments) {
    path = arguments.options.file
    options = arguments.options.store
  }

  /// Does the work with a connection of its own. One that failed is closed, so the next request opens the file anew; so
  /// is one whose file was moved or removed meanwhile.
  func with<Result>(
    _ work: (AccountStore) throws(AccountStoreError) -> Result
  ) throws(AccountStoreError) -> Result {
    let store = try take()
    let result = try work(store)
    let idle = Idle(store: store)
    self.idle.withLock { $0.append(idle) }
    return result
  }

  private func take() throws(AccountStoreError) -> AccountStore {
    while let idle = idle.withLock({ $0.popLast() }) {
      if idle.store.isCurrent { return idle.store }
    }
    return try AccountStore(path: path, options: options)
  }
}
