import JSONCodec
import LoginMachine
public import LoginProtocol

/// Writing updates.
extension EngineCore {
  /// Writes or queues the update to the session's current state. The view still shows the state
  /// before the event.
  @inline(__always) func emitUpdate(of session: Session, edited: Int?) {
    if let transitions = session.transitions {
      queueUpdate(of: session, edited: edited, transitions)
    } else {
      session.withTemplate { template in
        output.updates.writeUpdate(
          of: &session.machine, session: session.id, edited: edited, detail: session.detail,
          writtenEvents: session.writtenEvents, template)
      }
      session.writtenEvents = session.machine.events
    }
    if questions.areAwaited { updateTimeout(of: session) }
  }

  /// Writes the update that answers a refused event. If the event was an edit, the update undoes it
  /// in the view.
  func emitRefusal(of session: Session, _ refused: RefusedEvent) {
    guard let transitions = session.transitions else {
      session.writtenEvents = session.machine.events
      return session.withTemplate { template in
        output.updates.writeRefusal(
          of: &session.machine, session: session.id, restoring: refused.item, detail: session.detail, template)
      }
    }
    if refused.losesSecret {
      // The update with the machine's new state has to follow the queued updates. If none are
      // queued, it is written at once and is the answer to the event.
      let isLevel = transitions.queue.awaited == nil
      queueUpdate(of: session, edited: nil, transitions)
      if isLevel { return }
    }
    output.updates.writeRefusal(
      of: &transitions.queue, events: session.machine.events, session: session.id, restoring: refused.shownItem,
      detail: session.detail, template(in: transitions.queue.written.view.language, of: session))
  }

  /// Writes as much of the output as `write` accepts. If the reader is gone, the engine stops.
  public func writeOutput(at moment: Moment, _ write: (UnsafeRawBufferPointer) -> WriteOutcome) {
    emit(.outputReady(isInterrupted: isInterrupted))
    guard let reason = output.write(write) else { return }
    log.write(.info, reason)
    handleReaderGone(at: moment)
    if let observer { emitOutput(observer) }
    output.giveUp()
  }

  /// Whether there is output to write.
  public var hasOutput: Bool { !output.isEmpty }
}
