import LoginForms
import LoginMachine
import LoginProtocol

/// One open session: its machine, its secrets, and what the engine has to know to serve it.
final class Session {
  /// The name on the wire, in UTF-8.
  let id: [UInt8]
  /// Where it stands in the table.
  let slot: Int
  /// The flow in the session's language.
  @exclusivity(unchecked) var template: FlowTemplate
  @exclusivity(unchecked) var machine: SessionMachine
  @exclusivity(unchecked) var vault = Vault()
  /// What the view said when it opened the session beside what is shown; `nil` for most sessions.
  var particulars: SessionParticulars?
  /// When the last event came, in milliseconds of the engine's clock.
  @exclusivity(unchecked) var lastActive: UInt64
  var idleTimer: TimerID?
  /// Whether its updates have only commands.
  var omitsSnapshots = false
  /// Whether it still is in the table.
  var isOpen = true
  /// When it is no longer too early for another request: here, and on screens that were left.
  var throttles: [Throttle] = []
  /// When items that were edited are to be checked.
  var checks: [Check] = []
  /// What stands between it and a view that needs time; `nil` for views that do not.
  @exclusivity(unchecked) var transitions: Transitions?

  init(id: [UInt8], slot: Int, template: FlowTemplate, machine: SessionMachine, now: UInt64) {
    self.id = id
    self.slot = slot
    self.template = template
    self.machine = machine
    lastActive = now
  }

  /// The end of a throttle.
  struct Throttle {
    /// The question whose answer has throttled the session.
    let question: QuestionID
    let timer: TimerID
  }

  /// When an item is to be checked.
  struct Check {
    let item: Int
    let timer: TimerID
  }

  /// The updates that wait for the view.
  final class Transitions {
    @exclusivity(unchecked) var queue: TransitionQueue
    /// How long the view may take, in milliseconds.
    let timeout: UInt64
    var timer: TimerID?

    init(policy: FlowOptions.TransitionPolicy, timeout: UInt64) {
      queue = TransitionQueue(policy: policy)
      self.timeout = timeout
    }
  }
}
