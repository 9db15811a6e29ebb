import Accounts
import AuthenticatorKit
import SecretMemory

extension RequestReader {
  /// Reads `authenticator/continue`. The meaning of its values depends on the challenge.
  mutating func readContinuation(
    _ question: AuthenticatorQuestion, _ id: MessageID, _ clock: AccountClock, _ conversations: inout Conversations
  ) throws(AuthenticatorFailure) -> Message {
    let attempt = question.attempt
    guard let number = id.number else { throw Self.invalid("id") }
    let key = key(of: question, number)
    switch conversations.find(attempt, key: key, now: clock.steady) {
    case .none: return .ended(id: id)
    case .busy: throw Self.busy
    case .signUp(let signUp): return try readCode(question, of: signUp, key: key, id, clock)
    case .mailed(let signUp, let lifetime):
      return .sentBefore(.emailCode(email: signUp.email), expiresInMs: lifetime, id: id)
    case .person(let step, let change):
      return try readUserAnswer(question, to: step, change, key: key, id, clock, &conversations)
    case .again(let outcome): return .personAgain(outcome, id: id)
    case .login(let step, let remembersDevice):
      guard let challenge = AccountChallenge(step, settings) else { return .ended(id: id) }
      // Only the user's answer can change the challenge, so a poll gets the same challenge again.
      if question.isPoll {
        return .repeated(challenge, attempt: attempt, id: id)
      }
      if let action = question.action {
        if challenge.isOffer, action == "\(AccountChallenge.later)" {
          let acceptance = conversations.finish(attempt, after: step, key: key, now: clock.steady)
          return acceptance.map { .accepted($0, id: id) } ?? .ended(id: id)
        }
        guard let link = challenge.links.first(where: { "\($0.id)" == action }),
          let chosen = conversations.choose(link.way, attempt, instead: step, now: clock.steady)
        else { throw Self.invalid("action") }
        return .repeated(chosen, attempt: attempt, id: id)
      }
      if challenge == .shownRecoveryCodes {
        let acceptance = conversations.finish(attempt, after: step, key: key, now: clock.steady)
        return acceptance.map { .accepted($0, id: id) } ?? .ended(id: id)
      }
      var answer = try answer(challenge)
      if challenge.asksToRemember {
        answer.remembersDevice = entered.isOn("remember_device") ?? false
      } else {
        answer.remembersDevice = remembersDevice
      }
      return .continue(
        Request(
          id: id, attempt: attempt, task: .answer(to: step, key: key), password: answer.password, code: answer.code,
          credential: answer.credential, remembersDevice: answer.remembersDevice, view: ViewCapabilities(question),
          locale: question.locale, now: clock.now))
    }
  }

  /// The values that the user has entered as the answer to a challenge.
  private struct Answer: ~Copyable {
    var password = SecretBytes()
    var code = SecretBytes()
    var credential: [UInt8] = []
    var remembersDevice = false
  }

  private mutating func answer(_ challenge: AccountChallenge) throws(AuthenticatorFailure) -> Answer {
    switch challenge {
    case .oneTimeCode, .recoveryCode: return Answer(code: try secret("code"))
    case .newPassword: return Answer(password: try secret("password"))
    case .passkey, .newPasskey:
      guard let passkey = entered.json("passkey") else { throw Self.invalid("passkey") }
      return Answer(credential: passkey)
    case .emailCode: throw Self.invalid("attempt")
    case .newRecoveryCodes, .shownRecoveryCodes: return Answer()
    }
  }

  /// Reads the answer to the question for the mailed code of a sign-up. The answer is either the
  /// code or a request to mail another code.
  private mutating func readCode(
    _ question: AuthenticatorQuestion, of signUp: PendingSignUp, key: String, _ id: MessageID, _ clock: AccountClock
  ) throws(AuthenticatorFailure) -> Message {
    if question.isPoll { return .repeated(.emailCode(email: signUp.email), attempt: question.attempt, id: id) }
    guard question.action == nil || question.action == "resend" else { throw Self.invalid("action") }
    let wantsAnother = question.action != nil
    return .continue(
      Request(
        id: id, attempt: question.attempt,
        task: wantsAnother ? .resendCode(signUp, key: key) : .confirmEmail(signUp, key: key),
        code: wantsAnother ? SecretBytes() : try secret("code"), view: ViewCapabilities(question),
        locale: question.locale, client: ClientAddress(question), now: clock.now))
  }
}
