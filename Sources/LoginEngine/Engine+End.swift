import EventLoop
import JSONCodec
import LoginForms
import LoginMachine
import LoginProtocol

/// How an engine comes to its end.
extension Engine {
  /// How long a signal or an authenticator's exit is waited for, in milliseconds.
  private static var patience: UInt64 { 2000 }

  /// A signal asks to end: nothing more is taken, and what was said is written.
  func stop() {
    guard inputState != .closing else { return limitPatience() }
    finishInterrupted()
    observer?.stops()
    stopTime()
    callOffConversations { _ in true }
    for attempt in attempts.keys.sorted() { cancel(attempt) }
    // A clock that waits for the authenticator's is not moved any more.
    if advance?.question != nil { advance = nil }
    endBatch()
    inputState = .closing
    // A reader that is slow or gone must not keep it.
    limitPatience()
  }

  /// What has begun is brought to its end, room or not, but for a batch.
  private func finishInterrupted() {
    let limit = outputLimit
    outputLimit = .max
    answerAbandoned()
    fireTimers(until: clock.now)
    continueAdvance()
    settleEnd()
    outputLimit = limit
  }

  /// Goes on towards the end once the input has ended.
  func progressTowardsEnd() {
    switch inputState {
    case .open: return
    case .ended:
      // The lines that are left wait for what is in flight, or only for the reader.
      if isBusy, hasRoom { giveUpInTime() } else { endDeadline = nil }
    case .draining:
      guard hasSettledEnd else { return }
      callOffWhatWaits()
      if isBusy { giveUpInTime() }
      guard !isBusy else { return }
      beginClosing()
      progressTowardsEnd()
    case .closing:
      if isOver {
        if !updates.output.isEmpty { log.write(.warning, "output that nobody has read was given up") }
        if accountsAreBusy { log.write(.warning, "the accounts took too long to end; mails may be lost") }
        for process in processes { process.kill() }
        loop.stop()
      } else if updates.output.isEmpty {
        for process in processes { process.closeInput() }
        if processes.contains(where: \.isRunning) { limitPatience(to: exitPatience) } else { loop.stop() }
      }
    }
  }

  /// Does what the end of input leads to, as far as there is room.
  func settleEnd() {
    guard inputState == .draining, !hasSettledEnd, abandoned.isEmpty else { return }
    releaseTransitions()
    guard waitingSlots.isEmpty else { return }
    hasSettledEnd = true
    callOffWhatWaits()
  }

  /// Nobody is left who could meet a challenge; what was entered for one is still decided.
  func callOffWhatWaits() {
    callOffConversations { $0.machine.isWaiting || $0.machine.ending?.questionID == nil }
  }

  /// Whether anything is in flight.
  private var isBusy: Bool { !attempts.isEmpty || advance != nil || !waitingSlots.isEmpty }

  /// Gives up what is in flight once it has taken too long since the end of input.
  private func giveUpInTime() {
    if endDeadline == nil { endDeadline = MonotonicClock.now() + options.drainTimeout }
    guard isOver else { return }
    endDeadline = nil
    log.write(.warning, "what was in flight at the end of input was given up")
    let late = attempts.keys.sorted()
    observer?.givesUp(isDraining: inputState == .draining)
    stopTime()
    for attempt in late { withdraw(attempt) }
    abandon(late.map { .question($0) }, code: .timeout)
    advance?.question = nil
    continueAdvance()
    flush()
  }

  private var isOver: Bool { endDeadline.map { MonotonicClock.now() >= $0 } ?? false }

  private func beginClosing() {
    inputState = .closing
    // A slow reader gets everything.
    endDeadline = nil
  }

  /// How long the authenticator may take to exit once nothing more is asked, in milliseconds: the built-in accounts may have mails to hand over.
  private var exitPatience: UInt64 {
    accountsAreBusy ? max(Engine.patience, options.drainTimeout) : Engine.patience
  }

  private var accountsAreBusy: Bool { processes.contains { $0.command.isThisProgram && $0.isRunning } }

  private func limitPatience(to milliseconds: UInt64 = Engine.patience) {
    let latest = MonotonicClock.now() + milliseconds
    endDeadline = min(endDeadline ?? latest, latest)
  }
}
