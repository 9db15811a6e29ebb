import LoginMachine
import LoginProtocol

/// An open session: its machine, its secrets, and what the engine needs to serve it.
///
/// There may be a million sessions. Therefore, state that only few sessions have is in a separate
/// object, and the properties are ordered so that no padding lies between them.
final class Session {
  /// The session's name on the wire.
  let id: SessionName
  /// The flow in the session's language.
  @exclusivity(unchecked) var template: FlowTemplate
  @exclusivity(unchecked) var machine: SessionMachine
  /// What the updates of this session contain.
  var detail = UpdateDetail.snapshot
  /// Whether the session is still in the table of open sessions.
  private(set) var isOpen = true
  private let slotNumber: UInt32
  /// The number of the view's events that the last written update takes into account.
  var writtenEvents: UInt64 = 0
  @exclusivity(unchecked) var vault = Vault()
  /// The time of the last call or answer that concerned the session, in milliseconds of the
  /// engine's clock.
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

  /// Lends the template without retaining it, since retaining would slow down each edit. `body`
  /// must not replace the session's template.
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
    /// How long the view may take to present an update, in milliseconds.
    private let timeout: UInt64
    private var timer: TimerID?
    /// Whether the view took too long to present an update and has acknowledged no update since
    /// then.
    private(set) var isSilent = false

    init(policy: FlowOptions.TransitionPolicy, of flow: Flow, timeout: UInt64) {
      queue = TransitionQueue(policy: policy, of: flow)
      self.timeout = timeout
    }

    /// Starts the timer that limits how long the view may present. Returns false if the timer is
    /// running already.
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

  /// What the view stated about the session when it opened the session. It is passed to
  /// authenticators only. `nil` for most sessions.
  var particulars: SessionParticulars? {
    get { extras?.particulars }
    set { if newValue != nil || extras != nil { change { $0.particulars = newValue } } }
  }

  /// The session's timers. They end the throttles of the current screen and of screens that were
  /// left, and they start checks.
  var timers: SessionTimers {
    get { extras?.timers ?? SessionTimers() }
    set { if !newValue.isEmpty || extras != nil { change { $0.timers = newValue } } }
  }

  /// The idempotency keys of questions that other engines have asked. The dictionary's keys are the
  /// numbers that this engine has given to these questions.
  var keys: [QuestionID: String] {
    get { extras?.keys ?? [:] }
    set { if !newValue.isEmpty || extras != nil { change { $0.keys = newValue } } }
  }

  /// The queue of updates for a view with transitions; `nil` if the view has no transitions.
  var transitions: Transitions? {
    @inline(__always) get { extras?.transitions }
    set { if newValue != nil || extras != nil { change { $0.transitions = newValue } } }
  }
}
