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
  /// The authenticators whose last start failed.
  private var unavailable: Set<AuthenticatorName> = []
  /// A `clock/advance` that waits until the authenticators have moved their clocks.
  private var waitingAdvance: [UInt8]?

  /// The state of the latest event, apart from its steps.
  private struct LatestEvent {
    /// The authenticators that were asked in it.
    var asked: Set<AuthenticatorName> = []
    /// Whether it happened only because time has passed.
    var isTime = false
  }

  /// The state of the end.
  private struct RecordedEnd {
    var inputHasEnded = false
    /// Whether the unhandled entries of a batch waited for more than room when the engine was
    /// stopped.
    var keepsUnhandled = false
    /// Whether the steps can reach the engine's end.
    var canBeComplete = true
  }

  /// Empties the file.
  init(_ file: consuming ObservationFile, _ options: RecordingOptions) {
    self.options = options
    self.file = TranscriptFile(file, options)
    time = RecordedTime(start: options.start.steady, isManual: options.isClockManual)
  }

  /// Whether something could not be written.
  var hasFailed: Bool { file.hasFailed }

  func spare(_ files: [ProtectedFile]) { file.spare(files) }

  // MARK: Events

  /// Begins an event. The results of the former event are complete.
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
  /// output finds it in the recording even if the engine is killed. Unfinished work waits, since a
  /// step may still have to precede others.
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

  /// Records the `clock/advance` now and not when it was requested: earlier output of the
  /// authenticator came at the earlier time.
  func clockMoves(_ now: Moment) {
    steps.resumeBatch()
    guard let text = waitingAdvance else { return }
    waitingAdvance = nil
    beginInput(.input(text), now)
  }

  /// - Parameter id: the JSON text of the reply's id in the recording; empty for `null`.
  func unreadableLine(_ line: UnreadableLine, id: [UInt8], _ now: Moment) {
    let step = id.withUnsafeBytes {
      Substitute.step(for: line, recordedID: $0, maximumLineBytes: options.maximumLineBytes)
    }
    beginInput(step, now)
    if case .unterminated = line.reason { endInput() }
  }

  func refusedBatch(entries: Int, _ now: Moment) {
    // The same number, up to one too many.
    let count = min(entries, options.maximumBatchEntries + 1)
    beginInput(.input(Array("[\(Array(repeating: "0", count: count).joined(separator: ","))]".utf8)), now)
  }

  func batchBegan(_ now: Moment) {
    begin(now)
    if !steps.holdsInputs { writeOut() }
    steps.beginBatch()
    batch = RecordedBatch()
  }

  /// - Parameter unhandled: messages of the batch that were not handled, without secrets.
  func batchEnded(unhandled: [[UInt8]]) {
    guard var ended = batch else { return }
    batch = nil
    // Entries that were not handled because the batch waited are not handled in a replay either,
    // but they have to be there.
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
    // The advance was refused.
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
      // The questions of this event were written before.
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

  /// Records the time of a start, which may happen only because time has passed.
  private func recordStartTime(_ now: Moment) { if time.isBehind(now.steady) { deadlineReached(now) } }

  // MARK: End

  func drainTimeout(isDraining: Bool, _ now: Moment) {
    file.noteDrainTimeout()
    if !isDraining { holdInputs(now) }
  }

  /// Records that what follows happens only because the input has ended, although lines are left.
  /// So these lines and the end come first in the transcript.
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
    // Lines were left that the engine will not handle, and the input had ended.
    endInput()
    if stop.keepsUnhandled {
      // A replay waits at the first of them as well, whatever it is.
      steps.insertHeld(.input(Array("null".utf8)))
      steps.insertHeld(.end)
      steps.releaseInputs()
      begin(.terminate, now)
    } else {
      // No line makes a replay stop here.
      steps.insertHeld(.end)
      steps.releaseInputs()
      end.canBeComplete = false
    }
  }

  /// Writes what is left. Call once the engine is finished.
  func finish() {
    writeOut()
    file.finish(isComplete: end.canBeComplete)
  }
}
