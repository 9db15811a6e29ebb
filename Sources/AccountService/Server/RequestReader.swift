import Accounts
import AuthenticatorKit
import JSONCodec
import LoginMachine
import LoginProtocol
import SecretMemory

/// Reads the lines that the engine sends. Afterwards, the only copy of a secret is in the request.
struct RequestReader: ~Copyable {
  enum Message {
    case submit(Request)
    case `continue`(Request)
    /// The user logs in with a passkey alone.
    case passkey(attempt: UInt64, id: MessageID)
    /// The login was accepted, and the offer after it has ended.
    case accepted(Acceptance, id: MessageID)
    /// The challenge to send, which is unchanged or is the alternative that the user has chosen.
    case repeated(AccountChallenge, attempt: UInt64, id: MessageID)
    /// The code that the challenge asks for was already mailed.
    case sentBefore(AccountChallenge, expiresInMs: Int64, id: MessageID)
    /// The outcome of a logged-in user's earlier answer, or of choosing an alternative to a
    /// challenge.
    case personAgain(UserOutcome, id: MessageID)
    /// There is no such conversation, or it has ended.
    case ended(id: MessageID)
    /// The result of a check that depends only on the value.
    case checked(RefusedValue?, id: MessageID)
    case describe(id: MessageID)
    case cancel(attempt: UInt64)
    case advance(milliseconds: UInt64, id: MessageID?)
    case refused(AuthenticatorFailure, id: MessageID)
    /// The line is a response, a blank line, or an unknown notification, so it gets no answer.
    case nothing
  }

  /// Reads the values that the user has entered, from the line that was read last.
  var entered = EngineLine()
  /// The name of this run. It distinguishes requests without an idempotency key in different runs
  /// of an engine.
  private let run: String
  /// The name of the value in which a view receives the token of a device and sends it back.
  static let deviceSecret = "rememberedDevice"
  let settings: ServiceSettings

  init(run: String, settings: ServiceSettings) {
    self.run = run
    self.settings = settings
  }

  /// Reads a line, which is given without its line end.
  mutating func readLine(
    _ line: UnsafeRawBufferPointer, clock: AccountClock, conversations: inout Conversations
  ) -> Message {
    guard line.contains(where: { $0 != 0x20 && $0 != 0x09 }) else { return .nothing }
    let call: EngineCall
    do throws(JSONError) {
      call = try self.call(line)
    } catch {
      return unreadable(error)
    }
    if let refusal = refusalOfMessage() { return refusal }
    switch call {
    case .question(let question, let id):
      do throws(AuthenticatorFailure) {
        switch question.kind {
        case .submit: return try submit(question, id, clock, conversations)
        case .continue: return try readContinuation(question, id, clock, &conversations)
        case .check: return try check(question, id, now: clock.now)
        }
      } catch {
        return .refused(error, id: id)
      }
    case .cancel(let attempt): return .cancel(attempt: attempt)
    case .advance(let milliseconds, let id) where clock.isManual: return .advance(milliseconds: milliseconds, id: id)
    case .describe(_, let id): return .describe(id: id)
    case .invalid(let member, let id?): return .refused(Self.invalid(member.name), id: id)
    case .unknown(let id?), .advance(_, let id?): return .refused(Self.unknownMethod, id: id)
    // `Introduction` has read the settings already, so the reader ignores `configure`.
    case .configure, .unknown(nil), .advance(_, nil), .invalid(_, nil), .nothing: return .nothing
    }
  }

  /// Parses a line and wipes the stack. A typed code fits into a register, and a register saved on
  /// the stack would leave a copy of the code.
  private mutating func call(_ line: UnsafeRawBufferPointer) throws(JSONError) -> EngineCall {
    defer { wipeStack() }
    return try entered.read(line)
  }

  /// The refusal of a line that is JSON but not a JSON-RPC call. Nil if the line is a call.
  private func refusalOfMessage() -> Message? {
    guard let root = entered.document.root else { return .nothing }
    switch IncomingMessage(entered.document, root) {
    case .response: return .nothing
    case .invalid(let id, let reason):
      let text = id.map { Array(entered.document.fullText($0)) } ?? []
      return .refused(AuthenticatorFailure(.invalidRequest("\(reason)")), id: MessageID(text: text))
    case .call: return nil
    }
  }

  /// Answers a line that cannot be used.
  ///
  /// - Parameter start: The part of the line that was read.
  mutating func unusable(_ start: UnsafeRawBufferPointer, _ error: JSONError) -> Message {
    _ = try? entered.read(start)
    return unreadable(error)
  }

  private func unreadable(_ error: JSONError) -> Message {
    let id = MessageID(text: Array(IncomingMessage.recoveredID(entered.document)))
    return .refused(AuthenticatorFailure(.parseError(error)), id: id)
  }

  private mutating func submit(
    _ question: AuthenticatorQuestion, _ id: MessageID, _ clock: AccountClock, _ conversations: Conversations
  ) throws(AuthenticatorFailure) -> Message {
    let view = ViewCapabilities(question)
    let task: Request.Task
    switch question.request {
    case "passkey":
      guard view.usesPasskeys, settings.relyingParty != nil else { throw AuthenticatorFailure.passkeysUnavailable }
      return .passkey(attempt: question.attempt, id: id)
    case "login": if let token = question.resume { task = .resume(token: token) } else { task = try login() }
    case "setup":
      let key = key(of: question, question.attempt)
      task = try setup(key: key, after: conversations.waitingSignUp(key: key, now: clock.steady))
    case "forgotPassword":
      task = .forgotPassword(email: try string("email"), requester: requester(question))
    case "resetPassword":
      task = .resetPassword(
        email: try string("email"), key: key(of: question, question.attempt), requester: requester(question))
    default:
      guard let person = try userTask(question) else { throw Self.unsupportedRequest }
      task = person
    }
    var password = SecretBytes()
    var newPassword = SecretBytes()
    var code = SecretBytes()
    switch task {
    case .resume, .forgotPassword, .person(.status, _): break
    default: password = try secret("password")
    }
    if case .resetPassword = task { code = try secret("code") }
    if case .person(.password, _) = task { newPassword = try secret("new_password") }
    return .submit(
      Request(
        id: id, attempt: question.attempt, task: task, password: password, newPassword: newPassword, code: code,
        device: device(), view: view, locale: question.locale, client: ClientAddress(question), now: clock.now))
  }

  /// Returns the token of the user's device. Empty if the view has sent none.
  private mutating func device() -> SecretBytes {
    entered.withOpeningSecret(Self.deviceSecret) { SecretBytes(copying: $0) } ?? SecretBytes()
  }

  private func login() throws(AuthenticatorFailure) -> Request.Task {
    switch (try optionalString("email"), try optionalString("userName")) {
    case (let email?, nil): return .login(identifier: email, field: .email)
    case (nil, let name?): return .login(identifier: name, field: .userName)
    case (nil, nil), (_?, _?):
      throw AuthenticatorFailure(-32602, .invalidParams, "A login has either email or userName.")
    }
  }

  private func setup(key: String, after earlier: PendingSignUp?) throws(AuthenticatorFailure) -> Request.Task {
    .setup(
      email: try string("email"), userName: try string("userName"), attributes: try attributes(), key: key,
      after: earlier)
  }

  /// Returns the attributes of a sign-up. Throws if a value cannot be stored, instead of dropping
  /// it.
  private func attributes() throws(AuthenticatorFailure) -> String? {
    let members = entered.others(than: ["email", "userName", "password"])
    for member in members where settings.secretValues.contains(member.key) { throw Self.unsupported(member.key) }
    do throws(Attributes.Problem) {
      return try Attributes.text(members)
    } catch {
      throw Self.unsupported(error.name)
    }
  }

  /// Returns the idempotency key, which is the same for a request and all its repetitions. A
  /// request written by hand may omit it; the key then consists of the run and the attempt.
  func key(of question: AuthenticatorQuestion, _ number: UInt64) -> String {
    question.key?.text ?? "\(run):\(question.retryOf ?? number)"
  }

  /// A unique name of the session across all engines. Nil if the request names no session, which is
  /// allowed for requests written by hand.
  private func requester(_ question: AuthenticatorQuestion) -> String? {
    guard (1...1_024).contains(question.session.count) else { return nil }
    return "\(run) \(String(decoding: question.session, as: UTF8.self))"
  }

  // MARK: Values

  /// Copies a secret from the line into memory that is wiped.
  mutating func secret(_ field: String) throws(AuthenticatorFailure) -> SecretBytes {
    guard let secret = entered.withSecret(field, { SecretBytes(copying: $0) }) else { throw Self.invalid(field) }
    return secret
  }

  func string(_ field: String) throws(AuthenticatorFailure) -> String {
    guard let string = try optionalString(field) else { throw Self.invalid(field) }
    return string
  }

  private func optionalString(_ field: String) throws(AuthenticatorFailure) -> String? {
    guard let kind = entered.kind(field), kind != .null else { return nil }
    guard let text = entered.text(field) else { throw Self.invalid(field) }
    return text
  }
}

/// Refusals of requests.
extension RequestReader {
  static func invalid(_ name: String) -> AuthenticatorFailure {
    guard name != "params" else { return AuthenticatorFailure(-32602, .invalidParams, "params is an object.") }
    return AuthenticatorFailure(InvalidMember(name))
  }

  private static func unsupported(_ name: String?) -> AuthenticatorFailure {
    let what =
      name.map {
        "the value \($0): it is secret, an object or an array, too long, or its name has other than letters, digits, _, - and ."
      }
      ?? "so many values, or so long ones."
    return AuthenticatorFailure(
      108, .unsupportedValue, "The accounts do not keep " + what,
      name.map { [.init("param", .string("values.\($0)"))] } ?? [])
  }

  private static var unsupportedRequest: AuthenticatorFailure {
    AuthenticatorFailure(
      100, .unsupportedRequest,
      "The accounts understand the requests login, passkey, setup, forgotPassword, resetPassword and, for a person who is in, "
        + userRequests.joined(separator: ", ") + ".")
  }

  private static var unknownMethod: AuthenticatorFailure {
    AuthenticatorFailure(
      -32601, "methodNotFound",
      "There is no such method. There are authenticator/describe, authenticator/submit, authenticator/continue, authenticator/check, "
        + "authenticator/cancel and, under a manual clock, clock/advance.")
  }
}

extension AuthenticatorFailure {
  init(_ number: Int, _ error: AccountsError, _ message: String, _ details: [JSONValue.Member] = []) {
    self.init(number, error.rawValue, message, details)
  }

  /// The failure for a line that breaks JSON-RPC. It has the number and the text that the engine
  /// uses for the same error.
  init(_ error: RPCError) {
    self.init(
      error.number, error.name, error.message, error.details)
  }
}

extension ViewCapabilities {
  /// Creates the capabilities from those that a question's view has declared.
  init(_ question: AuthenticatorQuestion) {
    self.init()
    usesPasskeys = question.supports?.contains("webauthn.get") ?? false
    makesPasskeys = question.supports?.contains("webauthn.create") ?? false
  }
}

extension ClientAddress {
  /// Creates a client's address from the member `address` of the session's context. Returns nil if
  /// the member is not a string with a usable address.
  init?(_ question: AuthenticatorQuestion) {
    guard let context = question.context, let value = try? JSONValue(parsing: context),
      let address = value["address"]?.string
    else { return nil }
    self.init(address)
  }
}
