package import Accounts
import Synchronization

/// A bounded reservation of places for mailed codes.
///
/// A request for a code gets a place before anything is looked up, or has to wait. So no promised
/// code is dropped, and a refusal does not depend on which accounts exist.
package final class MailSlots: Sendable {
  /// A place for one mail. It is freed with its last reference: with the request if no mail
  /// follows, otherwise with the mail.
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
    /// The number of these that belong to unknown clients.
    var unnamed = 0

    mutating func leave(isNamed: Bool) {
      taken -= 1
      if !isNamed { unnamed -= 1 }
    }
  }

  /// How long a client without a place must wait, in milliseconds.
  static let retryAfterMs: Int64 = 10_000

  private let places: Int
  private let state = Mutex(State())

  package init(places: Int = 4_096) { self.places = places }

  /// Reserves a place. Returns nil if there is none.
  ///
  /// A quarter of the places is kept for clients with a known address, because only these are
  /// limited individually.
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
