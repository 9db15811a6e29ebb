import Accounts
import AuthenticatorKit
import JSONCodec
import LoginMachine

extension AuthenticatorAnswer {
  /// Creates the answer that sends the reply of a conversation to the engine.
  ///
  /// - Parameter resume: The token with which the conversation can continue in another process, if
  ///   the reply is a challenge.
  init(_ reply: ConversationReply, resume: String? = nil) {
    switch reply {
    case .accepted(let acceptance): self.init(acceptance)
    // A challenge without a screen keeps the current screen.
    case .asked(.shownRecoveryCodes, _): self = .challenge(AuthenticatorChallenge(resume: resume))
    case .asked(let challenge, let use):
      self = .challenge(challenge.screen(notice: use.map { Message($0) }, resume: resume))
    case .sent(let challenge, let lifetime):
      self = .challenge(challenge.screen(notice: Message(.emailCodeSent), lifetime, resume: resume))
    case .refusedValues(let refused): self = .refusedSignUp(refused)
    case .refused(let challenge, let message, let minimum):
      self = .challenge(.refused(Message(message, minimum: minimum), challenge.apiKey, resume: resume))
    case .renewed(let challenge, let message):
      self = .challenge(challenge.screen(error: Message(message), resume: resume))
    case .printed(let codes):
      self = .challenge(
        AuthenticatorChallenge(
          screen: SensitiveJSON { $0.append(screenOf: codes) }, expiresInMs: UInt64(Conversation.lifetimeMs),
          resume: resume))
    case .throttled(let wait): self = .throttled(wait)
    case .ended(let message): self = .rejected(message)
    }
  }
}

extension AccountChallenge {
  /// Returns this challenge, with its screen, in the form in which the engine receives it.
  fileprivate func screen(
    error: Message? = nil, notice: Message? = nil, _ lifetimeMs: Int64 = Conversation.lifetimeMs, resume: String?
  ) -> AuthenticatorChallenge {
    AuthenticatorChallenge(
      screen: SensitiveJSON { $0.append(screenOf: self) }, error: error, notice: notice,
      expiresInMs: UInt64(clamping: lifetimeMs), resume: resume)
  }
}

extension AuthenticatorChallenge {
  /// A challenge that keeps the current screen and shows an error at one of its items.
  static func refused(_ message: Message, _ item: StaticString, resume: String? = nil) -> AuthenticatorChallenge {
    AuthenticatorChallenge(error: message, items: [.init("\(item)", [message])], resume: resume)
  }
}
