import LoginMachine
public import LoginProtocol

/// The shutdown of an engine.
extension EngineCore {
  /// The shortest time for a slow reader or an authenticator's exit, in milliseconds, if no wait is
  /// configured. It suffices for a process that exits when it is told to.
  private static var shortestEnd: UInt64 { 2000 }

  /// The longest time for the rest of the shutdown once no more questions are asked, in
  /// milliseconds: for output that is read slowly after a signal, and for authenticators that have
  /// work to finish, such as mails. One limit for all of it.
  private var endTimeout: UInt64 { max(EngineCore.shortestEnd, configuration.drainTimeout) }

  /// Whether the engine is finished: nothing is left to pass in, run or write.
  public var isFinished: Bool { input.isFinished }

  /// Stops the engine: input is ignored, pending work is cancelled, the output is written, and
  /// authenticators may finish their work. An authenticator that is being started counts as
  /// unavailable.
  ///
  /// The shutdown takes at most the drain timeout. A second call limits the rest to two seconds.
  public func stop(at moment: Moment) {
    passTime(to: moment)
    guard input.stage != .closing else { return time.limitEnd(to: EngineCore.shortestEnd) }
    beginShutdown()
  }

  /// Tells the core that the reader of the output is gone, so that no more work is of use.
  func handleReaderGone(at moment: Moment) {
    passTime(to: moment)
    if input.stage != .closing { beginShutdown() }
  }

  private func beginShutdown() {
    giveUpStarts()
    finishInterrupted()
    // The interrupted work may have requested another start.
    giveUpStarts()
    emit(.stopped(Stop(keepsUnhandled: waitsForAnswers, abandonedAdvance: abandonedAdvance)))
    time.stop()
    cancelConversations { _ in true }
    for id in questions.ids { cancel(id) }
    // An advance that waits for an authenticator's clock does not happen.
    if time.advance?.questions.isEmpty == false { time.endAdvance() }
    endSubmits()
    writeDelayedReply()
    endBatch()
    input.close()
    // Limits the time of a slow reader.
    time.limitEnd(to: endTimeout)
  }

  private func giveUpStarts() {
    authenticators.forEach { link in
      guard link.isStarting else { return }
      effects.removeStart(of: link.id)
      noteUnavailable(link)
    }
  }

  private var abandonedAdvance: Stop.Advance? {
    guard let advance = time.advance, !advance.questions.isEmpty else { return nil }
    return advance.isInBatch ? .inBatch : .alone
  }

  /// Finishes interrupted work, with or without room, except a batch.
  private func finishInterrupted() {
    output.liftLimit()
    resume(withBatch: false)
    output.restoreLimit()
  }

  /// Progresses with the shutdown once the input has ended.
  func progressTowardsEnd(at moment: Moment) {
    time.note(moment)
    switch input.stage {
    case .open: return
    case .ended:
      // The remaining lines wait for answers, or only for the reader.
      if isBusy, hasRoom { enforceDrainTimeout() } else { time.forgetEnd() }
    case .draining:
      guard input.hasSettledEnd else { return }
      cancelWaitsForUsers()
      if isBusy { enforceDrainTimeout() }
      guard !isBusy else { return }
      input.close()
      // A slow reader gets all of the output.
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

  /// Closes the authenticators' inputs once everything was written, and finishes when they have
  /// exited or took too long.
  private func close() {
    if time.isEndDue {
      if !output.isEmpty { log.write(.warning, "output that was not read was discarded") }
      authenticators.forEach { if $0.isRunning { kill($0) } }
      input.finish()
    } else if output.isEmpty {
      authenticators.forEach { link in
        if link.endInput() { request(.endInput(link.id)) }
      }
      if authenticators.contains(where: \.isRunning) {
        time.limitEnd(to: endTimeout)
      } else {
        input.finish()
      }
    }
  }

  /// Kills an authenticator that took too long. If it is the accounts, possibly inside a wrapper,
  /// mails may be lost.
  private func kill(_ link: AuthenticatorLink) {
    log.write(.warning, "authenticator \(link.name.text) took too long to end and is killed; mails may be lost")
    request(.stop(link.id, reason: "took too long to end", isExpected: true))
  }

  /// Runs the consequences of the end of input, as far as there is room.
  func settleEnd() {
    guard input.isSettlingEnd, !questions.hasFailures else { return }
    releaseTransitions()
    guard sessions.presenting.isEmpty else { return }
    input.settleEnd()
    cancelWaitsForUsers()
  }

  /// Cancels what waits for users: no user is left to answer a challenge or to use the form
  /// meanwhile. Answers to a challenge that were sent are still decided.
  func cancelWaitsForUsers() {
    for id in questions.backgroundIDs { cancel(id) }
    cancelConversations { $0.machine.isWaiting || $0.machine.ending?.questionID == nil }
  }

  /// Whether the shutdown waits for anything.
  private var isBusy: Bool {
    questions.areAwaited || time.advance != nil || !sessions.presenting.isEmpty || input.hasDelayedReply
  }

  /// Gives up pending work once it takes too long after the end of input.
  private func enforceDrainTimeout() {
    time.beginEnd(after: configuration.drainTimeout)
    guard time.isEndDue else { return }
    time.forgetEnd()
    log.write(.warning, "what was in flight at the end of input was given up")
    let late = questions.ids
    emit(.drainTimeout(isDraining: input.stage == .draining))
    time.stop()
    for id in late { withdraw(id) }
    failQuestions(late.map { .question($0) }, .timeout)
    time.removeAllClockQuestions()
    continueAdvance()
  }
}
