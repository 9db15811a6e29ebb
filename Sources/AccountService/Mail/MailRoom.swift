package import Accounts
import Synchronization

/// The room for codes that are to be mailed. Whoever asks for a code gets a place before anything is looked at, or is told to wait: so no code is
/// dropped after an answer that has promised it, and who is refused does not depend on which accounts there are.
package final class MailRoom: Sendable {
  /// A place for one mail. It is free again when the last reference goes: with the request if no mail comes of it, else with the mail.
  package final class Place: Sendable {
    private let room: MailRoom
    /// Who is asking; nil if the frontend has not said.
    let client: String?

    fileprivate init(_ room: MailRoom, client: String?) {
      self.room = room
      self.client = client
    }

    deinit { room.state.withLock { $0.leave(isNamed: client != nil) } }
  }

  private struct State {
    var taken = 0
    /// Those among them of clients that are not known.
    var unnamed = 0

    mutating func leave(isNamed: Bool) {
      taken -= 1
      if !isNamed { unnamed -= 1 }
    }
  }

  /// How long whoever finds no room has to wait, in milliseconds.
  static let retryAfterMs: Int64 = 10_000

  private let places: Int
  private let state = Mutex(State())

  package init(places: Int = 4_096) { self.places = places }

  /// Nil if there is no room. Those whose client is not known leave a quarter to those whose client is: only these are limited one by one.
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
