import AccountStore
import JSONCodec
import LoginProtocol

/// What has been found out, as lines of the authenticator protocol.
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
    case .login(.accepted(let account)), .setup(.accepted(let account)): appendResult(request) { $0.append(account) }
    case .login(.rejected): appendResult(request) { $0.append(#""rejected","reason":"invalidCredentials"}"#) }
    case .login(.throttled(let wait)), .setup(.throttled(let wait)):
      appendResult(request) { buffer in
        buffer.append(#""throttled","retryAfterMs":"#)
        buffer.append(decimal: UInt64(clamping: wait))
        buffer.append("}")
      }
    case .login(.refused(let refused)):
      appendResult(request) { $0.append(refused, reason: "invalidCredentials", request) }
    case .setup(.refused(let refused)):
      appendResult(request) { $0.append(refused, reason: "registrationRefused", request) }
    }
  }

  private mutating func appendResult(_ request: Request, _ outcome: (inout ByteBuffer) -> Void) {
    request.id.withUnsafeBytes { appendReplyHead(id: $0) }
    append(#"{"outcome":"#)
    outcome(&self)
    append("}\n")
  }

  private mutating func append(_ account: Account) {
    append(#""accepted","principal":"#)
    appendJSONString(account.userName)
    append(#","data":{"account":"#)
    append(decimal: UInt64(clamping: account.id))
    append(#","email":"#)
    appendJSONString(account.email)
    append(#","userName":"#)
    appendJSONString(account.userName)
    append("}}")
  }

  /// One message for each item, under the name that the item has on the wire.
  private mutating func append(_ refused: [RefusedValue], reason: StaticString, _ request: Request) {
    append(#""rejected","reason":""#)
    append(reason)
    append(#"","items":{"#)
    for (index, value) in refused.enumerated() {
      if index > 0 { append(",") }
      let field = Wording.field(value.field, request)
      append("\"")
      append(field.key)
      append(#"":[{"code":""#)
      append(Wording.code(value.problem, field))
      append("\"")
      if case .tooShort(let minimum) = value.problem {
        append(#","params":{"length":"#)
        append(decimal: UInt64(clamping: minimum))
        append("}")
      }
      append("}]")
    }
    append("}}")
  }
}

/// How values are called on the wire, and how what is wrong with them is.
private enum Wording {
  enum Field {
    case email, userName, password

    var key: StaticString {
      switch self {
      case .email: "email_field"
      case .userName: "user_name"
      case .password: "password"
      }
    }

    var prefix: String {
      switch self {
      case .email: "email"
      case .userName: "userName"
      case .password: "password"
      }
    }
  }

  static func field(_ field: AccountField, _ request: Request) -> Field {
    switch field {
    case .email: return .email
    case .userName: return .userName
    case .password: return .password
    case .identifier:
      if case .login(_, .userName) = request.task { return .userName }
      return .email
    }
  }

  static func code(_ problem: ValueProblem, _ field: Field) -> String {
    switch problem {
    case .missing: field.prefix + ".missing"
    case .unusable: "value.unusable"
    case .invalid: field.prefix + ".invalid"
    case .tooShort: field.prefix + ".tooShort"
    case .taken: field.prefix + ".taken"
    }
  }
}

extension RPCError {
  init(_ error: AccountStoreError) {
    let number =
      switch error {
      case .notADatabase: 101
      case .readOnly: 102
      case .locked: 103
      case .unavailable: 104
      case .failed: 105
      }
    self.init(number, error.name, error.explanation)
  }

  static var cancelled: RPCError {
    RPCError(106, "cancelled", "This was cancelled before it was begun.")
  }
}
