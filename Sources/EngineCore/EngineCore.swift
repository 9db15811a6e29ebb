import JSONCodec
import LoginMachine
public import LoginProtocol
import SecretMemory

/// A login engine without input and output: bytes and times go in, bytes and effects come out.
///
/// It has no descriptor, process, clock or environment, never waits, and does nothing by itself. A
/// host
/// - passes in what views and authenticators write (`receive`) and what happens to authenticators,
///   each with its time,
/// - runs the effects from `nextEffect`, in order, after each input and before the next,
/// - calls `turn` once it has passed in all that is ready, and
/// - calls `turn` again when `timeToWait` has passed without input.
///
/// `turn` processes everything that was passed in and writes the output. The same inputs at
/// the same times lead to the same outputs. All calls come from one thread. Calls are not
/// reentrant, except for those that the closures of `turn` are documented to make.
public final class EngineCore {
  // `@exclusivity(unchecked)` marks properties that each event needs and that only one thread
  // accesses. Dynamic checks of them would take a tenth of the time of an edit.
  let configuration: EngineConfiguration
  let log: EngineLog
  /// The observer of events. Without one, each event costs one comparison.
  @exclusivity(unchecked) private(set) var observer: (any EngineObserver)?
  /// Observer of authentication attempts.
  private(set) var attemptObserver: (any AttemptObserver)?
  var statistics = EngineStatistics()
  private var refusedNotifications = RepeatedWarning()
  @exclusivity(unchecked) var catalog: FlowCatalog
  @exclusivity(unchecked) var sessions = SessionTable()
  @exclusivity(unchecked) var time: EngineTime
  /// The time that the host passed in last.
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
  ///   - catalog: the flows that the engine offers.
  ///   - moment: the time of the start.
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

  /// The current time on the engine's clock.
  public var moment: Moment { time.moment }

  // MARK: The host's turn

  /// Processes everything that was passed in, in an order that does not depend on the host.
  ///
  /// - Parameters:
  ///   - moment: the start of the turn.
  ///   - runEffects: runs the effects from `nextEffect`. Returns whether there were any.
  ///   - pollAuthenticators: passes in what authenticators wrote, and what happened to them, while
  ///     `wantsReplies` was false. It may be called more than once in a turn.
  ///   - write: calls `writeOutput`.
  public func turn<Failure>(
    at moment: Moment, runEffects: () -> Bool, pollAuthenticators: () throws(Failure) -> Void, write: () -> Void
  ) throws(Failure) {
    // Usually there are no effects to run.
    @inline(__always) func run() -> Bool { !effects.isEmpty && runEffects() }
    authenticators.forEach { $0.beginTurn() }
    passTime(to: moment)
    repeat {
      repeat {
        // Finish interrupted work before anything else.
        resume()
        _ = run()
        handleWaitingReplies()
        _ = run()
        try pollAuthenticators()
        _ = run()
        // Run the effects of timers and of each line before the next line.
        repeat {
          repeat { handleDueWork() } while run()
          handleLines()
        } while run() && hasLinesToHandle
        // The output of many lines is written in one call.
        if output.isDue || !hasWork {
          write()
          _ = run()
        }
      } while hasWork
      if conversations.hasCodes {
        output.updates.releaseViews()
        conversations.forgetCodes()
        output.noteSecrets()
      }
      progressTowardsEnd(at: moment)
      // The shutdown may have waited for work that was completed just now.
    } while (run() || canClose || output.hasUnofferedOutput) && !isFinished
  }

  /// Logs the refusal of a notification, which gets no response, within the rate limit of such
  /// warnings.
  func warn(ofRefused text: String) {
    if let line = refusedNotifications.line(text, at: time.now) { log.write(.warning, line) }
  }

  /// Advances the time to `moment`. No time passes while work is interrupted or an authenticator is
  /// being started, so that the results do not depend on how long the interruption or the start
  /// takes.
  func passTime(to moment: Moment) {
    // A host passes in the same time with several inputs of one turn.
    guard moment != passedMoment else { return }
    if isInterrupted || authenticators.isStarting {
      time.note(moment)
    } else {
      time.tick(to: moment, before: nextDeadline)
      passedMoment = moment
    }
  }

  /// Continues the work that was interrupted because the output had no room.
  func resume(withBatch: Bool = true) {
    answerFailed()
    if withBatch { finishBatch() }
    fireTimers(until: time.now)
    continueAdvance()
    settleEnd()
  }

  /// Handles all work that must precede the view's next line, as far as the output has room: failed
  /// questions, timers and a `clock/advance`.
  private func handleDueWork() {
    answerFailed()
    fireTimers()
    continueAdvance()
  }

  /// Whether there is more work that can be done as soon as the output was written.
  private var hasWork: Bool {
    !effects.isEmpty
      || hasRoom
        && (isInterrupted || authenticators.contains { $0.hasStalledLines }
          || (canHandleLines && (input.batch != nil || input.isStalled)))
  }

  /// Whether `handleLines` can handle further lines now. It may have stopped before these lines
  /// because effects had to run first.
  private var hasLinesToHandle: Bool { canHandleLines && !output.isDue && (input.batch != nil || input.isStalled) }

  /// How long the host may wait before it calls `turn` without input, in milliseconds from the time
  /// that the host passed in last; `nil` if it may wait until there is input.
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

  /// Queues an effect for the host.
  func request(_ effect: Effect) { effects.append(effect) }

  /// The next effect to run.
  public func nextEffect() -> Effect? { effects.popFirst() }

  // MARK: What may happen now

  /// Whether there is unfinished work that must be finished before anything else happens: failing
  /// questions, a batch, the timers of one deadline, a `clock/advance`, the consequences of the end
  /// of input. Such work stops when the output has no room. No time passes until the work is done,
  /// so that the results do not depend on how fast the output is read.
  var isInterrupted: Bool {
    if questions.hasFailures || input.isSettlingEnd { return true }
    if let advance = time.advance { return advance.questions.isEmpty }
    if input.batch != nil, input.stage != .closing, !waitsForAnswers { return true }
    return time.isTimerDue
  }

  /// Whether the output has room, and no authenticator is being started.
  var hasRoom: Bool { output.hasRoom && !authenticators.isStarting }

  /// Whether the next line or entry of a batch may be handled.
  var canHandleLines: Bool { hasRoom && time.advance == nil && !waitsForAnswers && input.stage != .closing }

  /// Whether the view's lines have to wait until open questions are answered (`--lockstep`).
  var waitsForAnswers: Bool { configuration.isLockstep && questions.areAwaited }

  /// Whether the host should read the view's input. While no line may be handled, the engine reads
  /// at most as much as its buffer holds. It reads more while it looks for responses of a frontend
  /// that is an authenticator.
  public var wantsInput: Bool {
    input.stage == .open && hasRoom && (canHandleLines && !input.isStalled || canHandleResponses || !input.isFull)
  }

  /// Whether the host should read the output of authenticators.
  public var wantsReplies: Bool { hasRoom && !isInterrupted }

  /// The next time at which a timer fires or the engine has to start or give up an authenticator.
  var nextDeadline: UInt64? {
    var next = time.nextTimer
    authenticators.forEach { link in
      if let deadline = link.nextDeadline { next = min(next ?? .max, deadline) }
    }
    return next
  }
}

/// The parsers of messages, reused so that no message allocates.
final class Parsing {
  /// The parsed message of a view.
  @exclusivity(unchecked) var document = JSONDocument()
  /// The parsed message of an authenticator.
  @exclusivity(unchecked) var reply = JSONDocument()
  @exclusivity(unchecked) var scratch = ByteBuffer()
  /// The calls of the view whose shapes `document` remembers, by the numbers of the shapes. Not an
  /// array, because each access would copy the element.
  private let calls = UnsafeMutablePointer<KnownCall>.allocate(capacity: JSONDocument.shapeCapacity)
  private var knownCount = 0
  /// Whether a line was parsed before. The shape of the first line is not remembered, so that the
  /// program answers that line as early as possible.
  private var hasReadLine = false

  /// A call whose shape is remembered: later lines of this shape differ from it only in their
  /// values.
  struct KnownCall {
    let method: Method
    /// The parts of the call, as nodes of the document. They are the same in all lines of this
    /// shape.
    let call: IncomingMessage.Call
    let parameters: Parameters
  }

  /// Remembers the shape of a call, so that later lines of this shape are recognised. Does so only
  /// if the protocol defines all names in the call. Apart from these names, nothing of the line is
  /// remembered, so no value and no secret is.
  func remember(_ root: JSONDocument.Node) {
    guard hasReadLine else {
      hasReadLine = true
      return
    }
    guard case .call(let call) = IncomingMessage(document, root), call.params.map({ hasOnlyLeaves($0) }) ?? true,
      let method = Method(document, call.method), let version = version(root, call)
    else { return }
    let parameters = Parameters(document, call.params)
    guard parameters.allBelong(to: method) else { return }
    // `rememberShape` needs the constants in the order of the text.
    let constants = [version, call.method].sorted { $0.position < $1.position }
    guard let number = document.rememberShape(constants: constants) else { return }
    let known = KnownCall(method: method, call: call, parameters: parameters)
    if number == knownCount { knownCount += 1 }
    precondition(number >= 0 && number < knownCount && number < JSONDocument.shapeCapacity)
    (calls + number).initialize(to: known)
  }

  /// The call of a recognised shape. The pointer is valid until another shape is remembered.
  @inline(__always) func known(_ shape: Int) -> UnsafePointer<KnownCall> {
    precondition(shape >= 0 && shape < knownCount)
    return UnsafePointer(calls + shape)
  }

  deinit { calls.deallocate() }

  /// The value of `jsonrpc`, if the message has no members other than those of a JSON-RPC call.
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

/// The queue of effects that the host has not run yet.
struct EffectQueue {
  private var effects: [Effect] = []
  /// The index of the first effect that was not returned yet.
  private var first = 0

  var isEmpty: Bool { effects.isEmpty }

  mutating func append(_ effect: Effect) { effects.append(effect) }

  /// Removes the effect that would start an authenticator.
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
