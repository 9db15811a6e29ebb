import JSONCodec
import LoginMachine
import LoginProtocol

/// Views with transitions, which acknowledge the updates that they have presented.
extension EngineCore {
  /// Queues the update to a session's current state, and writes all queued updates for which the
  /// view is ready.
  func queueUpdate(of session: Session, edited: Int?, _ transitions: Session.Transitions) {
    transitions.queue.append(output.updates.frame(of: &session.machine), edited: edited)
    writeWaiting(of: session, transitions)
  }

  /// Writes the queued updates of a session, up to the first one that must not be written before
  /// the view acknowledges an earlier one.
  private func writeWaiting(of session: Session, _ transitions: Session.Transitions) {
    while output.updates.writeNext(
      of: &transitions.queue, session: session.id, detail: session.detail,
      { template(in: $0, of: session) }) != nil
    {
      if isEnding { transitions.queue.stopWaiting() }
    }
    guard transitions.queue.awaited != nil else { return }
    if transitions.startTimer(inSlot: session.slot, &time) { sessions.notePresenting(true, inSlot: session.slot) }
  }

  /// Whether the input is over, so that views send no more acknowledgements.
  var isEnding: Bool { input.stage == .draining || input.stage == .closing }

  func presented(_ call: Call, _ parameters: Parameters, _ document: borrowing JSONDocument) throws(RPCError) {
    let session = try session(parameters, document)
    guard let revision = try parameters.optionalNumber(.revision, document) else {
      throw .invalidParams(.revision, "Give the revision that is shown now, as a whole number.")
    }
    let written = session.transitions?.queue.written.revision ?? session.machine.revision
    guard revision <= written else {
      throw .invalidParams(.revision, "This revision was not written yet; the last one is \(written).")
    }
    session.lastActive = time.now
    if let transitions = session.transitions, transitions.queue.present(revision) {
      transitions.noteReport()
      endWaiting(of: session, transitions)
      writeWaiting(of: session, transitions)
      updateTimeout(of: session)
    }
    reply(to: call, session)
  }

  /// Stops waiting for the acknowledgement of a view that took too long to present an update, and
  /// sends it the next updates.
  func endPresentation(of session: Session) {
    guard let transitions = session.transitions else { return }
    log.write(.debug, "a view took too long to present; its updates continue")
    transitions.noteSilence()
    transitions.queue.stopWaiting()
    endWaiting(of: session, transitions)
    writeWaiting(of: session, transitions)
    updateTimeout(of: session)
  }

  private func endWaiting(of session: Session, _ transitions: Session.Transitions) {
    transitions.cancelTimer(&time)
    sessions.notePresenting(false, inSlot: session.slot)
  }

  /// Removes the session from those whose views are presenting, because the session is being
  /// closed.
  func forgetTransitions(of session: Session) {
    if let transitions = session.transitions { endWaiting(of: session, transitions) }
  }

  /// Writes the queued updates of all sessions without waiting for acknowledgements, as long as the
  /// output has room. Called after the end of input, when no acknowledgement can arrive any more.
  func releaseTransitions() {
    while hasRoom, let slot = sessions.presenting.min() {
      guard let session = sessions.session(inSlot: slot) else {
        sessions.notePresenting(false, inSlot: slot)
        continue
      }
      endPresentation(of: session)
    }
  }

  /// Appends the revision of the last update that was written for a session, and the number of
  /// queued updates if the session has a queue.
  func appendWritten(of session: Session, to buffer: inout ByteBuffer) {
    let written = session.transitions?.queue.written
    buffer.append(#","revision":"#)
    buffer.append(decimal: written?.revision ?? session.machine.revision)
    if let queue = session.transitions?.queue {
      buffer.append(#","queued":"#)
      buffer.append(decimal: UInt64(queue.waiting.count))
    }
  }

  /// Appends a snapshot of the state that the view of a session was sent last.
  func appendWrittenSnapshot(of session: Session, to buffer: inout ByteBuffer) {
    if let queue = session.transitions?.queue {
      buffer.appendSnapshot(queue.written.view, template(in: queue.written.view.language, of: session))
    } else {
      output.updates.appendSnapshot(of: &session.machine, session.template, to: &buffer)
    }
  }
}
