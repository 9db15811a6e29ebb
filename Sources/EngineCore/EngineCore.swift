import JSONCodec
import LoginMachine
public import LoginProtocol
import SecretMemory

/// A login engine without input and output: bytes and times go in, bytes and effects come out.
///
/// It has no descriptor, process, clock or environment, never waits, and does nothing by itself. A host
/// - hands in what views and authenticators write (`receive`) and what becomes of authenticators, each with the time at which it happens,
/// - runs what is in `nextEffect`, in order, after each input and before the next,
/// - calls `turn` once it has handed in all that is ready, and
/// - calls `turn` again when `timeToWait` is over although nothing came.
///
/// `turn` does with what was handed in all that can be done, and has the output written. The same inputs at the same times lead to the same outputs.
/// Everything is called on one thread, and nothing from within a call but what the closures of `turn` are for.
public final class EngineCore {
  let configuration: EngineConfiguration
  let log: EngineLog
  /// Who is told what happens. A core that nobody watches pays for one comparison each time.
  @exclusivity(unchecked) private(set) var observer: (any EngineObserver)?
  /// Observer of authentication attempts.
  private(set) var attemptObserver: (any AttemptObserver)?
  var statistics = EngineStatistics()
  private var refusedNotifications = RepeatedWarning()
  @exclusivity(unchecked) var catalog: FlowCatalog
  @exclusivity(unchecked) var sessions = SessionTable()
  @exclusivity(unchecked) var time: EngineTime
  /// The time that was taken last.
  @exclusivity(unchecked) private var passedMoment: Moment?
  @exclusivity(unchecked) var input: InputQueue
  @exclusivity(unchecked) var output = Output()
  @exclusivity(unchecked) var questions = QuestionTable()
  @exclusivity(unchecked) var submits = SubmitTable()
  @exclusivity(unchecked) var conversations = ConversationTable()
  @exclusivity(unchecked) var authenticators: AuthenticatorTable
  @exclusivity(unchecked) var effects = EffectQueue()
  let parsing = Parsing()

  /// - Parameters:
  ///   - catalog: the flows it offers.
  ///   - moment: when it begins.
  public init(
    _ configuration: EngineConfiguration, catalog: FlowCatalog, at moment: Moment, log: EngineLog = .silent
  ) {
    self.configuration = configuration
    self.catalog = catalog
    self.log = log
    time = EngineTime(manualStart: configuration.manualClock, at: moment)
    input = InputQueue(maximumLineBytes: configuration.maximumLineBytes)
    authenticators = AuthenticatorTable(configuration)
  }

  /// Registers the observer. Call before the first input.
  public func observe(with observer: any EngineObserver) { self.observer = observer }

  /// Registers the observer of attempts. Call before the first input.
  public func observeAttempts(with observer: any AttemptObserver) { attemptObserver = observer }

  /// The engine's own time.
  public var moment: Moment { time.moment }

  // MARK: The host's turn

  /// Does all that can be done with what was handed in. This is the order in which everything happens, whatever the host.
  ///
  /// - Parameters:
  ///   - moment: when the turn begins.
  ///   - runEffects: runs what is in `nextEffect`. Returns whether there was anything.
  ///   - hear: hands in what became of authenticators, and what they wrote, while `wantsReplies` was false. To be called more than once.
  ///   - write: calls `writeOutput`.
  public func turn<Failure>(
    at moment: Moment, runEffects: () -> Bool, hear: () throws(Failure) -> Void, write: () -> Void
  ) throws(Failure) {
    // Most often there is nothing to run.
    @inline(__always) func run() -> Bool { !effects.isEmpty && runEffects() }
    authenticators.forEach { $0.beginTurn() }
    passTime(to: moment)
    repeat {
      repeat {
        // Nothing comes between what was interrupted.
        resume()
        _ = run()
        handleWaitingReplies()
        _ = run()
        try hear()
        _ = run()
        // What is due leads to comes before the next line, and so does what a line leads to.
        repeat {
          repeat { handleWhatIsDue() } while run()
          handleLines()
        } while run() && hasLinesToHandle
        // What many lines lead to is written in one call.
        if output.isDue || !hasWork {
          write()
          _ = run()
        }
      } while hasWork
      if conversations.hasCodes {
        output.updates.forgetViews()
        conversations.forgetCodes()
        output.noteSecrets()
      }
      progressTowardsEnd(at: moment)
      // What the end waits for may be what has just been done.
    } while (run() || canClose || output.isUntried) && !isFinished
  }

  /// Tells the log of a notification that nobody is answered, as long as that is not too often.
  func warn(ofRefused text: String) {
    if let line = refusedNotifications.line(text, at: time.now) { log.write(.warning, line) }
  }

  /// Takes the time at which something is handed in. No time passes while something is interrupted or an authenticator is being started, so that what
  /// happens does not depend on how long that takes.
  func passTime(to moment: Moment) {
    // A host that hands in several things at once tells one time for all.
    guard moment != passedMoment else { return }
    if isInterrupted || authenticators.isStarting {
      time.note(moment)
    } else {
      time.tick(to: moment, before: nextDeadline)
      passedMoment = moment
    }
  }

  /// Goes on with what has begun and was interrupted.
  func resume(withBatch: Bool = true) {
    answerLost()
    if withBatch { finishBatch() }
    fireTimers(until: time.now)
    continueAdvance()
    settleEnd()
  }

  /// Handles what is due before the next line, as far as there is room.
  private func handleWhatIsDue() {
    answerLost()
    fireTimers()
    continueAdvance()
  }

  /// Whether something can be done at once, once the output was written.
  private var hasWork: Bool {
    !effects.isEmpty
      || hasRoom
        && (isInterrupted || authenticators.contains { $0.hasStalledLines }
          || (canHandleLines && (input.batch != nil || input.isStalled)))
  }

  /// Whether `handleLines` has left lines only because effects were to be run.
  private var hasLinesToHandle: Bool { canHandleLines && !output.isDue && (input.batch != nil || input.isStalled) }

  /// How many milliseconds after the time that was told last `turn` is worth calling although nothing came; `nil` if never.
  public var timeToWait: UInt64? {
    if isFinished { return nil }
    if hasWork || canClose { return 0 }
    var wait = time.timeToEnd
    if hasRoom, !time.clock.isStopped, let deadline = nextDeadline {
      let now = time.now
      wait = min(wait ?? .max, deadline > now ? deadline - now : 0)
    }
    return wait
  }

  /// Has the host do something.
  func request(_ effect: Effect) { effects.append(effect) }

  /// The next effect to run.
  public func nextEffect() -> Effect? { effects.popFirst() }

  // MARK: What may happen now

  /// Whether something that happens in one go has begun and waits for room: telling what was lost, a batch, the timers of one deadline, a clock that is
  /// moved, the end of the input. Nothing else happens meanwhile, and no time passes, so that what happens does not depend on how fast the output is read.
  var isInterrupted: Bool {
    if questions.hasLost || input.isSettlingEnd { return true }
    if let advance = time.advance { return advance.questions.isEmpty }
    if input.batch != nil, input.stage != .closing, !waitsForAnswers { return true }
    return time.isTimerDue
  }

  /// Whether there is room for more output, and nothing has to be known first.
  var hasRoom: Bool { output.hasRoom && !authenticators.isStarting }

  /// Whether the next line or entry of a batch may be handled.
  var canHandleLines: Bool { hasRoom && time.advance == nil && !waitsForAnswers && input.stage != .closing }

  /// Whether lines wait for the answers to open questions.
  var waitsForAnswers: Bool { configuration.isLockstep && questions.areAwaited }

  /// Whether it is worth reading the view's input. Where no line may be handled, a long one is not read to its end, unless answers are looked for behind it.
  public var wantsInput: Bool {
    input.stage == .open && hasRoom && (canHandleLines && !input.isStalled || canHandleResponses || !input.isFull)
  }

  /// Whether what authenticators write may be read.
  public var wantsReplies: Bool { hasRoom && !isInterrupted }

  /// The next time at which something happens only because it has come.
  var nextDeadline: UInt64? {
    var next = time.nextTimer
    authenticators.forEach { link in
      if let deadline = link.nextDeadline { next = min(next ?? .max, deadline) }
    }
    return next
  }
}

/// What messages are taken apart with; kept, so that no message allocates.
final class Parsing {
  /// What the view says.
  @exclusivity(unchecked) var document = JSONDocument()
  /// What authenticators say.
  @exclusivity(unchecked) var reply = JSONDocument()
  @exclusivity(unchecked) var scratch = ByteBuffer()
  /// What the view's calls are whose shapes `document` remembers, by the numbers of these. No array, of which each look would copy what is looked at.
  private let calls = UnsafeMutablePointer<KnownCall>.allocate(capacity: JSONDocument.shapeCapacity)
  private var knownCount = 0
  /// Whether a line was taken apart before. A start of the program waits for what the first says, and nothing is made for later lines until then.
  private var hasReadLine = false

  /// A call of which only the values are news.
  struct KnownCall {
    let method: Method
    /// Where its parts are.
    let call: IncomingMessage.Call
    let parameters: Parameters
  }

  /// Has lines that are written like this one be recognised, if it is a call that says nothing but what the protocol has names for. What is remembered of it is
  /// these names, and so no value and no secret.
  func remember(_ root: JSONDocument.Node) {
    guard hasReadLine else {
      hasReadLine = true
      return
    }
    guard case .call(let call) = IncomingMessage(document, root), call.params.map({ hasOnlyLeaves($0) }) ?? true,
      let method = Method(document, call.method), let version = version(root, call)
    else { return }
    let parameters = Parameters(document, call.params)
    guard parameters.areKnown(to: method) else { return }
    // In the order in which they stand.
    let constants = [version, call.method].sorted { $0.position < $1.position }
    guard let number = document.rememberShape(constants: constants) else { return }
    let known = KnownCall(method: method, call: call, parameters: parameters)
    if number == knownCount { knownCount += 1 }
    precondition(number >= 0 && number < knownCount && number < JSONDocument.shapeCapacity)
    (calls + number).initialize(to: known)
  }

  /// What a call is whose shape was recognised. Valid until another is remembered.
  @inline(__always) func known(_ shape: Int) -> UnsafePointer<KnownCall> {
    precondition(shape >= 0 && shape < knownCount)
    return UnsafePointer(calls + shape)
  }

  deinit { calls.deallocate() }

  /// The value of `jsonrpc`, if there is no member but JSON-RPC's for calls.
  private func version(_ root: JSONDocument.Node, _ call: IncomingMessage.Call) -> JSONDocument.Node? {
    let members = 2 + (call.params == nil ? 0 : 1) + (call.id == nil ? 0 : 1)
    return document.count(root) == members ? document.member("jsonrpc", of: root) : nil
  }

  private func hasOnlyLeaves(_ params: JSONDocument.Node) -> Bool {
    var child = document.firstChild(params)
    while let key = child, let value = document.sibling(after: key, in: params) {
      if document.kind(value) == .object || document.kind(value) == .array { return false }
      child = document.sibling(after: value, in: params)
    }
    return document.kind(params) == .object
  }
}

/// Effects that are still to be run.
struct EffectQueue {
  private var effects: [Effect] = []
  /// Where those begin that are left.
  private var first = 0

  var isEmpty: Bool { effects.isEmpty }

  mutating func append(_ effect: Effect) { effects.append(effect) }

  /// Takes back that an authenticator is to be started.
  mutating func removeStart(of id: AuthenticatorID) {
    effects = effects[first...].filter { $0 != .start(id) }
    first = 0
  }

  mutating func popFirst() -> Effect? {
    guard first < effects.count else { return nil }
    let effect = effects[first]
    first += 1
    if first == effects.count {
      effects.removeAll(keepingCapacity: effects.count <= 64)
      first = 0
    }
    return effect
  }
}
