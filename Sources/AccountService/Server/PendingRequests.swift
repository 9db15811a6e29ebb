import Synchronization

/// The requests that no worker has started to process. Workers get tickets instead of requests, so
/// that a waiting request can be withdrawn and its password wiped at once.
final class PendingRequests: Sendable {
  typealias Ticket = UInt64

  private struct State {
    var waiting: [Ticket: Request] = [:]
    var last: Ticket = 0
  }

  private let state = Mutex(State())

  func post(_ request: Request) -> Ticket {
    state.withLock { state in
      state.last += 1
      state.waiting[state.last] = request
      return state.last
    }
  }

  /// Removes and returns the request of a ticket. Returns nil if the request was withdrawn.
  func claim(_ ticket: Ticket) -> Request? {
    state.withLock { $0.waiting.removeValue(forKey: ticket) }
  }

  /// Withdraws the waiting requests of an attempt, and returns them.
  func withdraw(attempt: UInt64) -> [Request] {
    state.withLock { state in
      let tickets = state.waiting.filter { $0.value.attempt == attempt }.keys
      return tickets.compactMap { state.waiting.removeValue(forKey: $0) }
    }
  }

  /// Withdraws all waiting requests.
  func clear() {
    state.withLock { $0.waiting.removeAll() }
  }
}
