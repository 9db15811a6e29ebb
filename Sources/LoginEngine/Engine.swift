import EventLoop
import FlowFiles
import JSONCodec
import LoginForms
import LoginMachine
import LoginProtocol

/// Everything an engine knows, and its turn of the loop. What it does with each kind of message is in the extensions.
final class Engine {
  let options: EngineOptions
  let log: Log
  /// Who records or traces what happens, if anybody does.
  @exclusivity(unchecked) var observer: Observer?
  let loop: EventLoop
  @exclusivity(unchecked) var clock: EngineClock
  var catalog: FlowCatalog
  @exclusivity(unchecked) var sessions = SessionTable()
  @exclusivity(unchecked) var timers = TimerQueue<Timer>()
  /// The slots of the sessions whose views have something to present.
  var waitingSlots: Set<Int> = []

  // The wire.
  let input: Int32
  let output: Int32
  @exclusivity(unchecked) var lines: LineBuffer
  @exclusivity(unchecked) var document = JSONDocument()
  /// What processes say.
  var answers = JSONDocument()
  @exclusivity(unchecked) var batch: Batch?
  @exclusivity(unchecked) var updates = UpdateWriter(capacity: Engine.flushSize * 2)
  @exclusivity(unchecked) var scratch = ByteBuffer()
  /// Lines that wait while answers behind them are taken.
  var heldLines = HeldLines()
  var inputWatch: EventLoop.Watch?
  var outputWatch: EventLoop.Watch?
  @exclusivity(unchecked) var inputState = InputState.open
  /// Whether the reader had no room at the last try; the loop tells when it has.
  @exclusivity(unchecked) var outputIsBlocked = false
  /// Whether there may be secrets in the output, or in its memory: questions to the frontend.
  @exclusivity(unchecked) var outputHoldsSecrets = false
  /// Whether the system refused to take output, on a full disk for one.
  var hasLostOutput = false

  // Attempts.
  var lastQuestion: QuestionID = 0
  var lastClockQuestion = ClockQuestionID.beforeFirst
  @exclusivity(unchecked) var attempts: [QuestionID: InFlight] = [:]
  /// Requests that were answered with a challenge, by the numbers of their first questions.
  @exclusivity(unchecked) var conversations: [ConversationID: OpenConversation] = [:]
  /// The screens of challenges.
  var challenges = ChallengeCache()
  /// Attempts that will never be answered and conversations that cannot go on, and why, as long as there is no room to say so.
  @exclusivity(unchecked) var abandoned: ArraySlice<(lost: Lost, code: EngineMessage)> = []
  /// Whether the authenticator has not been listened to for lack of room.
  @exclusivity(unchecked) private var answersHaveWaited = false
  var lastGeneratedName: UInt64 = 0
  lazy var routes = makeRoutes()
  /// Those who decide logins and are processes; none before anybody is asked for.
  @exclusivity(unchecked) var processes: [AuthenticatorProcess] = []
  /// Whether a child may have exited since they were looked at.
  @exclusivity(unchecked) private var childHasExited = false
  @exclusivity(unchecked) var advance: Advance?
  /// How much a manual clock has moved in all; a restarted authenticator is told.
  var advanced: UInt64 = 0
  /// Whether the engine's time goes on: until all input was taken, or something was given up because there is no more.
  @exclusivity(unchecked) var timeGoesOn = true
  /// Whether all was done that the end of input leads to at once.
  @exclusivity(unchecked) var hasSettledEnd = false
  /// When draining or stopping must be over, by the system's clock.
  @exclusivity(unchecked) var endDeadline: UInt64?

  /// Output is written once there is this much of it, or at the end of a turn.
  static var flushSize: Int { 64 << 10 }
  /// While there is more output than this, nothing is taken that makes more.
  @exclusivity(unchecked) var outputLimit = Engine.usualOutputLimit
  static var usualOutputLimit: Int { 1 << 20 }

  /// How far the input has come.
  enum InputState {
    /// Lines are read.
    case open
    /// No more bytes come; lines that were read are still taken.
    case ended
    /// All lines were taken; attempts in flight may still end.
    case draining
    /// What is left is written, and the authenticator may exit.
    case closing
  }

  /// What happens when a time has come.
  enum Timer {
    case requestTimeout(QuestionID)
    case throttle(QuestionID, Session)
    case poll(ConversationID)
    case expiry(ConversationID)
    case presentation(slot: Int)
    case idle(slot: Int)
  }

  /// A question to an authenticator that has not been answered.
  struct InFlight {
    var session: Session
    var timer: TimerID
    var authenticator: any Authenticator
    /// The conversation that it belongs to, or that it would begin.
    var conversationID: ConversationID
  }

  /// What was lost with an authenticator.
  enum Lost {
    case question(QuestionID)
    /// None of its questions is in flight.
    case conversation(ConversationID)
  }

  /// A `clock/advance` that is under way.
  struct Advance {
    var target: UInt64
    /// The text of the request's id; `nil` for a notification.
    var id: [UInt8]?
    var isInBatch: Bool
    /// The number of the question to the authenticator that comes first.
    var question: ClockQuestionID?
  }

  init(_ options: EngineOptions, catalog: FlowCatalog, loop: EventLoop, input: Int32, output: Int32) {
    self.options = options
    self.catalog = catalog
    self.loop = loop
    self.input = input
    self.output = output
    log = Log(level: options.logLevel)
    clock = EngineClock(isManual: options.usesManualClock)
    lines = LineBuffer(maximumLineBytes: options.maximumLineBytes)
  }

  // MARK: The loop

  /// Serves until the input has ended and everything was done, or a signal came.
  func run() throws(SystemError) {
    inputWatch = loop.watch(input, .read) { [unowned self] _ in readInput() }
    outputWatch = loop.watch(output, []) { [unowned self] _ in flush() }
    for signal in [Signal.terminate, Signal.interrupt, Signal.hangup] {
      loop.onSignal(signal) { [unowned self] in
        log.write(.info, "stopping at a signal")
        stop()
      }
    }
    loop.onSignal(Signal.child) { [unowned self] in childHasExited = true }
    warnOfUnusedChoices()
    loop.beforeWait = { [unowned self] in prepareToWait() }
    loop.run()
    observer?.finishes()
  }

  /// Takes what was left lying while output was full, writes, and says what to wait for.
  private func prepareToWait() -> Int? {
    for process in processes { process.isFresh = false }
    if !isInterrupted { clock.tick(before: nextDeadline) }
    repeat {
      // Nothing comes between what was interrupted.
      answerAbandoned()
      finishBatch()
      fireTimers(until: clock.now)
      continueAdvance()
      settleEnd()
      careForProcesses()
      takeAnswersInTime()
      answerAbandoned()
      fireTimers()
      continueAdvance()
      takeLines()
      flush()
    } while hasWorkLeft
    progressTowardsEnd()
    if let inputWatch { loop.setInterest(inputWatch, canRead ? .read : []) }
    if let outputWatch { loop.setInterest(outputWatch, updates.output.isEmpty ? [] : .write) }
    for process in processes { process.setReading(canTakeAnswers) }
    return hasWorkLeft ? 0 : timeToWait()
  }

  /// Whether something can be done at once, now that output was written.
  private var hasWorkLeft: Bool {
    hasRoom
      && (isInterrupted || processes.contains { $0.hasStalledAnswers }
        || (canTakeLines && (batch != nil || hasStalledLines)))
  }

  /// Whether something that happens in one go has begun and waits for room: telling what was lost, a batch, the timers of one deadline, a clock that is moved, the
  /// end of the input. Nothing else happens meanwhile, and no time passes, so that what happens does not depend on how fast the output is read.
  var isInterrupted: Bool {
    if !abandoned.isEmpty || (inputState == .draining && !hasSettledEnd) { return true }
    if let advance { return advance.question == nil }
    if batch != nil, inputState != .closing, !(options.isLockstep && !attempts.isEmpty) { return true }
    return !clock.isStopped && timers.nextDeadline.map { $0 <= clock.now } ?? false
  }

  /// Whether there is room for more output.
  var hasRoom: Bool { updates.output.count < outputLimit }

  /// Whether the next line or entry of a batch may be taken.
  var canTakeLines: Bool {
    hasRoom && advance == nil && !(options.isLockstep && !attempts.isEmpty) && inputState != .closing
  }

  /// Whether input may be read. While lines wait for what is in flight, only as far as there is room: the input's end is to be noticed.
  var canRead: Bool {
    inputState == .open && hasRoom && (canTakeLines && !hasStalledLines || !lines.isFull)
  }

  /// Whether lines were read that could not be taken.
  @exclusivity(unchecked) var hasStalledLines = false

  private func timeToWait() -> Int? {
    var next = endDeadline.map { wait(until: $0, from: MonotonicClock.now()) }
    for process in processes {
      if let time = process.complaints?.nextSystemTime {
        next = min(next ?? .max, wait(until: time, from: MonotonicClock.now()))
      }
    }
    if hasRoom, !clock.isStopped, let time = nextDeadline {
      next = min(next ?? .max, wait(until: time, from: clock.now))
    }
    return next
  }

  private func wait(until time: UInt64, from now: UInt64) -> Int {
    time > now ? Int(min(time - now, 86_400_000)) : 0
  }

  /// Notices processes that have exited, and starts those that have to be.
  private func careForProcesses() {
    for process in processes {
      if childHasExited || process.leftToRead != nil { process.noticeExit() }
      // Where time stands still there is no later to wait for.
      if !timeGoesOn { process.progress() }
      process.complaints?.tellDropped()
    }
    childHasExited = false
  }

  /// Takes what authenticators have said while there was no room for it, before a timer can say that it was silent.
  private func takeAnswersInTime() {
    for process in processes {
      if process.hasStalledAnswers { process.takeAnswers() }
      if answersHaveWaited, canTakeAnswers { process.readAnswers() }
    }
    answersHaveWaited = !canTakeAnswers
  }
}
