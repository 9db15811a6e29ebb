import AuthenticatorKit
import JSONCodec
import LoginMachine
import LoginProtocol
import SecretMemory

/// The frontend as authenticator: it reads questions from the engine's output, and writes answers
/// to the engine's input.
extension EngineCore {
  /// Handles a response of the frontend. A response that matches no open question changes nothing.
  func handleResponse(_ document: borrowing JSONDocument, _ node: JSONDocument.Node) {
    guard authenticators.includesFrontend else {
      log.write(.debug, "a response was ignored")
      return
    }
    let reply = AuthenticatorReply(document, node, .names)
    if case .invalid(let reason) = reply {
      log.write(.debug, "a response was ignored: \(reason)")
    } else {
      handle(reply, document, from: .frontend)
    }
  }

  /// Handles a notification that the frontend sends as an authenticator. Returns false if the call
  /// is of another kind.
  func handleFrontendNotice(_ call: Call, _ document: borrowing JSONDocument, _ node: JSONDocument.Node) -> Bool {
    guard authenticators.includesFrontend, document.equals(call.method, AuthenticatorReply.notifyMethod) else {
      return false
    }
    let reply = AuthenticatorReply(document, node, .names)
    if case .invalid(let reason) = reply {
      warn(ofRefused: "a notification of the frontend's was ignored: \(reason)")
    } else {
      handle(reply, document, from: .frontend)
    }
    self.reply(to: call) { $0.append("{}") }
    return true
  }

  /// Whether the engine may look for responses of the frontend among the lines that have to wait.
  var canHandleResponses: Bool {
    configuration.isLockstep && hasRoom && time.advance == nil && input.stage != .closing
      && authenticators.includesFrontend && input.canHold && questions.contains(to: .frontend)
  }

  /// While lines have to wait: handles the responses of the frontend that were read, and holds all
  /// other lines back in their order. Returns whether lines can be handled again.
  func handleResponses() -> Bool {
    guard canHandleResponses else { return false }
    while canHandleResponses {
      if handleEarlyAdvance() {
        if canHandleLines { return true }
        continue
      }
      guard let line = input.nextUnheld() else { break }
      if case .whole(let bytes) = line, isForFrontendAsAuthenticator(bytes) {
        // The remaining entries of a waiting batch are handled later.
        withoutBatch { handle(line) }
        if canHandleLines { return true }
      } else {
        input.hold(line)
      }
    }
    guard input.stage == .ended, canHandleResponses else { return false }
    emit(.frontendLost)
    time.stop()
    failFrontend()
    return true
  }

  private func isForFrontendAsAuthenticator(_ line: UnsafeRawBufferPointer) -> Bool {
    guard (try? parsing.document.parse(line)) != nil, let root = parsing.document.root else { return false }
    return AuthenticatorReply.isMeant(by: parsing.document, root)
  }

  /// Fails the open questions to the frontend, because its input has ended and no answer can arrive
  /// any more.
  func failFrontend() {
    guard authenticators.includesFrontend else { return }
    failQuestions(questions.ids(to: .frontend).map { .question($0) }, .inputEnded)
  }
}
