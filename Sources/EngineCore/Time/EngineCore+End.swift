public import EngineEvents
import LoginForms
import LoginMachine
import LoginProtocol

/// How an engine comes to its end.
extension EngineCore {
  /// How long a slow reader, or an authenticator's exit, is waited for, in milliseconds.
  private static var exitTimeout: UInt64 { 2000 }

  /// Whether everything is over: nothing is left to hand in, run or write.
  public var isFinished: Bool { input.isFinished }

  /// The engine is to end: nothing more is taken, and what was said is written. An authenticator that is being started counts as one that cannot be.
  public func stop(at moment: Moment) {
    passTime(to: moment)
    guard input.stage != .closing else { return time.limitEnd(to: EngineCore.exitTimeout) }
    giveUpStarts()
    finishInterrupted()
    // What was finished may have started another.
    giveUpStarts()
    tell(.stopped(Stop(keepsUnhandled: waitsForAnswers, abandonedAdvance: abandonedAdvance)))
    time.stop()
    cancelConversations { _ in true }
    for id in questions.ids { cancel(id) }
    // A clock that waits for the authenticator's is not moved any more.
    if time.advance?.question != nil { time.endAdvance() }
    endSubmits()
    writeDelayedReply()
    endBatch()
    input.close()
    // A reader that is slow or gone must not keep it.
    time.limitEnd(to: EngineCore.exitTimeout)
  }

  private func giveUpStarts() {
    authenticators.forEach { link in
      guard link.isStarting else { return }
      effects.removeStart(of: link.id)
      noteUnavailable(link)
    }
  }

  private var abandonedAdvance: Stop.Advance? {
    guard let advance = time.advance, advance.question != nil else { return nil }
    return advance.isInBatch ? .inBatch : .alone
  }

  /// What has begun is brought to its end, room or not, but for a batch.
  private func finishInterrupted() {
    output.liftLimit()
    resume(withBatch: false)
    output.restoreLimit()
  }

  /// Goes on towards the end once the input has ended.
  func progressTowardsEnd(at moment: Moment) {
    time.note(moment)
    switch input.stage {
    case .open: return
    case .ended:
      // The lines that are left wait for answers, or only for the reader.
      if isBusy, hasRoom { giveUpInTime() } else { time.forgetEnd() }
    case .draining:
      guard input.hasSettledEnd else { return }
      cancelWhatWaitsForPeople()
      if isBusy { giveUpInTime() }
      guard !isBusy else { return }
      input.close()
      // A slow reader gets everything.
      time.forgetEnd()
      progressTowardsEnd(at: moment)
    case .closing: close()
    }
  }

  /// Whether `progressTowardsEnd` has something to do now that everything was written.
  var canClose: Bool {
    guard input.stage == .closing, !input.isFinished, output.isEmpty else { return false }
    return !authenticators.contains { $0.isRunning && $0.isEnding }
  }

  /// Lets the authenticators exit once everything was written, and ends when they have or took too long.
  private func close() {
    if time.isEndDue {
      if !output.isEmpty { log.write(.warning, "output that nobody has read was given up") }
      if accountsAreRunning { log.write(.warning, "the accounts took too long to end; mails may be lost") }
      authenticators.forEach {
        if $0.isRunning { request(.stop($0.id, reason: "took too long to end", isExpected: true)) }
      }
      input.finish()
    } else if output.isEmpty {
      authenticators.forEach { link in
        if link.endInput() { request(.endInput(link.id)) }
      }
      if authenticators.contains(where: \.isRunning) {
        time.limitEnd(to: accountsAreRunning ? accountsTimeout : EngineCore.exitTimeout)
      } else {
        input.finish()
      }
    }
  }

  /// How long the built-in accounts may take to exit once nothing more is asked, in milliseconds: they may have mails to hand over.
  private var accountsTimeout: UInt64 { max(EngineCore.exitTimeout, configuration.drainTimeout) }

  private var accountsAreRunning: Bool { authenticators.contains { $0.isAccounts && $0.isRunning } }

  /// Does what the end of input leads to, as far as there is room.
  func settleEnd() {
    guard input.isSettlingEnd, !questions.hasLost else { return }
    releaseTransitions()
    guard sessions.presenting.isEmpty else { return }
    input.settleEnd()
    cancelWhatWaitsForPeople()
  }

  /// Nobody is left who could meet a challenge, or use a form meanwhile; what was entered for a challenge is still decided.
  func cancelWhatWaitsForPeople() {
    for id in questions.idsBeside { cancel(id) }
    cancelConversations { $0.machine.isWaiting || $0.machine.ending?.questionID == nil }
  }

  /// Whether anything is waited for.
  private var isBusy: Bool {
    questions.areAwaited || time.advance != nil || !sessions.presenting.isEmpty || input.hasDelayedReply
  }

  /// Gives up what is waited for once it has taken too long since the end of input.
  private func giveUpInTime() {
    time.beginEnd(after: configuration.drainTimeout)
    guard time.isEndDue else { return }
    time.forgetEnd()
    log.write(.warning, "what was in flight at the end of input was given up")
    let late = questions.ids
    tell(.drainTimeout(isDraining: input.stage == .draining))
    time.stop()
    for id in late { withdraw(id) }
    lose(late.map { .question($0) }, .timeout)
    time.clockQuestionIsOver()
    continueAdvance()
  }
}
