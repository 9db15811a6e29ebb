import Accounts
import AuthenticatorKit
import JSONCodec
import SecretMemory

/// Reads the requests and the answers of logged-in users.
extension RequestReader {
  /// The requests that only logged-in users can make, by their wire names.
  static let userRequests = [
    "account", "changePassword", "changeEmail", "enrolOneTimeCodes", "removeOneTimeCodes", "newRecoveryCodes",
    "passkeys",
    "forgetDevices", "deleteAccount",
  ]

  /// Returns the task of a logged-in user's request. Returns nil for all other requests.
  func userTask(_ question: AuthenticatorQuestion) throws(AuthenticatorFailure) -> Request.Task? {
    guard let name = question.request, Self.userRequests.contains(name) else { return nil }
    guard let principal = question.principal, !principal.isEmpty else {
      throw AuthenticatorFailure(
        109, .principalMissing,
        "This request is about the account of a person who is in. Open the session with principal.")
    }
    switch name {
    case "account": return .person(.status, principal: principal)
    case "changePassword": return .person(.password(key: key(of: question, question.attempt)), principal: principal)
    case "enrolOneTimeCodes": return .person(.enrolOneTimeCodes, principal: principal)
    case "removeOneTimeCodes": return .person(.removeOneTimeCodes, principal: principal)
    case "newRecoveryCodes": return .person(.newRecoveryCodes, principal: principal)
    case "changeEmail": return .person(.email, principal: principal)
    case "passkeys": return .person(.passkeys, principal: principal)
    case "forgetDevices": return .person(.forgetDevices, principal: principal)
    default: return .person(.delete, principal: principal)
    }
  }

  /// Reads a logged-in user's answer to a step.
  mutating func readUserAnswer(
    _ question: AuthenticatorQuestion, to step: UserStep, _ change: AccountChange, key: String, _ id: MessageID,
    _ clock: AccountClock, _ conversations: inout Conversations
  ) throws(AuthenticatorFailure) -> Message {
    if question.isPoll { return .personAgain(.asked(step), id: id) }
    var answer = Entered()
    if let action = question.action {
      switch (step, action) {
      case (.emailCode, "resend"): answer.answer = .resend
      case (.passkeys(_, _, canAdd: true), "newPasskey"): answer.answer = .newPasskey
      case (.proof(let login, let newPassword), _):
        guard let challenge = AccountChallenge(login),
          let link = challenge.links.first(where: { "\($0.id)" == action }), let chosen = login.choosing(link.way)
        else { throw Self.invalid("action") }
        let step = UserStep.proof(chosen, newPassword)
        conversations.replaceStep(question.attempt, step)
        return .personAgain(.asked(step), id: id)
      default: throw Self.invalid("action")
      }
    } else {
      answer = try self.answer(to: step)
    }
    return .continue(
      Request(
        id: id, attempt: question.attempt, task: .personAnswer(step, change, answer.answer, key: key),
        code: answer.code, credential: answer.credential, view: ViewCapabilities(question), locale: question.locale,
        client: ClientAddress(question), now: clock.now))
  }

  private struct Entered: ~Copyable {
    var answer = UserAnswer.entered
    var code = SecretBytes()
    var credential: [UInt8] = []
  }

  private mutating func answer(to step: UserStep) throws(AuthenticatorFailure) -> Entered {
    switch step {
    case .proof, .enrolment, .emailCode: return Entered(code: try secret("code"))
    case .recoveryCodes: return Entered()
    case .newEmail: return Entered(answer: .email(try string("email")))
    case .passkeys(_, let passkeys, canAdd: _):
      // The chosen option is compared as text with the ids of the options, so that no number from
      // outside is used as an index.
      let option = try string("passkey")
      guard let place = passkeys.indices.first(where: { option == "\($0 + 1)" }) else { throw Self.invalid("passkey") }
      return Entered(answer: .passkey(id: passkeys[place].id))
    case .newPasskey:
      guard let passkey = entered.json("passkey") else { throw Self.invalid("passkey") }
      return Entered(credential: passkey)
    }
  }

  static var busy: AuthenticatorFailure {
    AuthenticatorFailure(
      -32602, .invalidParams, "An answer of this attempt is being looked at already.",
      [.init("param", .string("attempt"))])
  }
}
