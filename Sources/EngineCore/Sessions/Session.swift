import LoginForms
import LoginMachine
import LoginProtocol

/// One open session: its machine, its secrets, and what the engine has to know to serve it.
///
/// There may be a million of them, so what few sessions have hangs on one reference, and the properties stand in an order that leaves no gaps.
final class Session {
  /// The name on the wire.
  let id: SessionName
  /// The flow in the session's language.
  @exclusivity(unchecked) var template: FlowTemplate
  @exclusivity(unchecked) var machine: SessionMachine
  /// Whether its updates have only commands.
  var omitsSnapshots = false
  /// How many of the view's events counted in the update that was written last.
  var writtenEvents: UInt64 = 0
  /// Whether it still is in the table.
  var isOpen = true
  private let slotNumber: UInt32
  @exclusivity(unchecked) var vault = Vault()
  /// When the last event came, in milliseconds of the engine's clock.
  @exclusivity(unchecked) var lastActive: UInt64
  @exclusivity(unchecked) private var rarities: Rarities?
  private var idleTimerOrNone = TimerID.none

  init(id: SessionName, slot: Int, template: FlowTemplate, machine: SessionMachine, now: UInt64) {
    self.id = id
    slotNumber = UInt32(truncatingIfNeeded: slot)
    self.template = template
    self.machine = machine
    lastActive = now
  }

  /// Where it stands in the table.
  var slot: Int { Int(slotNumber) }

  /// When it is looked whether the session is idle.
  var idleTimer: TimerID? {
    get { idleTimerOrNone == .none ? nil : idleTimerOrNone }
    set { idleTimerOrNone = newValue ?? .none }
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
    /// Whether the view has let its time pass, and has presented nothing since.
    var isSilent = false

    init(policy: FlowOptions.TransitionPolicy, of flow: Flow, timeout: UInt64) {
      queue = TransitionQueue(policy: policy, of: flow)
      self.timeout = timeout
    }
  }

  // MARK: What few sessions have

  private final class Rarities {
    var particulars: SessionParticulars?
    var throttles: [Throttle] = []
    var checks: [Check] = []
    @exclusivity(unchecked) var transitions: Transitions?
    var keys: [QuestionID: String] = [:]
  }

  private func change(_ change: (Rarities) -> Void) {
    let rarities = rarities ?? Rarities()
    change(rarities)
    self.rarities = rarities
  }

  /// What the view said when it opened the session beside what is shown; `nil` for most sessions.
  var particulars: SessionParticulars? {
    get { rarities?.particulars }
    set { if newValue != nil || rarities != nil { change { $0.particulars = newValue } } }
  }

  /// When it is no longer too early for another request: here, and on screens that were left.
  var throttles: [Throttle] {
    get { rarities?.throttles ?? [] }
    set { if !newValue.isEmpty || rarities != nil { change { $0.throttles = newValue } } }
  }

  /// When items that were edited are to be checked.
  var checks: [Check] {
    get { rarities?.checks ?? [] }
    set { if !newValue.isEmpty || rarities != nil { change { $0.checks = newValue } } }
  }

  /// The keys of questions that other engines have put, by the numbers that these questions have here.
  var keys: [QuestionID: String] {
    get { rarities?.keys ?? [:] }
    set { if !newValue.isEmpty || rarities != nil { change { $0.keys = newValue } } }
  }

  /// What stands between it and a view that needs time; `nil` for views that do not.
  var transitions: Transitions? {
    @inline(__always) get { rarities?.transitions }
    set { if newValue != nil || rarities != nil { change { $0.transitions = newValue } } }
  }
}
