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
    if let message = try readSignUp(params, values, id: id, attempt, key, clock, &conversations.signUps) {
      return message
    }
    if let message = try readPersonAnswer(attempt, key: key, params, values, id: id, clock, &conversations.persons) {
      return message
    }
    switch conversations.find(attempt, key: key, now: clock.steady) {
    case .none: return .ended(id: id)
    case .busy: throw Self.busy
    case .answer(let login):
      guard let challenge = AccountChallenge(login) else { return .ended(id: id) }
      // The built-in accounts wait for nothing but the answer, so a poll finds the challenge unchanged.
      if let poll = document.member("poll", of: params), document.kind(poll) == .true {
        return .repeated(challenge, id: id)
      }
      if let action = try optionalString("action", in: params) {
        guard let link = challenge.links.first(where: { "\($0.id)" == action }),
          let chosen = conversations.choose(link.way, attempt, instead: login, now: clock.steady)
        else { throw Self.invalid("action") }
        return .repeated(chosen, id: id)
      }
      let locale = try optionalString("locale", in: params) ?? ""
      return .continue(try makeRequest(challenge, login, key, values, id: id, attempt, locale: locale, now: clock.now))
    }
  }

  private mutating func makeRequest(
    _ challenge: AccountChallenge, _ login: PendingLogin, _ key: String, _ values: JSONDocument.Node, id: [UInt8],
    _ attempt: UInt64, locale: String, now: Int64
  ) throws(RPCError) -> Request {
    switch challenge {
    case .oneTimeCode:
      return Request(
        id: id, attempt: attempt, task: .oneTimeCode(login, key: key), password: SecretBytes(),
        code: try secret("code", in: values), locale: locale, now: now)
    case .recoveryCode:
      return Request(
        id: id, attempt: attempt, task: .recoveryCode(login, key: key), password: SecretBytes(),
        code: try secret("code", in: values), locale: locale, now: now)
    case .emailCode: throw Self.invalid("attempt")
    case .newPassword:
      return Request(
        id: id, attempt: attempt, task: .newPassword(login, key: key), password: try secret("password", in: values),
        code: SecretBytes(), locale: locale, now: now)
    }
  }

  /// What a request says of a sign-up that waits for its code. Nil if there is none.
  private mutating func readSignUp(
    _ params: JSONDocument.Node, _ values: JSONDocument.Node, id: [UInt8], _ attempt: UInt64, _ key: String,
    _ clock: AccountClock, _ signUps: inout SignUps
  ) throws(RPCError) -> Message? {
    let signUp: PendingSignUp
    switch signUps.find(attempt, now: clock.steady) {
    case .none: return nil
    case .busy: throw Self.busy
    case .signUp(let found): signUp = found
    }
    if let poll = document.member("poll", of: params), document.kind(poll) == .true {
      return .repeated(.emailCode(email: signUp.email), id: id)
    }
    let action = try optionalString("action", in: params)
    guard action == nil || action == "resend" else { throw Self.invalid("action") }
    if action != nil, signUps.isResent(attempt, key: key) {
      return .sentBefore(.emailCode(email: signUp.email), id: id)
    }
    return .continue(
      Request(
        id: id, attempt: attempt, task: action == nil ? .confirmEmail(signUp) : .resendCode(signUp, key: key),
        password: SecretBytes(), code: action == nil ? try secret("code", in: values) : SecretBytes(),
        locale: try optionalString("locale", in: params) ?? "", now: clock.now))
  }
}
