import LoginMachine
public import LoginProtocol

/// How an engine comes to its end.
extension EngineCore {
  /// How long a slow reader or an authenticator's exit is waited for when there is to be no wait, in milliseconds: one that does as it is told has time
  /// enough.
  private static var shortestEnd: UInt64 { 2000 }

  /// How long what is left may take once nothing more is asked, in milliseconds: output that is read slowly after a signal, and authenticators that have
  /// something to finish, such as mails. One promise for all of them.
  private var endTimeout: UInt64 { max(EngineCore.shortestEnd, configuration.drainTimeout) }

  /// Whether everything is over: nothing is left to hand in, run or write.
  public var isFinished: Bool { input.isFinished }

  /// The engine is to end: nothing more is taken, what is pending is cancelled, what was said is written, and authenticators may finish what they have. An
  /// authenticator that is being started counts as one that cannot be.
  ///
  /// All of that takes at most as long as the drain timeout. If it is said again, it takes at most two seconds more.
  public func stop(at moment: Moment) {
    passTime(to: moment)
    guard input.stage != .closing else { return time.limitEnd(to: EngineCore.shortestEnd) }
    cutShort()
  }

  /// Nobody reads the output any more, so that nothing more is to be done for it.
  func readerIsGone(at moment: Moment) {
    passTime(to: moment)
    if input.stage != .closing { cutShort() }
  }

  private func cutShort() {
    giveUpStarts()
    finishInterrupted()
    // What was finished may have started another.
    giveUpStarts()
    tell(.stopped(Stop(keepsUnhandled: waitsForAnswers, abandonedAdvance: abandonedAdvance)))
    time.stop()
    cancelConversations { _ in true }
    for id in questions.ids { cancel(id) }
    // A clock that waits for an authenticator's is not moved any more.
    if time.advance?.questions.isEmpty == false { time.endAdvance() }
    endSubmits()
    writeDelayedReply()
    endBatch()
    input.close()
    // A reader that is slow must not keep it for ever.
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

  /// Ends an authenticator that has had its time. The accounts, which a command may have within, then lose mails.
  private func kill(_ link: AuthenticatorLink) {
    log.write(.warning, "authenticator \(link.name.text) took too long to end and is killed; mails may be lost")
    request(.stop(link.id, reason: "took too long to end", isExpected: true))
  }

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
    for id in questions.backgroundIDs { cancel(id) }
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
    time.giveUpClockQuestions()
    continueAdvance()
  }
}
