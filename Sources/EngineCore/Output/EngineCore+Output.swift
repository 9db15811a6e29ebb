import JSONCodec
import LoginMachine
public import LoginProtocol

/// Updates out.
extension EngineCore {
  /// Writes the update that leads from what the view showed to what the session shows now.
  @inline(__always) func emitUpdate(of session: Session, edited: Int?) {
    if let transitions = session.transitions {
      queueUpdate(of: session, edited: edited, transitions)
    } else {
      session.withTemplate { template in
        output.updates.writeUpdate(
          of: &session.machine, session: session.id, edited: edited, omitsSnapshot: session.omitsSnapshots,
          writtenEvents: session.writtenEvents, template)
      }
      session.writtenEvents = session.machine.events
    }
    if questions.areAwaited { arrangeTimeout(of: session) }
  }

  /// Writes as much of the output as `write` takes. If nobody reads it any more, the engine stops.
  public func writeOutput(at moment: Moment, _ write: (UnsafeRawBufferPointer) -> WriteOutcome) {
    tell(.outputReady(isInterrupted: isInterrupted))
    guard let reason = output.write(write) else { return }
    log.write(.info, reason)
    readerIsGone(at: moment)
    if let observer { tellOutput(observer) }
    output.giveUp()
  }

  /// Whether there is output to write.
  public var hasOutput: Bool { !output.isEmpty }
}
