import AccountStore
import JSONCodec
import LoginProtocol
import SecretMemory

/// Reads the lines of the engine. After that, the only copy of a secret is in the request.
struct RequestReader: ~Copyable {
  enum Message {
    case submit(Request)
    case `continue`(Request)
    /// Nothing but a passkey is to tell who it is.
    case passkey(attempt: UInt64, id: [UInt8])
    /// The login was accepted, and what was offered is over.
    case accepted(Acceptance, id: [UInt8])
    /// The challenge is unchanged, or another one was chosen in its place.
    case repeated(AccountChallenge, attempt: UInt64, id: [UInt8])
    /// The code of the challenge was mailed already.
    case sentBefore(AccountChallenge, expiresInMs: Int64, id: [UInt8])
    /// What came of an answer of a person who is in, once more, or of the choice of another way.
    case personAgain(PersonOutcome, id: [UInt8])
    /// There is no such conversation (any more).
    case ended(id: [UInt8])
    /// What is wrong with a value that was to be checked, as far as the value alone says so.
    case checked(RefusedValue?, id: [UInt8])
    case cancel(attempt: UInt64)
    case advance(milliseconds: UInt64, id: [UInt8]?)
    case refused(RPCError, id: [UInt8])
    /// A response, a blank line, or an unknown notification: there is no answer.
    case nothing
  }

  private(set) var document = JSONDocument()
  private var scratch = ByteBuffer()
  /// Distinguishes the requests without a key of one run of an engine from those of another.
  private let run: String
  let settings: ServiceSettings
  /// The name under which a view gets the token of a device, and gives it back.
  static let deviceSecret: StaticString = "rememberedDevice"

  init(run: String, settings: ServiceSettings) {
    self.run = run
    self.settings = settings
  }

  /// Reads a line, without its end.
  mutating func readLine(
    _ line: UnsafeRawBufferPointer, clock: AccountClock, conversations: inout Conversations
  ) -> Message {
    guard line.contains(where: { $0 != 0x20 && $0 != 0x09 }) else { return .nothing }
    do throws(JSONError) {
      try document.parse(line)
    } catch {
      return .refused(.parseError(error), id: recoveredID())
    }
    guard let root = document.root else { return .nothing }
    switch IncomingMessage(document, root) {
    case .response: return .nothing
    case .invalid(let id, let reason): return .refused(.invalidRequest("\(reason)"), id: text(id))
    case .call(let call): return readCall(call, clock, &conversations)
    }
  }

  /// Answers a line that cannot be used. `start` is as much of the line as there is.
  mutating func unusable(_ start: UnsafeRawBufferPointer, _ error: JSONError) -> Message {
    do throws(JSONError) { try document.parse(start) } catch {}
    return .refused(.parseError(error), id: recoveredID())
  }

  private func recoveredID() -> [UInt8] { Array(IncomingMessage.recoveredID(document)) }

  private func text(_ id: JSONDocument.Node?) -> [UInt8] {
    id.map { Array(document.fullText($0)) } ?? []
  }

  private mutating func readCall(
    _ call: IncomingMessage.Call, _ clock: AccountClock, _ conversations: inout Conversations
  ) -> Message {
    let id = call.id.map { text($0) }
    do throws(RPCError) {
      if document.equals(call.method, "authenticator/submit") {
        // A notification has no answer.
        guard let id else { return .nothing }
        return try submit(params(call), id: id, clock, conversations.signUps)
      }
      if document.equals(call.method, "authenticator/continue") {
        guard let id, let node = call.id else { return .nothing }
        return try readContinuation(params(call), idNode: node, id: id, clock, &conversations)
      }
      if document.equals(call.method, "authenticator/check") {
        guard let id else { return .nothing }
        return try check(params(call), id: id, now: clock.now)
      }
      if document.equals(call.method, "authenticator/cancel") {
        return .cancel(attempt: try number("attempt", in: params(call)))
      }
      if document.equals(call.method, "clock/advance"), clock.isManual {
        return .advance(milliseconds: try number("milliseconds", in: params(call)), id: id)
      }
      throw RPCError(
        -32601, "methodNotFound",
        "There is no such method. There are authenticator/submit, authenticator/continue, authenticator/check, authenticator/cancel "
          + "and, with --clock manual, clock/advance.")
    } catch {
      return id.map { .refused(error, id: $0) } ?? .nothing
    }
  }

  private mutating func submit(
    _ params: JSONDocument.Node, id: [UInt8], _ clock: AccountClock, _ signUps: SignUps
  ) throws(RPCError) -> Message {
    let attempt = try number("attempt", in: params)
    guard let kind = document.member("request", of: params), document.kind(kind) == .string else {
      throw Self.invalid("request")
    }
    let values = try values(of: params)
    let view = view(params)
    let task: Request.Task
    if document.equals(kind, "passkey") {
      guard view.usesPasskeys, settings.relyingParty != nil else { throw RPCError.passkeysUnavailable }
      return .passkey(attempt: attempt, id: id)
    } else if document.equals(kind, "login") {
      if let token = try optionalString("resume", in: params) {
        task = .resume(token: token)
      } else {
        task = try login(values)
      }
    } else if document.equals(kind, "setup") {
      let key = try key(params, attempt)
      task = try setup(values, key: key, after: signUps.waiting(key: key, now: clock.steady))
    } else if document.equals(kind, "forgotPassword") {
      task = .forgotPassword(email: try string("email", in: values), requester: try requester(params))
    } else if document.equals(kind, "resetPassword") {
      task = .resetPassword(
        email: try string("email", in: values), key: try key(params, attempt), requester: try requester(params))
    } else if let person = try personTask(document.string(kind), params, attempt) {
      task = person
    } else {
      throw RPCError(
        100, AccountsError.unsupportedRequest.rawValue,
        "The accounts understand the requests login, passkey, setup, forgotPassword, resetPassword and, for a person who is in, "
          + Self.personRequests.joined(separator: ", ") + ".")
    }
    var password = SecretBytes()
    var newPassword = SecretBytes()
    var code = SecretBytes()
    switch task {
    case .resume, .forgotPassword, .person(.status, _): break
    default: password = try secret("password", in: values)
    }
    if case .resetPassword = task { code = try secret("code", in: values) }
    if case .person(.password, _) = task { newPassword = try secret("new_password", in: values) }
    return .submit(
      Request(
        id: id, attempt: attempt, task: task, password: password, newPassword: newPassword, code: code,
        device: try device(params), view: view,
        locale: try optionalString("locale", in: params) ?? "", client: client(params), now: clock.now))
  }

  /// What the view can do, as far as it has said.
  func view(_ params: JSONDocument.Node) -> ViewAbilities {
    var view = ViewAbilities()
    guard let types = document.member("supports", of: params), document.kind(types) == .array else { return view }
    var next = document.firstChild(types)
    while let type = next {
      if document.equals(type, "webauthn.get") { view.usesPasskeys = true }
      if document.equals(type, "webauthn.create") { view.makesPasskeys = true }
      next = document.sibling(after: type, in: types)
    }
    return view
  }

  /// The token of a device; empty if the view has none.
  private mutating func device(_ params: JSONDocument.Node) throws(RPCError) -> SecretBytes {
    guard let secrets = document.member("secrets", of: params),
      let token = document.member(Self.deviceSecret, of: secrets), document.kind(token) == .string
    else { return SecretBytes() }
    return try secret(Self.deviceSecret, in: secrets)
  }

  private func login(_ values: Values) throws(RPCError) -> Request.Task {
    switch (try optionalString("email", in: values), try optionalString("userName", in: values)) {
    case (let email?, nil): return .login(identifier: email, field: .email)
    case (nil, let name?): return .login(identifier: name, field: .userName)
    case (nil, nil), (_?, _?):
      throw RPCError(-32602, AccountsError.invalidParams.rawValue, "A login has either email or userName.")
    }
  }

  private func setup(
    _ values: Values, key: String, after earlier: PendingSignUp?
  ) throws(RPCError) -> Request.Task {
    .setup(
      email: try string("email", in: values), userName: try string("userName", in: values),
      attributes: try attributes(values), key: key, after: earlier)
  }

  /// What else a sign-up says. Nothing is left out silently.
  private func attributes(_ values: Values) throws(RPCError) -> String? {
    let members = others(than: ["email", "userName", "password"], in: values)
    for member in members where settings.secretValues.contains(member.key) { throw Self.unsupported(member.key) }
    do throws(Attributes.Problem) {
      return try Attributes.text(members)
    } catch {
      throw Self.unsupported(error.name)
    }
  }

  private static func unsupported(_ name: String?) -> RPCError {
    let what =
      name.map {
        "the value \($0): it is secret, an object or an array, too long, or its name has other than letters, digits, _, - and ."
      }
      ?? "so many values, or so long ones."
    return RPCError(
      108, AccountsError.unsupportedValue.rawValue, "The accounts do not keep " + what,
      name.map { [.init("param", .string("values.\($0)"))] } ?? [])
  }

  /// The member `address` of the session's context, if it is a string that can be an address.
  func client(_ params: JSONDocument.Node) -> ClientAddress? {
    guard let context = document.member("context", of: params), document.kind(context) == .object,
      let address = document.member("address", of: context), document.kind(address) == .string
    else { return nil }
    return ClientAddress(document.string(address))
  }

  /// The longest key that is taken, in bytes: that of a run with the longest name.
  private static var maximumKeyBytes: Int { 128 }

  /// The idempotency key: the same for a request and all its repetitions. A request written by hand may omit it; the run and the attempt then make up a key.
  func key(_ params: JSONDocument.Node, _ attempt: UInt64) throws(RPCError) -> String {
    if let key = try optionalString("key", in: params) {
      // Where nothing was done, there is no key, which reads as an empty one.
      guard !key.isEmpty, key.utf8.count <= Self.maximumKeyBytes else { throw Self.invalid("key") }
      return key
    }
    let isRetry = document.member("retryOf", of: params) != nil
    let first = isRetry ? try number("retryOf", in: params) : attempt
    return "\(run):\(first)"
  }

  /// A name for the session that no other of any engine has. Nil where no session is named, as by hand.
  private func requester(_ params: JSONDocument.Node) throws(RPCError) -> String? {
    try optionalString("session", in: params).flatMap { $0.utf8.count <= 1_024 ? "\(run) \($0)" : nil }
  }

  /// Copies a secret from the line into memory that is wiped.
  mutating func secret(_ name: StaticString, in values: JSONDocument.Node) throws(RPCError) -> SecretBytes {
    guard let node = document.member(name, of: values), document.kind(node) == .string else {
      throw Self.invalid(name)
    }
    return secret(node)
  }

  mutating func secret(_ node: JSONDocument.Node) -> SecretBytes {
    guard document.hasEscapes(node) else { return SecretBytes(copying: document.text(node)) }
    var secret = SecretBytes()
    JSONString.unescape(document.text(node), into: &scratch)
    scratch.withBytes { secret.append($0) }
    scratch.wipe()
    return secret
  }

  private func params(_ call: IncomingMessage.Call) throws(RPCError) -> JSONDocument.Node {
    guard let params = call.params, document.kind(params) == .object else {
      throw RPCError(-32602, AccountsError.invalidParams.rawValue, "params is an object.")
    }
    return params
  }

  func string(_ name: StaticString, in object: JSONDocument.Node) throws(RPCError) -> String {
    guard let string = try optionalString(name, in: object) else { throw Self.invalid(name) }
    return string
  }

  func optionalString(_ name: StaticString, in object: JSONDocument.Node) throws(RPCError) -> String? {
    guard let node = document.member(name, of: object), document.kind(node) != .null else { return nil }
    guard document.kind(node) == .string else { throw Self.invalid(name) }
    return document.string(node)
  }

  func number(_ name: StaticString, in object: JSONDocument.Node) throws(RPCError) -> UInt64 {
    guard let node = document.member(name, of: object), let number = document.wholeNumber(node) else {
      throw Self.invalid(name)
    }
    return number
  }

  static func invalid(_ name: StaticString) -> RPCError {
    RPCError(
      -32602, AccountsError.invalidParams.rawValue, "\(name) is missing or of the wrong type.",
      [.init("param", .string("\(name)"))])
  }
}
