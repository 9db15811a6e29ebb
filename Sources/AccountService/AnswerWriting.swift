import AccountStore
import JSONCodec
import LoginProtocol
import SecretMemory

/// The answers of workers, as lines of the authenticator protocol.
extension ByteBuffer {
  mutating func appendLine(_ error: RPCError, id: [UInt8]) {
    id.withUnsafeBytes { appendErrorReply(error, id: $0) }
    append(0x0A)
  }

  mutating func appendEmptyResultLine(id: [UInt8]) {
    id.withUnsafeBytes { appendReplyHead(id: $0) }
    append("{}}\n")
  }

  mutating func appendLine(_ answer: Finished.Answer, to request: Request) {
    switch answer {
    case .failed(let error): appendLine(RPCError(error), id: request.id)
    case .check(let refused): appendResult(request) { $0.append(checked: refused) }
    case .login(.pending), .login(.accepted), .setup(.accepted), .step, .signUp(.pending), .renewed, .confirmed,
      .person:
      // The conversation that they belong to replies to these.
      return
    case .login(.rejected), .login(.rejectedLocking):
      appendResult(request) { $0.append(rejected: .invalidCredentials) }
    case .resetPassword(.rejected, of: _):
      appendResult(request) { $0.append([RefusedValue(.resetCode, .invalid)], reason: nil, request) }
    case .over: appendResult(request) { $0.append(rejected: .challengeExpired) }
    case .login(.locked): appendResult(request) { $0.append(rejected: .tooManyFailures) }
    case .login(.disabled): appendResult(request) { $0.append(rejected: .accountDisabled) }
    case .login(.throttled(let wait)), .setup(.throttled(let wait)), .signUp(.throttled(let wait)),
      .forgotPassword(.throttled(let wait)), .resetPassword(.throttled(let wait), of: _), .clientThrottled(let wait):
      appendResult(request) { $0.append(throttled: wait) }
    case .forgotPassword(.taken): appendResult(request) { $0.append(notice: .resetSent) }
    case .resetPassword(.done, of: _): appendResult(request) { $0.append(notice: .resetDone) }
    case .resetPassword(.doneTaking, of: _): appendResult(request) { $0.append(notice: .resetDoneTaking) }
    case .login(.refused(let refused)):
      appendResult(request) { $0.append(refused, reason: .invalidCredentials, request) }
    case .setup(.refused(let refused)), .signUp(.refused(let refused)):
      appendResult(request) { $0.append(refused, reason: .registrationRefused, request) }
    case .forgotPassword(.refused(let refused)), .resetPassword(.refused(let refused), of: _):
      appendResult(request) { $0.append(refused, reason: nil, request) }
    }
  }

  private mutating func appendResult(_ request: Request, _ outcome: (inout ByteBuffer) -> Void) {
    appendResult(id: request.id, outcome)
  }

  mutating func appendResult(id: [UInt8], _ outcome: (inout ByteBuffer) -> Void) {
    var line = ByteBuffer()
    id.withUnsafeBytes { line.appendReplyHead(id: $0) }
    line.append(#"{"outcome":"#)
    outcome(&line)
    line.append("}}\n")
    // What somebody else has written into an account is the trouble of that account: the engine ends who writes a line that is too long.
    guard line.count <= Self.longestAnswer else { return appendLine(RPCError(.damaged), id: id) }
    line.withBytes { append($0) }
  }

  private static var longestAnswer: Int { 1 << 19 }

  /// What is said of one value.
  mutating func append(checked refused: RefusedValue?) {
    guard let refused else { return append(#""valid""#) }
    append(#""invalid","message":"#)
    append(AccountMessage(ofNew: refused), minimum: refused.problem.minimum)
  }

  private mutating func append(notice message: AccountMessage) {
    append(#""notice","message":"#)
    append(message)
  }

  mutating func append(throttled wait: Int64) {
    append(#""throttled","retryAfterMs":"#)
    append(decimal: UInt64(clamping: wait))
  }

  mutating func append(rejected reason: AccountMessage) {
    append(#""rejected","reason":""#)
    append(reason.rawValue)
    append(#"""#)
  }

  /// A message. `minimum` is the fewest characters, if the message is about them.
  mutating func append(_ message: AccountMessage, minimum: Int? = nil) {
    append(#"{"code":""#)
    append(message.rawValue)
    append(#"""#)
    if let minimum {
      append(#","params":{"length":"#)
      append(decimal: UInt64(clamping: minimum))
      append("}")
    }
    append("}")
  }

  mutating func append(_ acceptance: Acceptance) {
    let account = acceptance.account
    append(#""accepted","principal":"#)
    appendJSONString(account.userName)
    append(#","data":{"account":"#)
    append(decimal: UInt64(clamping: account.id))
    append(#","email":"#)
    appendJSONString(account.email)
    append(#","userName":"#)
    appendJSONString(account.userName)
    if let stored = account.attributes {
      if let attributes = Attributes.text(stored: stored) {
        append(#","attributes":"#)
        append(attributes)
      } else {
        Console.reportError("The attributes of the account \(account.id) cannot be read, and are left out.")
      }
    }
    // The application then ends its other sessions.
    if acceptance.passwordChanged { append(#","passwordChanged":true"#) }
    if let use = acceptance.codeUse {
      append(#","recoveryCode":"#)
      append(numbersOf: use)
    }
    append(#"},"factors":["#)
    for (index, factor) in acceptance.factors.enumerated() {
      if index > 0 { append(",") }
      append("\"")
      append(factor.name)
      append("\"")
    }
    append("]")
    if let device = acceptance.device {
      append(#","secret":{""#)
      append(RequestReader.deviceSecret)
      append(#"":""#)
      device.text.withBytes { append($0) }
      append(#""}"#)
    }
  }

  mutating func append(numbersOf use: RecoveryCodeUse) {
    append(#"{"number":"#)
    append(decimal: UInt64(clamping: use.number))
    append(#","count":"#)
    append(decimal: UInt64(clamping: use.count))
    append(#","left":"#)
    append(decimal: UInt64(clamping: use.left))
    append("}")
  }

  /// What is wrong with the values of a sign-up that was under way.
  mutating func append(setup refused: [RefusedValue]) {
    append(rejected: .registrationRefused)
    append(#","items":{"#)
    for (index, value) in refused.enumerated() {
      if index > 0 { append(",") }
      append(value.field == .userName ? #""userName":["# : #""email":["#)
      append(AccountMessage(ofNew: value), minimum: nil)
      append("]")
    }
    append("}")
  }

  /// One message for each item, under the name of the item on the wire. Without a reason the first message is also that
  /// of the form.
  private mutating func append(_ refused: [RefusedValue], reason: AccountMessage?, _ request: Request) {
    if let reason { append(rejected: reason) } else { append(#""rejected""#) }
    append(#","items":{"#)
    for (index, value) in refused.enumerated() {
      if index > 0 { append(",") }
      append("\"")
      append(Self.key(value.field, request))
      append(#"":["#)
      append(AccountMessage(value.problem, of: value.field, request), minimum: value.problem.minimum)
      append("]")
    }
    append("}")
  }

  /// The name of a value on the wire.
  private static func key(_ field: AccountField, _ request: Request) -> StaticString {
    switch field {
    case .email: "email"
    case .userName: "userName"
    case .password: "password"
    case .resetCode, .recoveryCode: "code"
    case .identifier: request.identifierField == .userName ? "userName" : "email"
    }
  }
}

extension RPCError {
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
    self.init(number, name.rawValue, error.explanation)
  }

  static var passkeysUnavailable: RPCError {
    RPCError(
      110, AccountsError.passkeysUnavailable.rawValue,
      "Passkeys are for views that support webauthn.get, of accounts that are served with --rp-id and --origin.")
  }

  static var cancelled: RPCError {
    RPCError(106, "cancelled", "This was cancelled before it was begun.")
  }
}
