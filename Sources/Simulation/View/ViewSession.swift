import LoginMachine
import LoginProtocol
import ViewModel

/// What a view knows about one of its open sessions.
final class ViewSession {
  let name: [UInt8]
  /// The number of the session, unique in the world. All secrets typed in the session contain it.
  let number: Int
  let isAcknowledged: Bool
  /// The name of the session's flow; `nil` if unknown.
  let flow: String?
  @exclusivity(unchecked) var screen = ShownScreen()
  /// The JSON text of the last snapshot that the engine has written for the session.
  @exclusivity(unchecked) var snapshot: [UInt8] = []
  var revision: UInt64 = 0
  /// The member `events` of the last update that the engine has written for the session. Updates
  /// that only answer a refused event are left out, because they may overtake waiting updates.
  var writtenEvents: UInt64 = 0
  /// The member `events` of the last update that the engine has written for the session, including
  /// updates that only answer a refused event.
  var countedEvents: UInt64 = 0
  /// How many edits, presses and submits of this session the engine has read.
  var events: UInt64 = 0
  /// The revision that the view has to present before the engine may write the next update; `nil`
  /// if the view has presented all of them.
  var awaited: UInt64?
  var isOpen = true
  var isOpenedBySubmit = false
  /// The detail level of the session's updates: snapshots, commands or both.
  var detail = UpdateDetail.snapshot
  /// The accepted edits that no update has acknowledged yet. `number` is the edit's number among
  /// all events of the session; the member `events` of an update says how many events it
  /// acknowledges.
  var edits: [(number: UInt64, item: [UInt8], value: [UInt8])] = []
  /// A refused event that the engine still has to answer with an update.
  var refused: RefusedEvent?
  /// Whether the user may have changed the language since the engine last showed a screen.
  var awaitsTranslation = false
  /// For each secret item, the number of the last secret that the engine has accepted for it.
  var secrets: [[UInt8]: Int] = [:]
  /// The numbers of the secrets in the `secrets` param of `session/open`.
  var openingSecrets: Set<Int> = []
  /// The numbers of the secrets that the items contained at the last accepted press. A question may
  /// contain them even after the items have changed.
  var submitted: Set<Int> = []
  /// The last secret that the user typed in this session, as JSON text.
  var lastSecret: [UInt8]?

  /// An edit, press or submit that the engine has refused.
  struct RefusedEvent {
    /// The event's number among all events of the session.
    let number: UInt64
    /// If the event is an edit: the edited item; otherwise `nil`.
    let item: [UInt8]?
    /// If the event is an edit: the value that it entered; otherwise `nil`.
    let value: [UInt8]?
  }

  init(name: [UInt8], number: Int, isAcknowledged: Bool, flow: String?) {
    self.name = name
    self.number = number
    self.isAcknowledged = isAcknowledged
    self.flow = flow
  }
}
