import AccountStore
import JSONCodec
import LoginProtocol
import SecretMemory

/// What a person who is in asks for, and answers.
extension RequestReader {
  /// The requests, by their names on the wire.
  static let personRequests = [
    "account", "changePassword", "changeEmail", "enrolOneTimeCodes", "removeOneTimeCodes", "newRecoveryCodes",
    "passkeys",
    "forgetDevices", "deleteAccount",
  ]

  /// The task of a request of that name; nil if it is none of these.
  mutating func personTask(
    _ name: String, _ params: JSONDocument.Node, _ attempt: UInt64
  ) throws(RPCError) -> Request.Task? {
    guard Self.personRequests.contains(name) else { return nil }
    guard let principal = try optionalString("principal", in: params), !principal.isEmpty else {
      throw RPCError(
        109, AccountsError.principalMissing.rawValue,
        "This request is about the account of a person who is in. Open the session with principal.")
    }
    switch name {
    case "account": return .person(.status, principal: principal)
    case "changePassword": return .person(.password(key: try key(params, attempt)), principal: principal)
    case "enrolOneTimeCodes": return .person(.enrolOneTimeCodes, principal: principal)
    case "removeOneTimeCodes": return .person(.removeOneTimeCodes, principal: principal)
    case "newRecoveryCodes": return .person(.newRecoveryCodes, principal: principal)
    case "changeEmail": return .person(.email, principal: principal)
    case "passkeys": return .person(.passkeys, principal: principal)
    case "forgetDevices": return .person(.forgetDevices, principal: principal)
    default: return .person(.delete, principal: principal)
    }
  }

  /// What an answer is to; nil if the attempt is none of a person who is in.
  mutating func readPersonAnswer(
    _ attempt: UInt64, key: String, _ params: JSONDocument.Node, _ values: JSONDocument.Node, id: [UInt8],
    _ clock: AccountClock, _ persons: inout PersonConversations
  ) throws(RPCError) -> Message? {
    switch persons.find(attempt, key: key, now: clock.steady) {
    case .unknown: return nil
    case .ended: return .ended(id: id)
    case .busy: throw Self.busy
    case .again(let outcome): return .personAgain(outcome, id: id)
    case .step(let step, let change):
      if let poll = document.member("poll", of: params), document.kind(poll) == .true {
        return .personAgain(.asked(step), id: id)
      }
      var entered = Entered()
      if let action = try optionalString("action", in: params) {
        switch (step, action) {
        case (.emailCode, "resend"): entered.answer = .resend
        case (.passkeys(_, _, canAdd: true), "newPasskey"): entered.answer = .newPasskey
        case (.proof(let login, let newPassword), _):
          guard let challenge = AccountChallenge(login),
            let link = challenge.links.first(where: { "\($0.id)" == action }), let chosen = login.choosing(link.way)
          else { throw Self.invalid("action") }
          let step = PersonStep.proof(chosen, newPassword)
          persons.replaceStep(attempt, step)
          return .personAgain(.asked(step), id: id)
        default: throw Self.invalid("action")
        }
      } else {
        entered = try self.entered(step, values)
      }
      return .continue(
        Request(
          id: id, attempt: attempt, task: .personAnswer(step, change, entered.answer, key: key), code: entered.code,
          credential: entered.credential, view: view(params),
          locale: try optionalString("locale", in: params) ?? "", client: client(params), now: clock.now))
    }
  }

  private struct Entered: ~Copyable {
    var answer = PersonAnswer.entered
    var code = SecretBytes()
    var credential: [UInt8] = []
  }

  private mutating func entered(_ step: PersonStep, _ values: JSONDocument.Node) throws(RPCError) -> Entered {
    switch step {
    case .proof, .enrolment, .emailCode: return Entered(code: try secret("code", in: values))
    case .recoveryCodes: return Entered()
    case .newEmail: return Entered(answer: .email(try string("email", in: values)))
    case .passkeys(_, let passkeys, canAdd: _):
      // Compared with the ids of the options, so that no number from outside is counted with.
      let option = try string("passkey", in: values)
      guard let place = passkeys.indices.first(where: { option == "\($0 + 1)" }) else { throw Self.invalid("passkey") }
      return Entered(answer: .passkey(id: passkeys[place].id))
    case .newPasskey:
      guard let passkey = document.member("passkey", of: values) else { throw Self.invalid("passkey") }
      return Entered(credential: Array(document.fullText(passkey)))
    }
  }

  static var busy: RPCError {
    RPCError(
      -32602, AccountsError.invalidParams.rawValue, "An answer of this attempt is being looked at already.",
      [.init("param", .string("attempt"))])
  }
}
