import EngineCore
import JSONCodec
import LoginProtocol

/// A simulated world: an engine core, its views, its authenticators and its clock in one process.
/// It changes only when a step is performed.
final class World {
  let plan: WorldPlan
  let core: EngineCore
  let lawChecker: LawChecker
  @exclusivity(unchecked) var authenticators: [SimulatedAuthenticator]
  @exclusivity(unchecked) private(set) var moment: Moment
  /// The random numbers that decide where bytes are cut in transit. The output must not depend on
  /// them.
  @exclusivity(unchecked) var cuts: SimulationRandom
  @exclusivity(unchecked) private var isOutputBlocked = false
  @exclusivity(unchecked) private var isOutputClosed = false
  @exclusivity(unchecked) private var input = InputPipe()
  /// Whether the engine was told to stop.
  @exclusivity(unchecked) private(set) var isStopped = false
  /// The hash of everything that the core has written.
  @exclusivity(unchecked) private(set) var written = RunningHash()
  private let isObserved: Bool
  /// Whether the last performed step was a late answer that was really sent.
  @exclusivity(unchecked) private(set) var didReplyLate = false
  private let logCheck: LogCheck
  @exclusivity(unchecked) private var savedCheck: SavedCheck
  /// How many changes of sessions could have been checked by saving the session. Only every 32nd of
  /// these changes is checked.
  private var changes = 0
  private static var changesPerSave: Int { 32 }
  @exclusivity(unchecked) private(set) var violation: LawViolation?

  /// Creates a world in which no step has been performed.
  ///
  /// - Parameter isObserved: whether a `LawChecker` observes the core and checks the laws. If not,
  ///   only the bytes that the core writes are of interest.
  init(_ plan: WorldPlan, cutSeed: UInt64, isObserved: Bool) throws(LawViolation) {
    self.plan = plan
    self.isObserved = isObserved
    lawChecker = LawChecker(plan)
    cuts = SimulationRandom(seed: cutSeed)
    moment = Moment(steady: 1_000_000, utc: 1_900_000_000_000)
    let logCheck = LogCheck()
    self.logCheck = logCheck
    savedCheck = SavedCheck(plan)
    core = EngineCore(
      plan.configuration, catalog: try plan.catalog(), at: moment,
      log: EngineLog(level: .debug) { _, text in logCheck.check(text) })
    authenticators = core.profiles.map { SimulatedAuthenticator($0) }
    if isObserved { core.observe(with: lawChecker) }
  }

  /// The hashes of the output and of each authenticator's input. They must not depend on where
  /// bytes are cut, nor on whether the core is observed.
  var digest: [RunningHash] { [written] + authenticators.map(\.heard) }

  func fail(_ law: Law, _ text: @autoclosure () -> String) {
    if violation == nil { violation = LawViolation(law, text()) }
  }

  /// Throws the first violation of a law that was found, if there is one.
  func check() throws(LawViolation) {
    if let violation = lawChecker.violation ?? violation { throw violation }
    if let fault = logCheck.fault { throw LawViolation(.noSecretLeaves, fault) }
  }

  // MARK: Steps

  func perform(_ step: Step) throws(LawViolation) {
    didReplyLate = false
    switch step.event {
    case .input(let bytes): write(bytes)
    case .reply(let index, let bytes): reply(index, bytes)
    case .lateReply(let index, let question, let bytes): try replyLate(index, question, bytes)
    case .exit(let index): exit(index)
    case .closeInput(let index): closeInput(index)
    case .stopReading(let index): if exists(index) { authenticators[index].isReading = false }
    case .resumeReading(let index): resumeReading(index)
    case .setAvailable(let index, let isAvailable):
      if exists(index) { authenticators[index].isAvailable = isAvailable }
    case .time(let milliseconds): moment = Moment(steady: moment.steady + milliseconds, utc: moment.utc + milliseconds)
    case .stopOutput: isOutputBlocked = true
    case .resumeOutput: isOutputBlocked = false
    case .endInput: endInput()
    case .stop: stop()
    case .closeOutput: closeOutput()
    }
    if step.runs { run() } else { runEffects() }
    try check()
    if isObserved, step.runs { try checkSaved() }
  }

  /// Checks `Law.noLostWork`: a session that has changed can be moved to another engine.
  private func checkSaved() throws(LawViolation) {
    // A session cannot be compared with its saved copy while output or other work is pending.
    guard !core.hasOutput, core.timeToWait != 0, !core.tableCounts.isBusy else { return }
    for session in lawChecker.takeChanged() {
      // Moving a session costs as much as many steps, so only every 32nd change is checked. Over
      // many worlds these cover all states.
      changes += 1
      if changes.isMultiple(of: World.changesPerSave) { try savedCheck.check(session, of: core) }
    }
  }

  func exists(_ index: Int) -> Bool { authenticators.indices.contains(index) }

  private func write(_ bytes: [UInt8]) {
    for line in input.write(bytes) { lawChecker.sent.append(line) }
  }

  private func reply(_ index: Int, _ bytes: [UInt8]) {
    guard exists(index), authenticators[index].isRunning else { return }
    authenticators[index].pending.append(bytes)
    authenticators[index].isMidLine = bytes.last != 0x0A
    settle(bytes, &authenticators[index].book)
  }

  /// Closes the questions in `book` that the given lines answer.
  func settle(_ bytes: [UInt8], _ book: inout QuestionBook) {
    for number in AnswerWriter.answered(in: bytes) { book.settle(number) }
  }

  /// Performs a late answer and checks `Law.lateIsHarmless`: the answer must change neither the
  /// output nor what authenticators are sent.
  private func replyLate(_ index: Int, _ question: UInt64, _ bytes: [UInt8]) throws(LawViolation) {
    guard exists(index), authenticators[index].isRunning, !isOutputBlocked else { return }
    // Finish everything that came before.
    run()
    try check()
    // An unobserved repetition of the run sends the answer without checking these conditions, which
    // can depend on where bytes are cut. The step is in its list only if the first run sent the
    // answer.
    guard isObserved else { return reply(index, bytes) }
    let isIdle = input.isEmpty && authenticators.allSatisfy { $0.pending.isEmpty } && !core.hasOutput
    guard isIdle, core.wantsReplies, authenticators[index].isRunning,
      !authenticators[index].isMidLine, authenticators[index].book.over.contains(question)
    else { return }
    didReplyLate = true
    let before = digest
    reply(index, bytes)
    run()
    try check()
    if digest != before { throw LawViolation(.lateIsHarmless, "a late answer to question \(question) has an effect") }
  }

  private func exit(_ index: Int) {
    guard exists(index), authenticators[index].isRunning else { return }
    let id = authenticators[index].profile.id
    authenticators[index].end()
    core.authenticatorEnded(id, at: moment)
    runEffects()
  }

  private func closeInput(_ index: Int) {
    guard exists(index) else { return }
    authenticators[index].isInputOpen = false
    // If the core waits for room in the pipe, report to it that the authenticator has closed the
    // pipe.
    if authenticators[index].isWaitingForRoom { send(index) }
  }

  private func resumeReading(_ index: Int) {
    guard exists(index) else { return }
    authenticators[index].isReading = true
    if authenticators[index].isWaitingForRoom { send(index) }
  }

  private func endInput() {
    if let line = input.end() { lawChecker.sent.append(line) }
  }

  private func stop() {
    isStopped = true
    core.stop(at: moment)
    runEffects()
    lawChecker.isEnding = true
  }

  private func closeOutput() {
    isOutputClosed = true
    isOutputBlocked = false
  }

  var isInputPending: Bool { !input.isEmpty }

  // MARK: The core's turn

  /// Runs turns of the core, and passes waiting input on to it, until it has no more work.
  func run() {
    var turns = 0
    repeat {
      turn()
      turns += 1
      if turns > 20_000 { return fail(.total, "the core never becomes idle") }
    } while violation == nil && lawChecker.violation == nil && feed()
    lawChecker.flushUnlessInBatch()
    if !core.wantsReplies { hasWaited = true }
  }

  /// Whether the core ever had to wait for the reader of its output. After such a wait, the order
  /// in which the core handles input and replies depends on how much it had read before the wait.
  @exclusivity(unchecked) private(set) var hasWaited = false

  private func turn() {
    var rounds = 0
    do throws(LawViolation) {
      try core.turn(
        at: moment, runEffects: runEffects,
        pollAuthenticators: { () throws(LawViolation) in
          rounds += 1
          if rounds > 100_000 { throw LawViolation(.total, "the core always has work") }
          // The driver reads waiting replies at this point.
          if hasWaited, core.wantsReplies, let index = waitingAuthenticator { feed(index) }
        }, write: writeOutput)
    } catch {
      fail(error.law, error.text)
    }
  }

  /// The index of the first authenticator that has written something that the core has not read;
  /// `nil` if there is none.
  private var waitingAuthenticator: Int? { authenticators.indices.first { !authenticators[$0].pending.isEmpty } }

  /// Passes one piece of waiting input to the core, from an authenticator or from the view, if the
  /// core accepts it. Returns whether there may be more work.
  private func feed() -> Bool {
    // Authenticators are read before the view, so that the order does not depend on where bytes are
    // cut.
    if core.wantsReplies, let index = waitingAuthenticator {
      feed(index)
      return true
    }
    if core.wantsInput, let bytes = input.popFirst() {
      feedInput(bytes)
      return true
    }
    if input.takeEnd() {
      core.endInput(at: moment)
      runEffects()
      return true
    }
    return core.hasOutput && !isOutputBlocked
  }

  private func feedInput(_ bytes: [UInt8]) {
    let count = cuts.chance(3) ? 1 + cuts.below(bytes.count) : bytes.count
    let taken = bytes[..<count].withUnsafeBytes { core.receive($0, at: moment) }
    input.prepend(bytes[taken...])
  }

  private func feed(_ index: Int) {
    let pending = authenticators[index].pending
    var taken = 0
    _ = core.receive(from: authenticators[index].profile.id, at: moment) { memory in
      taken = pending.withBytes { bytes in
        let room = UnsafeRawBufferPointer(rebasing: bytes.prefix(memory.count))
        // Pass on at most one line: other lines may wait for it, and the core may handle these
        // before the next one.
        let line = firstOffset(of: "\n", in: room).map { $0 + 1 } ?? room.count
        let count = min(line, cuts.chance(3) ? 1 + cuts.below(line) : line)
        memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: room[..<count]))
        return count
      }
      return taken
    }
    authenticators[index].pending.removeFirst(taken)
    runEffects()
  }

  private func writeOutput() {
    core.writeOutput(at: moment) { bytes in
      if isOutputClosed { return .closed(reason: "nobody reads the output any more") }
      if isOutputBlocked || cuts.chance(40) { return .full }
      let count = cuts.chance(4) ? 1 + cuts.below(bytes.count) : bytes.count
      written.append(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
      return .wrote(count)
    }
    runEffects()
  }
}
