package import Accounts
import Synchronization

/// A limited number of places for mailed codes, which requests reserve.
///
/// A request for a code gets a place before any account is looked up. If no place is free, the
/// client has to wait. So no promised code is dropped, and a refusal does not depend on which
/// accounts exist.
package final class MailSlots: Sendable {
  /// A place for one mail. It becomes free when the last reference to it is released: after the
  /// request if the request leads to no mail, and otherwise after the delivery of the mail.
  package final class Place: Sendable {
    private let room: MailSlots
    /// The client's address. Nil if the frontend has not given one.
    let client: String?

    fileprivate init(_ room: MailSlots, client: String?) {
      self.room = room
      self.client = client
    }

    deinit { room.state.withLock { $0.leave(isNamed: client != nil) } }
  }

  private struct State {
    var taken = 0
    /// The number of taken places that belong to clients without a known address.
    var unnamed = 0

    mutating func leave(isNamed: Bool) {
      taken -= 1
      if !isNamed { unnamed -= 1 }
    }
  }

  /// How long a client must wait before the next request if no place is free, in milliseconds.
  static let retryAfterMs: Int64 = 10_000

  private let places: Int
  private let state = Mutex(State())

  package init(places: Int = 4_096) { self.places = places }

  /// Reserves a place for a mailed code. Returns nil if no place is free.
  ///
  /// A quarter of the places is kept for clients with a known address, because only these clients
  /// are limited individually.
  package func place(for client: ClientAddress?) -> Place? {
    let isFree = state.withLock { state in
      guard state.taken < places, client != nil || state.unnamed < places - places / 4 else { return false }
      state.taken += 1
      if client == nil { state.unnamed += 1 }
      return true
    }
    return isFree ? Place(self, client: client?.key) : nil
  }
}
