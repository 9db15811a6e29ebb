import AccountStore
import JSONCodec
import LoginProtocol
import SecretMemory

/// What a person who is in asks for, and answers.
extension RequestReader {
  /// The requests, by their names on the wire.
  static let personRequests = [
    "account", "changePassword", "enrolOneTimeCodes", "removeOneTimeCodes", "newRecoveryCodes", "deleteAccount",
  ]

  /// The task of a request of that name; nil if it is none of these.
  mutating func personTask(
    _ name: String, _ params: JSONDocument.Node, _ values: JSONDocument.Node, _ attempt: UInt64
  ) throws(RPCError) -> Request.Task? {
    guard Self.personRequests.contains(name) else { return nil }
    guard let principal = try optionalString("principal", in: params), !principal.isEmpty else {
      throw RPCError(
        109, AccountsError.principalMissing.rawValue,
        "This request is about the account of a person who is in. Open the session with principal.")
    }
    switch name {
    case "account": return .person(.status, principal: principal)
    case "changePassword":
      let new = SharedSecret(try secret("new_password", in: values))
      return .person(.password(new: new, key: try key(params, attempt)), principal: principal)
    case "enrolOneTimeCodes": return .person(.enrolOneTimeCodes, principal: principal)
    case "removeOneTimeCodes": return .person(.removeOneTimeCodes, principal: principal)
    case "newRecoveryCodes": return .person(.newRecoveryCodes, principal: principal)
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
      if let action = try optionalString("action", in: params) {
        guard case .proof(let login) = step, let challenge = AccountChallenge(login),
          let link = challenge.links.first(where: { "\($0.id)" == action }), let chosen = login.choosing(link.way)
        else { throw Self.invalid("action") }
        persons.replaceStep(attempt, .proof(chosen))
        return .personAgain(.asked(.proof(chosen)), id: id)
      }
      var code = SecretBytes()
      if case .recoveryCodes = step {} else { code = try secret("code", in: values) }
      return .continue(
        Request(
          id: id, attempt: attempt, task: .personAnswer(step, change, key: key), code: code,
          locale: try optionalString("locale", in: params) ?? "", now: clock.now))
    }
  }

  static var busy: RPCError {
    RPCError(
      -32602, AccountsError.invalidParams.rawValue, "An answer of this attempt is being looked at already.",
      [.init("param", .string("attempt"))])
  }
}
