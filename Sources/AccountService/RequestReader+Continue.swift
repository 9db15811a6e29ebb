import AccountStore
import JSONCodec
import LoginProtocol
import SecretMemory

extension RequestReader {
  /// Reads `authenticator/continue`. The meaning of its values depends on the challenge.
  mutating func readContinuation(
    _ params: JSONDocument.Node, idNode: JSONDocument.Node, id: [UInt8], _ clock: AccountClock,
    _ conversations: inout Conversations
  ) throws(RPCError) -> Message {
    let attempt = try number("attempt", in: params)
    guard let number = document.wholeNumber(idNode) else { throw Self.invalid("id") }
    let key = try key(params, number)
    guard let values = document.member("values", of: params), document.kind(values) == .object else {
      throw Self.invalid("values")
    }
    if let message = try readSignUp(attempt, key: key, params, values, id: id, clock, &conversations.signUps) {
      return message
    }
    if let message = try readPersonAnswer(attempt, key: key, params, values, id: id, clock, &conversations.persons) {
      return message
    }
    switch conversations.find(attempt, key: key, now: clock.steady) {
    case .none: return .ended(id: id)
    case .busy: throw Self.busy
    case .answer(let step, let remembersDevice):
      guard let challenge = AccountChallenge(step, settings) else { return .ended(id: id) }
      // The accounts wait for nothing but the answer, so a poll finds the challenge unchanged.
      if let poll = document.member("poll", of: params), document.kind(poll) == .true {
        return .repeated(challenge, attempt: attempt, id: id)
      }
      if let action = try optionalString("action", in: params) {
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
      var answer = try answer(challenge, values)
      if challenge.asksToRemember {
        answer.remembersDevice = remember(values)
      } else {
        answer.remembersDevice = remembersDevice
      }
      return .continue(
        Request(
          id: id, attempt: attempt, task: .answer(to: step, key: key), password: answer.password, code: answer.code,
          credential: answer.credential, remembersDevice: answer.remembersDevice, view: view(params),
          locale: try optionalString("locale", in: params) ?? "", now: clock.now))
    }
  }

  /// What was entered.
  private struct Answer: ~Copyable {
    var password = SecretBytes()
    var code = SecretBytes()
    var credential: [UInt8] = []
    var remembersDevice = false
  }

  private mutating func answer(
    _ challenge: AccountChallenge, _ values: JSONDocument.Node
  ) throws(RPCError) -> Answer {
    switch challenge {
    case .oneTimeCode, .recoveryCode: return Answer(code: try secret("code", in: values))
    case .newPassword: return Answer(password: try secret("password", in: values))
    case .passkey, .newPasskey:
      guard let passkey = document.member("passkey", of: values) else { throw Self.invalid("passkey") }
      return Answer(credential: Array(document.fullText(passkey)))
    case .emailCode: throw Self.invalid("attempt")
    case .newRecoveryCodes, .shownRecoveryCodes: return Answer()
    }
  }

  /// What a request says of a sign-up that waits for its code. Nil if there is none.
  private mutating func readSignUp(
    _ attempt: UInt64, key: String, _ params: JSONDocument.Node, _ values: JSONDocument.Node, id: [UInt8],
    _ clock: AccountClock, _ signUps: inout SignUps
  ) throws(RPCError) -> Message? {
    let signUp: PendingSignUp
    switch signUps.find(attempt, key: key, now: clock.steady) {
    case .none: return nil
    case .busy: throw Self.busy
    case .signUp(let found): signUp = found
    }
    if let poll = document.member("poll", of: params), document.kind(poll) == .true {
      return .repeated(.emailCode(email: signUp.email), attempt: attempt, id: id)
    }
    let action = try optionalString("action", in: params)
    guard action == nil || action == "resend" else { throw Self.invalid("action") }
    if action != nil, let lifetime = signUps.resent(attempt, key: key, now: clock.steady) {
      return .sentBefore(.emailCode(email: signUp.email), expiresInMs: lifetime, id: id)
    }
    return .continue(
      Request(
        id: id, attempt: attempt,
        task: action == nil ? .confirmEmail(signUp, key: key) : .resendCode(signUp, key: key),
        code: action == nil ? try secret("code", in: values) : SecretBytes(), view: view(params),
        locale: try optionalString("locale", in: params) ?? "", client: client(params), now: clock.now))
  }

  private func remember(_ values: JSONDocument.Node) -> Bool {
    document.member("remember_device", of: values).map { document.kind($0) == .true } ?? false
  }
}
