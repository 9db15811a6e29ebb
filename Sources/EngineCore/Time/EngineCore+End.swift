import LoginMachine
public import LoginProtocol

/// The shutdown of an engine.
extension EngineCore {
  /// The least time that the engine waits for a slow reader of its output, or for an authenticator
  /// to exit, in milliseconds, even if the configured time is shorter. It suffices for a process
  /// that exits when its input ends.
  private static var shortestEnd: UInt64 { 2000 }

  /// How long the rest of the shutdown may take after the last question was asked, in milliseconds.
  /// This one limit applies to both causes of delay: output that is read slowly after a signal, and
  /// authenticators that have work to finish, such as sending mails.
  private var endTimeout: UInt64 { max(EngineCore.shortestEnd, configuration.drainTimeout) }

  /// Whether the engine is finished: no input is accepted any more, and there is nothing left to
  /// run or to write.
  public var isFinished: Bool { input.isFinished }

  /// Stops the engine: input is ignored, pending work is cancelled, the output is written, and
  /// authenticators may finish their work. An authenticator that is being started counts as
  /// unavailable.
  ///
  /// The shutdown takes at most the drain timeout, but at least two seconds are allowed for it. A
  /// second call limits the rest of the shutdown to two seconds.
  public func stop(at moment: Moment) {
    passTime(to: moment)
    guard input.stage != .closing else { return time.limitEnd(to: EngineCore.shortestEnd) }
    beginShutdown()
  }

  /// Stops the engine because the reader of its output is gone, and no result could be delivered to
  /// it.
  func handleReaderGone(at moment: Moment) {
    passTime(to: moment)
    if input.stage != .closing { beginShutdown() }
  }

  private func beginShutdown() {
    giveUpStarts()
    finishInterrupted()
    // The interrupted work may have requested to start another authenticator.
    giveUpStarts()
    emit(.stopped(Stop(keepsUnhandled: waitsForAnswers, abandonedAdvance: abandonedAdvance)))
    time.stop()
    cancelConversations { _ in true }
    for id in questions.ids { cancel(id) }
    // A `clock/advance` that still waits for an authenticator to move its clock is abandoned.
    if time.advance?.questions.isEmpty == false { time.endAdvance() }
    endSubmits()
    writeDelayedReply()
    endBatch()
    input.close()
    // Limit how long a slow reader may take.
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

  /// Finishes all interrupted work except a batch, even if the output has no room.
  private func finishInterrupted() {
    output.liftLimit()
    resume(withBatch: false)
    output.restoreLimit()
  }

  /// Continues the shutdown, if the input has ended.
  func progressTowardsEnd(at moment: Moment) {
    time.note(moment)
    switch input.stage {
    case .open: return
    case .ended:
      // The remaining lines wait for answers, whose time is limited, or for the reader of the
      // output, whose time is not.
      if isBusy, hasRoom { enforceDrainTimeout() } else { time.forgetEnd() }
    case .draining:
      guard input.hasSettledEnd else { return }
      cancelWaitsForUsers()
      if isBusy { enforceDrainTimeout() }
      guard !isBusy else { return }
      input.close()
      // A slow reader gets all of the output: the time limit does not apply to it.
      time.forgetEnd()
      progressTowardsEnd(at: moment)
    case .closing: close()
    }
  }

  /// Whether everything was written, so that `progressTowardsEnd` can close the authenticators'
  /// inputs or finish.
  var canClose: Bool {
    guard input.stage == .closing, !input.isFinished, output.isEmpty else { return false }
    return !authenticators.contains { $0.isRunning && $0.isEnding }
  }

  /// Once everything was written, closes the authenticators' inputs. Finishes when all
  /// authenticators have exited or have taken too long.
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

  /// Kills an authenticator that took too long to exit. Mails may be lost if the authenticator is
  /// the program of the accounts or a wrapper that runs it.
  private func kill(_ link: AuthenticatorLink) {
    log.write(.warning, "authenticator \(link.name.text) took too long to end and is killed; mails may be lost")
    request(.stop(link.id, reason: "took too long to end", isExpected: true))
  }

  /// Runs the immediate consequences of the end of input, as long as the output has room.
  func settleEnd() {
    guard input.isSettlingEnd, !questions.hasFailures else { return }
    releaseTransitions()
    guard sessions.presenting.isEmpty else { return }
    input.settleEnd()
    cancelWaitsForUsers()
  }

  /// After the end of input, cancels everything that would have to wait for users: background
  /// requests, and conversations in which the user would have to meet a challenge. A conversation
  /// continues if the user's answer was sent to the authenticator before.
  func cancelWaitsForUsers() {
    for id in questions.backgroundIDs { cancel(id) }
    cancelConversations { $0.machine.isWaiting || $0.machine.ending?.questionID == nil }
  }

  /// Whether the shutdown has to wait for answers, a `clock/advance`, views that are presenting an
  /// update, or an authenticator that is being started.
  private var isBusy: Bool {
    questions.areAwaited || time.advance != nil || !sessions.presenting.isEmpty || input.hasDelayedReply
  }

  /// After the end of input, gives up all pending work as soon as the drain timeout has passed.
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
