import JSONCodec
import LoginProtocol

/// Writes a transcript of a run: the inputs in the order in which the engine handled them, each
/// followed by its results.
///
/// Everything is passed in without secrets, so the transcript contains none and can still be
/// replayed.
final class Recorder {
  private let options: RecordingOptions
  private var file: TranscriptFile
  private var steps = StepList()
  private var time: RecordedTime
  private var latest = LatestEvent()
  private var batch: RecordedBatch?
  private var end = RecordedEnd()
  /// The authenticators whose process could not be started at the last attempt.
  private var unavailable: Set<AuthenticatorName> = []
  /// A `clock/advance` that waits until the authenticators have moved their clocks.
  private var waitingAdvance: [UInt8]?

  /// What is known about the latest event, apart from its steps.
  private struct LatestEvent {
    /// The authenticators that were asked a question during the event.
    var asked: Set<AuthenticatorName> = []
    /// Whether the event happened only because time has passed.
    var isTime = false
  }

  /// What is known about the end of the run.
  private struct RecordedEnd {
    var inputHasEnded = false
    /// Whether the engine was stopped while unhandled input waited for an answer. If not, the input
    /// waited only for room in the output.
    var keepsUnhandled = false
    /// Whether a replay of the steps can reach the point at which the engine ended.
    var canBeComplete = true
  }

  /// Empties the recording's file and writes its header.
  init(_ file: consuming ObservationFile, _ options: RecordingOptions) {
    self.options = options
    self.file = TranscriptFile(file, options)
    time = RecordedTime(start: options.start.steady, isManual: options.isClockManual)
  }

  /// Whether a write to the recording failed.
  var hasFailed: Bool { file.hasFailed }

  func spare(_ files: [ProtectedFile]) { file.spare(files) }

  // MARK: Events

  /// Begins an event. All results of the previous event have been recorded by now.
  private func begin(_ now: Moment) {
    steps.beginEvent()
    latest = LatestEvent()
    guard !steps.holdsInputs else { return }
    let passed = time.move(to: now.steady)
    if passed > 0 { steps.append(.advance(passed)) }
  }

  private func begin(_ step: TranscriptStep, _ now: Moment) {
    begin(now)
    steps.append(step)
  }

  private func beginInput(_ step: TranscriptStep, _ now: Moment) {
    begin(now)
    steps.appendInput(step)
  }

  /// Writes the steps before the engine's output is written, so that a reader who has seen the
  /// output finds it in the recording even if the engine is killed. Steps of unfinished work are
  /// not written yet, because another step may still have to precede them.
  func outputIsReady(isInterrupted: Bool) { if steps.isComplete, !isInterrupted { writeOut() } }

  private func writeOut() {
    let lines = steps.removeAll()
    if !lines.isEmpty { file.append(lines) }
  }

  // MARK: Input

  func message(_ text: [UInt8], isInBatch: Bool, waitsForClock: Bool, _ now: Moment) {
    let text = ClockCall.renamed(text, unless: options.isClockManual)
    if isInBatch, batch != nil {
      steps.resumeBatch()
      batch?.append(text)
      // An answer to a question of the batch must not precede the batch.
      if waitsForClock, batch?.hasAsked == false { steps.holdBatch() }
    } else if waitsForClock {
      waitingAdvance = text
    } else {
      beginInput(.input(text), now)
    }
  }

  /// Records the waiting `clock/advance` when the clock moves, and not when the view requested it:
  /// what the authenticators wrote in between belongs to the earlier time.
  func clockMoves(_ now: Moment) {
    steps.resumeBatch()
    guard let text = waitingAdvance else { return }
    waitingAdvance = nil
    beginInput(.input(text), now)
  }

  /// Records an unreadable line.
  ///
  /// - Parameter id: the JSON text of the reply's id in the recording; empty for `null`.
  func unreadableLine(_ line: UnreadableLine, id: [UInt8], _ now: Moment) {
    let step = id.withUnsafeBytes {
      Substitute.step(for: line, recordedID: $0, maximumLineBytes: options.maximumLineBytes)
    }
    beginInput(step, now)
    if case .unterminated = line.reason { endInput() }
  }

  func refusedBatch(entries: Int, _ now: Moment) {
    // As many entries as the refused batch had, but at most one more than the limit.
    let count = min(entries, options.maximumBatchEntries + 1)
    beginInput(.input(Array("[\(Array(repeating: "0", count: count).joined(separator: ","))]".utf8)), now)
  }

  func batchBegan(_ now: Moment) {
    begin(now)
    if !steps.holdsInputs { writeOut() }
    steps.beginBatch()
    batch = RecordedBatch()
  }

  /// Records the end of a batch.
  ///
  /// - Parameter unhandled: messages of the batch that were not handled, without secrets.
  func batchEnded(unhandled: [[UInt8]]) {
    guard var ended = batch else { return }
    batch = nil
    // The entries that were not handled must be in the recorded batch too: a replay waits at the
    // same entry and does not handle them either.
    if end.keepsUnhandled {
      for text in unhandled { ended.append(ClockCall.renamed(text, unless: options.isClockManual)) }
    }
    steps.endBatch(.input(ended.line))
  }

  func inputEnded(_ now: Moment) {
    guard !end.inputHasEnded else { return steps.releaseInputs() }
    if steps.holdsInputs {
      endInput()
      steps.insertHeld(.end)
      steps.releaseInputs()
    } else {
      begin(.end, now)
      endInput()
    }
  }

  private func endInput() {
    end.inputHasEnded = true
    time.stop()
  }

  // MARK: Time and output

  /// Records that something happens only because time has passed.
  func deadlineReached(_ now: Moment) {
    guard time.usesSteps, !steps.holdsInputs else { return begin(now) }
    let passed = time.move(to: now.steady)
    // One step that moves the clock fires all timers of one deadline.
    if passed == 0, latest.isTime, steps.latestHasSteps { return }
    begin(.advance(passed), now)
    latest.isTime = true
  }

  func timerFires(_ now: Moment) {
    // A step of its own moves a manual clock.
    if !options.isClockManual { deadlineReached(now) }
  }

  func output(_ text: [UInt8], isClockMoving: Bool, ignoring pointers: String?, _ now: Moment) {
    // A reply without a moving clock means that the `clock/advance` was refused.
    if !isClockMoving { clockMoves(now) }
    steps.append(.output(text, ignoring: pointers))
  }

  // MARK: Authenticators

  func question(_ text: [UInt8], to name: AuthenticatorName) {
    latest.asked.insert(name)
    batch?.hasAsked = true
    steps.append(.question(text, to: name))
  }

  func answer(_ step: TranscriptStep, _ now: Moment) { begin(step, now) }

  func authenticator(_ event: AuthenticatorEvent, _ name: AuthenticatorName, _ now: Moment) {
    switch event {
    case .started:
      recordStartTime(now)
      if unavailable.remove(name) != nil { steps.precede(.fault("available", of: name)) }
    case .unavailable:
      recordStartTime(now)
      if unavailable.insert(name).inserted { steps.precede(.fault("unavailable", of: name)) }
    case .inputFull:
      let fault = TranscriptStep.fault("stopReading", of: name)
      // The questions that this event sent to the authenticator precede the fault.
      if latest.asked.contains(name) { steps.append(fault) } else { steps.precede(fault) }
    case .inputDrained: begin(.fault("resumeReading", of: name), now)
    case .inputClosed: steps.precede(.fault("closeInput", of: name))
    case .exited(let isClosing): if !isClosing { begin(.fault("exit", of: name), now) }
    case .wroteNonJSON(let isClosing):
      if !isClosing { begin(.rawAnswer(Array("not JSON".utf8), from: name), now) }
    case .wroteTooLong(let maximum, let isClosing):
      if !isClosing { begin(.rawAnswer([], length: maximum + 1, from: name), now) }
    }
  }

  /// Records the time at which a process is started, since that may happen only because time has
  /// passed.
  private func recordStartTime(_ now: Moment) { if time.isBehind(now.steady) { deadlineReached(now) } }

  // MARK: End

  func drainTimeout(isDraining: Bool, _ now: Moment) {
    file.noteDrainTimeout()
    if !isDraining { holdInputs(now) }
  }

  /// Records that the next events happen only because the input has ended, although some lines are
  /// not handled yet. So these lines and the end of input precede those events in the transcript.
  func holdInputs(_ now: Moment) {
    guard !steps.holdsInputs, !end.inputHasEnded else { return }
    begin(now)
    steps.holdInputs()
  }

  func stopped(_ stop: Stop, _ now: Moment) {
    end.keepsUnhandled = stop.keepsUnhandled
    if let advance = stop.abandonedAdvance {
      steps.resumeBatch()
      if case .inBatch = advance { batch?.removeLatest() }
      waitingAdvance = nil
    }
    guard steps.holdsInputs else { return begin(.terminate, now) }
    // The input had ended, and lines are left that the engine will not handle.
    endInput()
    if stop.keepsUnhandled {
      // A replay waits at the first unhandled line as well, whatever the line contains.
      steps.insertHeld(.input(Array("null".utf8)))
      steps.insertHeld(.end)
      steps.releaseInputs()
      begin(.terminate, now)
    } else {
      // There is no line at which a replay would stop as the engine did.
      steps.insertHeld(.end)
      steps.releaseInputs()
      end.canBeComplete = false
    }
  }

  /// Writes the remaining steps. Call once the engine is finished.
  func finish() {
    writeOut()
    file.finish(isComplete: end.canBeComplete)
  }
}
