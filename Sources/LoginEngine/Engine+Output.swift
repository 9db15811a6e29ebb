import EventLoop
import JSONCodec
import LoginMachine
import LoginProtocol

/// Updates out.
extension Engine {
  /// Writes the update that leads from what the view showed when the event began to what the session shows now. `edited` is the item that the view changed itself.
  @inline(__always) func emitUpdate(of session: Session, edited: Int?) {
    if let transitions = session.transitions { return queueUpdate(of: session, edited: edited, transitions) }
    updates.writeUpdate(of: &session.machine, session: session.id, edited: edited, session.template)
    observer?.changes(session)
  }

  /// Writes as much as the reader takes.
  func flush() {
    outputIsBlocked = false
    observer?.settles()
    defer { observer?.hasWritten(updates.output.count) }
    while !updates.output.isEmpty {
      switch updates.output.withBytes({ Descriptor.write(output, $0) }) {
      case .written(let count): updates.output.consume(count)
      case .wouldBlock:
        outputIsBlocked = true
        return
      case .closed: abandonOutput("nobody reads the output any more")
      case .failed(let error):
        log.write(.error, "the output cannot be written: \(error)")
        hasLostOutput = true
        abandonOutput("what was left of it was given up")
      }
    }
    wipeOutput()
    updates.output.shrink(to: Engine.usualOutputLimit * 4)
  }

  /// Wipes what was written if there were secrets in it, once all of it was.
  private func wipeOutput() {
    guard outputHoldsSecrets, updates.output.isEmpty else { return }
    updates.output.wipe()
    outputHoldsSecrets = false
  }

  /// Without a reader there is nothing left to do.
  private func abandonOutput(_ reason: String) {
    log.write(.info, reason)
    stop()
    observer?.writes(updates.output)
    updates.output.removeAll()
    wipeOutput()
  }
}
