public import EngineEvents
import JSONCodec
import LoginMachine
import LoginProtocol

/// Updates out.
extension EngineCore {
  /// What is to be destroyed of a session's secrets.
  enum Wiping {
    case nothing
    /// Those of items that are not on the screen any more.
    case hidden
    case all
  }

  /// Lets a session's machine change, and writes the update from what the view showed to what the machine shows now. Every update
  /// comes from here, but for the first of a session.
  /// - Parameters:
  ///   - edited: the item that the view has changed itself.
  ///   - change: changes the machine, and says what of the secrets is to be destroyed; `nil` if nothing has changed.
  @inline(__always) func update<Failure>(
    _ session: Session, edited: Int? = nil, _ change: () throws(Failure) -> Wiping?
  ) throws(Failure) {
    output.updates.noteView(of: &session.machine, edited: session.transitions == nil ? edited : nil)
    guard let wiping = try change() else { return }
    wipe(wiping, of: session)
    emitUpdate(of: session, edited: edited)
  }

  /// Writes the update that leads from what the view showed to what the session shows now.
  @inline(__always) func emitUpdate(of session: Session, edited: Int?) {
    if let transitions = session.transitions {
      queueUpdate(of: session, edited: edited, transitions)
    } else {
      session.id.withUnsafeBytes { name in
        output.updates.writeUpdate(
          of: &session.machine, session: name, edited: edited, omitsSnapshot: session.omitsSnapshots,
          writtenEvents: session.writtenEvents, session.template)
      }
      session.writtenEvents = session.machine.events
      noteState(of: session)
    }
    if questions.areAwaited { arrangeTimeout(of: session) }
  }

  @inline(__always) private func wipe(_ wiping: Wiping, of session: Session) {
    switch wiping {
    case .nothing: break
    case .hidden: wipeHiddenSecrets(of: session)
    case .all: session.vault.wipe()
    }
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
