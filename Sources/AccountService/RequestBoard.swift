import Synchronization

/// The requests that no worker has begun. Workers are handed tickets, so that a request can be withdrawn, and its
/// password wiped, without waiting for its turn.
final class RequestBoard: Sendable {
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

  /// The request, or nil if it was withdrawn.
  func take(_ ticket: Ticket) -> Request? {
    state.withLock { $0.waiting.removeValue(forKey: ticket) }
  }

  /// Withdraws the requests of an attempt.
  func withdraw(attempt: UInt64) -> [Request] {
    state.withLock { state in
      let tickets = state.waiting.filter { $0.value.attempt == attempt }.keys
      return tickets.compactMap { state.waiting.removeValue(forKey: $0) }
    }
  }

  /// Withdraws everything.
  func clear() {
    state.withLock { $0.waiting.removeAll() }
  }
}
