import EventLoop
import JSONCodec
import LoginForms
import LoginMachine
import LoginProtocol

/// The frontend as authenticator: questions among the output, answers among the input.
extension Engine {
  /// Writes a line that is meant for the frontend as the authenticator.
  func tellFrontend(_ line: WipedLine) {
    outputHoldsSecrets = true
    line.withBytes { updates.output.append($0) }
  }

  /// Takes a response of the frontend's; one to no question of the engine's changes nothing.
  func takeResponse(_ document: borrowing JSONDocument, _ node: JSONDocument.Node) {
    guard let frontend = routes.frontend else {
      log.write(.debug, "a response was ignored")
      return
    }
    let reply = AuthenticatorReply(document, node, ids: frontend.ids)
    if case .invalid(let reason) = reply {
      log.write(.debug, "a response was ignored, of which \(reason)")
    } else {
      take(reply, document, from: frontend)
    }
  }

  /// Takes a call that only an authenticator makes. Returns false if it is none.
  func takeNotice(_ call: Call, _ document: borrowing JSONDocument, _ node: JSONDocument.Node) -> Bool {
    guard let frontend = routes.frontend, document.equals(call.method, AuthenticatorReply.notifyMethod) else {
      return false
    }
    let reply = AuthenticatorReply(document, node, ids: frontend.ids)
    if case .invalid(let reason) = reply {
      log.write(.warning, "a notification of the frontend's was ignored: \(reason)")
    } else {
      take(reply, document, from: frontend)
    }
    self.reply(to: call) { $0.append("{}") }
    return true
  }

  /// Whether the frontend has a question that nobody else can answer.
  var awaitsFrontend: Bool {
    guard let frontend = routes.frontend, !attempts.isEmpty else { return false }
    return attempts.values.contains { $0.authenticator === frontend }
  }

  /// Whether lines are looked through for answers while others have to wait.
  private var canTakeResponses: Bool {
    options.isLockstep && hasRoom && advance == nil && inputState != .closing && routes.frontend != nil
      && !heldLines.isFull && awaitsFrontend
  }

  /// While no other line may be taken: takes the answers among those that were read, and keeps the others in their order. Returns whether anything
  /// has ended by that, so that there is more to do.
  func takeResponses() -> Bool {
    guard canTakeResponses else { return false }
    while canTakeResponses {
      if takeLineThatMovesTime() {
        if canTakeLines { return true }
        continue
      }
      guard let line = lines.next() ?? (inputState == .ended ? lines.nextAtEnd() : nil) else { break }
      if case .whole(let bytes) = line, isForFrontendAsAuthenticator(bytes) {
        // Of a batch that waits, the rest is taken afterwards.
        let waiting = batch
        batch = nil
        take(line)
        batch = waiting
        if canTakeLines { return true }
      } else {
        heldLines.append(line)
      }
    }
    guard inputState == .ended, canTakeResponses else { return false }
    observer?.failsFrontend()
    stopTime()
    failFrontend()
    return true
  }

  private func isForFrontendAsAuthenticator(_ line: UnsafeRawBufferPointer) -> Bool {
    guard (try? document.parse(line)) != nil, let root = document.root else { return false }
    return AuthenticatorReply.isMeant(by: document, root)
  }

  /// No answer will come any more.
  func failFrontend() {
    guard let frontend = routes.frontend else { return }
    let lost = attempts.filter { $0.value.authenticator === frontend }.keys.sorted()
    abandon(lost.map { .question($0) }, code: .inputEnded)
  }
}
