import JSONCodec
import LoginMachine
import LoginProtocol

/// Views that need time for what they show.
extension EngineCore {
  /// Puts what a session shows now behind the updates that wait, and writes what may be written.
  func queueUpdate(of session: Session, edited: Int?, _ transitions: Session.Transitions) {
    transitions.queue.append(output.updates.frame(of: &session.machine), edited: edited)
    writeWaiting(of: session, transitions)
  }

  /// Writes the updates of a session that need not wait any longer.
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

  /// Nothing more will be reported by views.
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
      arrangeTimeout(of: session)
    }
    reply(to: call, session)
  }

  /// A view has taken too long.
  func endPresentation(of session: Session) {
    guard let transitions = session.transitions else { return }
    log.write(.debug, "a view took too long to present; its updates go on")
    transitions.noteSilence()
    transitions.queue.stopWaiting()
    endWaiting(of: session, transitions)
    writeWaiting(of: session, transitions)
    arrangeTimeout(of: session)
  }

  private func endWaiting(of session: Session, _ transitions: Session.Transitions) {
    transitions.cancelTimer(&time)
    sessions.notePresenting(false, inSlot: session.slot)
  }

  /// Takes a session that ends off the list of those that are waited for.
  func forgetTransitions(of session: Session) {
    if let transitions = session.transitions { endWaiting(of: session, transitions) }
  }

  /// Writes what waits for views that will not report any more, as far as there is room.
  func releaseTransitions() {
    while hasRoom, let slot = sessions.presenting.min() {
      guard let session = sessions.session(inSlot: slot) else {
        sessions.notePresenting(false, inSlot: slot)
        continue
      }
      endPresentation(of: session)
    }
  }

  /// The revision of what was written last for a session, and how many updates wait if any can.
  func appendWritten(of session: Session, to buffer: inout ByteBuffer) {
    let written = session.transitions?.queue.written
    buffer.append(#","revision":"#)
    buffer.append(decimal: written?.revision ?? session.machine.revision)
    if let queue = session.transitions?.queue {
      buffer.append(#","queued":"#)
      buffer.append(decimal: UInt64(queue.waiting.count))
    }
  }

  /// The snapshot that was written last for a session.
  func appendWrittenSnapshot(of session: Session, to buffer: inout ByteBuffer) {
    if let queue = session.transitions?.queue {
      buffer.appendSnapshot(queue.written.view, template(in: queue.written.view.language, of: session))
    } else {
      output.updates.appendSnapshot(of: &session.machine, session.template, to: &buffer)
    }
  }
}
