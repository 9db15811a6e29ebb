import LoginMachine
import LoginProtocol
import ViewModel

/// What a view knows of one of its sessions.
final class ViewSession {
  let name: [UInt8]
  /// A number that no other session of the world has; it is in all secrets typed there.
  let number: Int
  let isAcknowledged: Bool
  /// The name of its flow; `nil` if it is not known.
  let flow: String?
  @exclusivity(unchecked) var screen = ShownScreen()
  /// The text of the snapshot that was written last.
  @exclusivity(unchecked) var snapshot: [UInt8] = []
  var revision: UInt64 = 0
  /// The `events` of the update that was written last, answers to refused events aside, which are ahead of updates that wait.
  var writtenEvents: UInt64 = 0
  /// The same with these answers.
  var countedEvents: UInt64 = 0
  /// The edits, presses and submits that were taken from the view.
  var events: UInt64 = 0
  /// The revision that has to be presented before another update may come.
  var awaited: UInt64?
  var isOpen = true
  var isOpenedBySubmit = false
  /// What its updates say.
  var detail = UpdateDetail.snapshot
  /// The edits that were taken and that no update has counted yet: their numbers among the session's events, items and values.
  var edits: [(number: UInt64, item: [UInt8], value: [UInt8])] = []
  /// An event that was refused, and that an update has to answer.
  var refused: RefusedEvent?
  /// Whether the session was given another language, or maybe the one it has, and no screen was shown since.
  var awaitsTranslation = false
  /// The numbers of the secrets that were typed last and accepted, by items.
  var secrets: [[UInt8]: Int] = [:]
  /// The numbers of those that the view gave when it opened the session.
  var openingSecrets: Set<Int> = []
  /// What those that were typed were at the last press that was taken: a question may wait while its session goes on.
  var submitted: Set<Int> = []
  /// The text of the secret that was typed last.
  var lastSecret: [UInt8]?

  /// An event that was refused.
  struct RefusedEvent {
    /// Which of the session's events it is.
    let number: UInt64
    /// The item that it names, if it was an edit, and what the view has entered.
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
