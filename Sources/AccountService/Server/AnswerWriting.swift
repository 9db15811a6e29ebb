import Accounts
import AuthenticatorKit
import JSONCodec
import LoginMachine
import SecretMemory

/// The lines that the service writes, as the authenticators' contract defines them.
extension ByteBuffer {
  mutating func appendLine(_ failure: AuthenticatorFailure, id: MessageID) { failure.write(to: &self, id: id) }

  /// Appends the answer, or a failure if the answer is too long. The engine terminates an
  /// authenticator whose line is too long, and data that another program has stored in one account
  /// must not cause that.
  mutating func appendLine(_ answer: AuthenticatorAnswer, id: MessageID) {
    var line = ByteBuffer()
    answer.write(to: &line, id: id)
    guard line.count <= Self.longestAnswer else { return appendLine(AuthenticatorFailure(.damaged), id: id) }
    line.withBytes { append($0) }
  }

  mutating func appendLine(_ answer: CheckAnswer, id: MessageID) { answer.write(to: &self, id: id) }

  mutating func appendLine(_ answer: Finished.Answer, to request: Request) {
    if case .failed(let error) = answer { return appendLine(AuthenticatorFailure(error), id: request.id) }
    if case .check(let refused) = answer { return appendLine(CheckAnswer(refused), id: request.id) }
    if let answer = AuthenticatorAnswer(answer, to: request) { appendLine(answer, id: request.id) }
  }

  private static var longestAnswer: Int { 1 << 19 }
}

extension CheckAnswer {
  /// Creates the answer to the check of one value.
  init(_ refused: RefusedValue?) {
    self = refused.map { .invalid(Message(AccountMessage(ofNew: $0), minimum: $0.problem.minimum)) } ?? .valid
  }
}

extension AuthenticatorAnswer {
  /// Creates the answer to a request from the result that a worker has found. Returns nil for
  /// results whose answer is created elsewhere, such as those of a conversation.
  fileprivate init?(_ answer: Finished.Answer, to request: Request) {
    switch answer {
    case .failed, .check, .login(.pending), .login(.accepted), .setup(.accepted), .step, .signUp(.pending), .renewed,
      .confirmed, .person:
      return nil
    case .login(.rejected), .login(.rejectedLocking): self = .rejected(.invalidCredentials)
    case .resetPassword(.rejected, of: _): self.init([RefusedValue(.resetCode, .invalid)], reason: nil, request)
    case .over: self = .rejected(.challengeExpired)
    case .login(.locked): self = .rejected(.tooManyFailures)
    case .login(.disabled): self = .rejected(.accountDisabled)
    case .login(.throttled(let wait)), .setup(.throttled(let wait)), .signUp(.throttled(let wait)),
      .forgotPassword(.throttled(let wait)), .resetPassword(.throttled(let wait), of: _), .clientThrottled(let wait):
      self = .throttled(wait)
    case .forgotPassword(.taken): self = .notice(Message(.resetSent))
    case .resetPassword(.done, of: _): self = .notice(Message(.resetDone))
    case .resetPassword(.doneRemovingFactors, of: _): self = .notice(Message(.resetDoneTaking))
    case .login(.refused(let refused)): self.init(refused, reason: .invalidCredentials, request)
    case .setup(.refused(let refused)), .signUp(.refused(let refused)):
      self.init(refused, reason: .registrationRefused, request)
    case .forgotPassword(.refused(let refused)), .resetPassword(.refused(let refused), of: _):
      self.init(refused, reason: nil, request)
    }
  }

  /// Creates a message for each refused value, at its item. Without a `reason`, the form shows the
  /// first message as well.
  private init(_ refused: [RefusedValue], reason: AccountMessage?, _ request: Request) {
    self = .rejected(
      reason: reason?.rawValue,
      items: refused.map { value in
        let message = AccountMessage(value.problem, of: value.field, request)
        return .init(Self.key(value.field, request), [Message(message, minimum: value.problem.minimum)])
      })
  }

  /// The name of a value's field on the wire.
  private static func key(_ field: AccountField, _ request: Request) -> String {
    switch field {
    case .email: "email"
    case .userName: "userName"
    case .password: "password"
    case .resetCode, .recoveryCode: "code"
    case .identifier: request.identifierField == .userName ? "userName" : "email"
    }
  }

  static func rejected(_ reason: AccountMessage) -> AuthenticatorAnswer { .rejected(reason: reason.rawValue) }

  static func throttled(_ wait: Int64) -> AuthenticatorAnswer { .throttled(retryAfterMs: UInt64(clamping: wait)) }

  /// Creates the answer that refuses values of a pending sign-up.
  static func refusedSignUp(_ refused: [RefusedValue]) -> AuthenticatorAnswer {
    .rejected(
      reason: AccountMessage.registrationRefused.rawValue,
      items: refused.map { value in
        .init(value.field == .userName ? "userName" : "email", [Message(AccountMessage(ofNew: value))])
      })
  }

  init(_ acceptance: Acceptance) {
    self = .accepted(
      principal: acceptance.account.userName, data: acceptance.data, proofs: acceptance.proofs,
      secret: acceptance.device.map { device in
        SensitiveJSON { buffer in
          buffer.append("{")
          buffer.appendJSONString(RequestReader.deviceSecret)
          buffer.append(#":""#)
          device.text.withBytes { buffer.append($0) }
          buffer.append(#""}"#)
        }
      })
  }
}

extension Acceptance {
  /// The account's data for the view, as a JSON object.
  fileprivate var data: [UInt8] {
    var members: [JSONValue.Member] = [
      .init("account", .number(String(account.id))), .init("email", .string(account.email)),
      .init("userName", .string(account.userName)),
    ]
    if let stored = account.attributes {
      if let attributes = Attributes.text(stored: stored), let value = try? JSONValue(parsing: attributes) {
        members.append(.init("attributes", value))
      } else {
        Console.reportError("The attributes of the account \(account.id) cannot be read, and are left out.")
      }
    }
    // This tells the application to end the user's other sessions.
    if passwordChanged { members.append(.init("passwordChanged", .bool(true))) }
    if let codeUse { members.append(.init("recoveryCode", .object(codeUse.numbers.map { .init($0, .number($1)) }))) }
    return Array(JSONValue.object(members).text.utf8)
  }
}

extension RecoveryCodeUse {
  /// The parameters of the message about a used recovery code: the number of the code, how many
  /// codes there were, and how many are left.
  fileprivate var numbers: [(name: String, number: String)] {
    [("number", String(number)), ("count", String(count)), ("left", String(left))]
  }
}

extension Message {
  /// Creates a message with the given code.
  ///
  /// - Parameter minimum: The minimum length of the value, if the message gives it.
  init(_ message: AccountMessage, minimum: Int? = nil) {
    self.init(message.rawValue, minimum.map { [.init("length", .number(String($0)))] } ?? [])
  }

  /// Creates the message that says which recovery code was used.
  init(_ use: RecoveryCodeUse) {
    self.init(
      AccountMessage.recoveryCodeUsed.rawValue, use.numbers.map { .init($0, .number($1)) }, severity: .info)
  }
}

extension AuthenticatorFailure {
  init(_ error: AccountStoreError) {
    let (number, name): (Int, AccountsError) =
      switch error {
      case .notADatabase: (101, .accountsNotADatabase)
      case .readOnly: (102, .accountsReadOnly)
      case .locked: (103, .accountsLocked)
      case .unavailable, .newer, .moved, .untrusted: (104, .accountsUnavailable)
      case .damaged, .full, .outOfMemory, .failed, .blocklistUnusable: (105, .accountsFailed)
      case .keyUnusable, .pepperUnusable: (107, .accountsKeyUnusable)
      case .server(let problem):
        switch problem {
        case .foreign: (101, .accountsNotADatabase)
        case .readOnly: (102, .accountsReadOnly)
        case .busy: (103, .accountsLocked)
        case .invalidConnection, .noService, .unreachable, .connectionRefused, .unknownHost, .starting,
          .tooManyConnections,
          .noPassword, .wrongPassword, .notAdmitted, .refused, .noTLS, .certificate, .clientCertificate, .tlsFailed,
          .noDatabase, .noRights, .moving, .tooOld, .encoding, .newer, .lost, .noStandby:
          (104, .accountsUnavailable)
        case .full, .failed: (105, .accountsFailed)
        }
      }
    self.init(number, name, error.explanation)
  }

  static var passkeysUnavailable: AuthenticatorFailure {
    AuthenticatorFailure(
      110, .passkeysUnavailable,
      "Passkeys are for views that support webauthn.get, of accounts that are served with --rp-id and --origin.")
  }

  static var cancelled: AuthenticatorFailure {
    AuthenticatorFailure(106, "cancelled", "This was cancelled before it was begun.")
  }
}
