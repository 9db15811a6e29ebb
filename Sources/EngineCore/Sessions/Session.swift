import LoginMachine
import LoginProtocol

/// An open session: its machine, its secrets, and what the engine needs to serve it.
///
/// There may be a million of them. So what few sessions need is behind one reference, and the
/// properties are ordered without padding.
final class Session {
  /// The name on the wire.
  let id: SessionName
  /// The flow in the session's language.
  @exclusivity(unchecked) var template: FlowTemplate
  @exclusivity(unchecked) var machine: SessionMachine
  /// What its updates contain.
  var detail = UpdateDetail.snapshot
  /// Whether it is still in the table.
  private(set) var isOpen = true
  private let slotNumber: UInt32
  /// The count of the view's events in the last written update.
  var writtenEvents: UInt64 = 0
  @exclusivity(unchecked) var vault = Vault()
  /// The time of the last event, in milliseconds of the engine's clock.
  @exclusivity(unchecked) var lastActive: UInt64
  @exclusivity(unchecked) private var extras: Extras?
  private var idleTimerOrNone = TimerID.none

  init(id: SessionName, slot: Int, template: FlowTemplate, machine: SessionMachine, now: UInt64) {
    self.id = id
    slotNumber = UInt32(truncatingIfNeeded: slot)
    self.template = template
    self.machine = machine
    lastActive = now
  }

  /// Lends the template without retaining it, which would cost each edit. `body` must not replace
  /// the session's template.
  @inline(__always) func withTemplate<R>(_ body: (FlowTemplate) -> R) -> R {
    Unmanaged.passUnretained(template).lend(body)
  }

  /// The index of the session in the table.
  var slot: Int { Int(slotNumber) }

  /// The timer that checks whether the session is idle.
  var idleTimer: TimerID? {
    get { idleTimerOrNone == .none ? nil : idleTimerOrNone }
    set { idleTimerOrNone = newValue ?? .none }
  }

  /// Records that the session has left the table, and wipes its secrets.
  func close() {
    vault.wipe()
    particulars?.wipe()
    isOpen = false
  }

  /// The updates that wait for a view with transitions.
  final class Transitions {
    @exclusivity(unchecked) var queue: TransitionQueue
    /// The longest time for one presentation, in milliseconds.
    private let timeout: UInt64
    private var timer: TimerID?
    /// Whether the view has missed its time and has not acknowledged anything since.
    private(set) var isSilent = false

    init(policy: FlowOptions.TransitionPolicy, of flow: Flow, timeout: UInt64) {
      queue = TransitionQueue(policy: policy, of: flow)
      self.timeout = timeout
    }

    /// Starts the time of the view's presentation. Returns false if it is running already.
    func startTimer(inSlot slot: Int, _ time: inout EngineTime) -> Bool {
      guard timer == nil else { return false }
      timer = time.schedule(after: timeout, .presentation(slot: slot))
      return true
    }

    func cancelTimer(_ time: inout EngineTime) {
      if let timer { time.cancel(timer) }
      timer = nil
    }

    func noteReport() { isSilent = false }

    func noteSilence() { isSilent = true }
  }

  // MARK: Rare state

  private final class Extras {
    var particulars: SessionParticulars?
    var timers = SessionTimers()
    @exclusivity(unchecked) var transitions: Transitions?
    var keys: [QuestionID: String] = [:]
  }

  private func change(_ change: (Extras) -> Void) {
    let extras = extras ?? Extras()
    change(extras)
    self.extras = extras
  }

  /// What the view stated when it opened the session and what is not shown; `nil` for most
  /// sessions.
  var particulars: SessionParticulars? {
    get { extras?.particulars }
    set { if newValue != nil || extras != nil { change { $0.particulars = newValue } } }
  }

  /// The timers of throttles, on this screen and on screens that were left, and of checks.
  var timers: SessionTimers {
    get { extras?.timers ?? SessionTimers() }
    set { if !newValue.isEmpty || extras != nil { change { $0.timers = newValue } } }
  }

  /// The idempotency keys of questions that other engines have asked, by their numbers in this
  /// engine.
  var keys: [QuestionID: String] {
    get { extras?.keys ?? [:] }
    set { if !newValue.isEmpty || extras != nil { change { $0.keys = newValue } } }
  }

  /// The queue for a view with transitions; `nil` for other views.
  var transitions: Transitions? {
    @inline(__always) get { extras?.transitions }
    set { if newValue != nil || extras != nil { change { $0.transitions = newValue } } }
  }
}
