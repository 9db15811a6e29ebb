import LoginMachine
import LoginProtocol

/// The frontend, if it decides logins itself: questions go where updates go, answers come where events come from.
final class FrontendAuthenticator: Authenticator {
  private unowned let engine: Engine

  init(_ engine: Engine) { self.engine = engine }

  var ids: AuthenticatorWire.IDs { .names }

  var description: AuthenticatorDescription? { nil }

  func ask(_ line: WipedLine, _ question: QuestionKey) { engine.tellFrontend(line) }

  func cancel(_ conversationID: ConversationID, hasTimedOut: Bool, notice: () -> WipedLine) {
    engine.tellFrontend(notice())
  }

  func settle(_ question: QuestionKey, conversationGoesOn: Bool) {}
}
