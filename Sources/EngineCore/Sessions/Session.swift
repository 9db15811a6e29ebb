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
  /// What its updates say.
  var detail = UpdateDetail.snapshot
  /// Whether it still is in the table.
  private(set) var isOpen = true
  private let slotNumber: UInt32
  /// How many of the view's events counted in the update that was written last.
  var writtenEvents: UInt64 = 0
  @exclusivity(unchecked) var vault = Vault()
  /// When the last event came, in milliseconds of the engine's clock.
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

  /// Lends the template without retaining it, which each edit would pay for. `body` must not give the session another one.
  @inline(__always) func withTemplate<R>(_ body: (FlowTemplate) -> R) -> R {
    Unmanaged.passUnretained(template).lend(body)
  }

  /// Where it stands in the table.
  var slot: Int { Int(slotNumber) }

  /// When it is looked whether the session is idle.
  var idleTimer: TimerID? {
    get { idleTimerOrNone == .none ? nil : idleTimerOrNone }
    set { idleTimerOrNone = newValue ?? .none }
  }

  /// Notes that it is no longer in the table, and destroys what is secret in it.
  func close() {
    vault.wipe()
    particulars?.wipe()
    isOpen = false
  }

  /// The updates that wait for the view.
  final class Transitions {
    @exclusivity(unchecked) var queue: TransitionQueue
    /// How long the view may take, in milliseconds.
    private let timeout: UInt64
    private var timer: TimerID?
    /// Whether the view has let its time pass, and has presented nothing since.
    private(set) var isSilent = false

    init(policy: FlowOptions.TransitionPolicy, of flow: Flow, timeout: UInt64) {
      queue = TransitionQueue(policy: policy, of: flow)
      self.timeout = timeout
    }

    /// Has the view's time for what it presents begin. Returns false if it has begun already.
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

  // MARK: What few sessions have

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

  /// What the view said when it opened the session beside what is shown; `nil` for most sessions.
  var particulars: SessionParticulars? {
    get { extras?.particulars }
    set { if newValue != nil || extras != nil { change { $0.particulars = newValue } } }
  }

  /// When throttles end, here and on screens that were left, and when items are checked.
  var timers: SessionTimers {
    get { extras?.timers ?? SessionTimers() }
    set { if !newValue.isEmpty || extras != nil { change { $0.timers = newValue } } }
  }

  /// The keys of questions that other engines have put, by the numbers that these questions have here.
  var keys: [QuestionID: String] {
    get { extras?.keys ?? [:] }
    set { if !newValue.isEmpty || extras != nil { change { $0.keys = newValue } } }
  }

  /// What stands between it and a view that needs time; `nil` for views that do not.
  var transitions: Transitions? {
    @inline(__always) get { extras?.transitions }
    set { if newValue != nil || extras != nil { change { $0.transitions = newValue } } }
  }
}
