import LoginMachine
import LoginProtocol
import ViewModel

/// The state that a view keeps of one of its sessions.
final class ViewSession {
  let name: [UInt8]
  /// The number of the session, unique in the world. All secrets typed in the session contain it.
  let number: Int
  let isAcknowledged: Bool
  /// The name of its flow; `nil` if unknown.
  let flow: String?
  @exclusivity(unchecked) var screen = ShownScreen()
  /// The text of the last written snapshot.
  @exclusivity(unchecked) var snapshot: [UInt8] = []
  var revision: UInt64 = 0
  /// The `events` of the last written update, not counting answers to refused events, which may
  /// overtake waiting updates.
  var writtenEvents: UInt64 = 0
  /// The `events` of the last written update, including such answers.
  var countedEvents: UInt64 = 0
  /// The number of edits, presses and submits that were read from the view.
  var events: UInt64 = 0
  /// The revision that the view has to present before another update may come.
  var awaited: UInt64?
  var isOpen = true
  var isOpenedBySubmit = false
  /// The detail level of its updates.
  var detail = UpdateDetail.snapshot
  /// The edits that no update has counted yet: their numbers among the session's events, items and
  /// values.
  var edits: [(number: UInt64, item: [UInt8], value: [UInt8])] = []
  /// A refused event that an update still has to answer.
  var refused: RefusedEvent?
  /// Whether the language may have changed and no screen has been shown since.
  var awaitsTranslation = false
  /// The numbers of the last accepted secrets, by item.
  var secrets: [[UInt8]: Int] = [:]
  /// The numbers of the secrets in `session/open`.
  var openingSecrets: Set<Int> = []
  /// The numbers of the secrets at the last accepted press. A question with them may be sent later.
  var submitted: Set<Int> = []
  /// The text of the last typed secret.
  var lastSecret: [UInt8]?

  /// An event that was refused.
  struct RefusedEvent {
    /// Its number among the session's events.
    let number: UInt64
    /// For an edit, the item and the entered value.
    let item: [UInt8]?
    let value: [UInt8]?
  }

  init(name: [UInt8], number: Int, isAcknowledged: Bool, flow: String?) {
    self.name = name
    self.number = number
    self.isAcknowledged = isAcknowledged
    self.flow = flow
  }
}
