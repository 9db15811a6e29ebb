import EventLoop
import JSONCodec
import LoginMachine
import LoginProtocol

/// Updates out.
extension Engine {
  /// Writes the update that leads from `shown` to what the session shows now. `edited` is the item that the view changed itself.
  @inline(__always) func emitUpdate(of session: Session, edited: Int?) {
    view.project(session.machine)
    changes.removeAll(keepingCapacity: true)
    Presenter.appendChanges(from: shown, to: view, edited: edited, on: session.machine.screen, to: &changes)
    pendingOutput.append(#"{"jsonrpc":"2.0","method":"session/update","params":{"session":"#)
    session.id.withUnsafeBytes { pendingOutput.appendJSONString($0) }
    pendingOutput.append(#","revision":"#)
    pendingOutput.append(decimal: session.machine.revision)
    pendingOutput.append(#","events":"#)
    pendingOutput.append(decimal: session.machine.events)
    pendingOutput.append(#","snapshot":"#)
    pendingOutput.appendSnapshot(view, session.template)
    pendingOutput.append(#","commands":"#)
    pendingOutput.appendCommands(changes, view, session.template)
    pendingOutput.append("}}\n")
  }

  /// Writes as much as the reader takes.
  func flush() {
    while !pendingOutput.isEmpty {
      switch pendingOutput.withBytes({ Descriptor.write(output, $0) }) {
      case .written(let count): pendingOutput.consume(count)
      case .wouldBlock: return
      case .closed: abandonOutput("nobody reads the output any more")
      case .failed(let error):
        log.write(.error, "the output cannot be written: \(error)")
        hasLostOutput = true
        abandonOutput("what was left of it was given up")
      }
    }
    pendingOutput.shrink(to: Engine.outputLimit * 4)
  }

  /// Without a reader there is nothing left to do.
  private func abandonOutput(_ reason: String) {
    log.write(.info, reason)
    pendingOutput.removeAll()
    inputState = .closing
  }
}
