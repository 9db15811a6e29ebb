public import JSONCodec

/// The methods of the contract between the engine and authenticators.
public enum AuthenticatorMethod: CaseIterable, Sendable {
  // Sent by the engine.
  case describe, configure, submit, `continue`, check, cancel, advance
  // Sent by the authenticator.
  case notify

  /// The method's name on the wire.
  @inlinable public var text: StaticString {
    switch self {
    case .describe: "authenticator/describe"
    case .configure: "authenticator/configure"
    case .submit: "authenticator/submit"
    case .continue: "authenticator/continue"
    case .check: "authenticator/check"
    case .cancel: "authenticator/cancel"
    case .advance: "clock/advance"
    case .notify: "authenticator/notify"
    }
  }

  /// The method with this name; `nil` if the contract has none.
  public init?(_ document: borrowing JSONDocument, _ node: JSONDocument.Node) {
    for method in AuthenticatorMethod.allCases where document.equals(node, method.text) {
      self = method
      return
    }
    return nil
  }
}

/// The names of members on the wire. Reading and writing both use them.
enum Name {
  // Of JSON-RPC.
  static var id: StaticString { "id" }
  static var method: StaticString { "method" }
  static var params: StaticString { "params" }
  static var result: StaticString { "result" }
  static var error: StaticString { "error" }

  // Of questions.
  static var attempt: StaticString { "attempt" }
  static var retryOf: StaticString { "retryOf" }
  static var request: StaticString { "request" }
  static var item: StaticString { "item" }
  static var action: StaticString { "action" }
  static var resume: StaticString { "resume" }
  static var poll: StaticString { "poll" }
  static var values: StaticString { "values" }
  static var fields: StaticString { "fields" }
  static var locale: StaticString { "locale" }
  static var previous: StaticString { "previous" }
  static var session: StaticString { "session" }
  static var flow: StaticString { "flow" }
  static var screen: StaticString { "screen" }
  static var key: StaticString { "key" }
  static var principal: StaticString { "principal" }
  static var context: StaticString { "context" }
  static var supports: StaticString { "supports" }
  static var secrets: StaticString { "secrets" }

  // Of answers.
  static var outcome: StaticString { "outcome" }
  static var data: StaticString { "data" }
  static var proofs: StaticString { "proofs" }
  static var factor: StaticString { "factor" }
  static var at: StaticString { "at" }
  static var secret: StaticString { "secret" }
  static var message: StaticString { "message" }
  static var retryAfterMs: StaticString { "retryAfterMs" }
  static var reason: StaticString { "reason" }
  static var items: StaticString { "items" }
  static var notice: StaticString { "notice" }
  static var wait: StaticString { "wait" }
  static var pollAfterMs: StaticString { "pollAfterMs" }
  static var expiresInMs: StaticString { "expiresInMs" }
  static var alert: StaticString { "alert" }

  // Of messages and errors.
  static var code: StaticString { "code" }
  static var text: StaticString { "text" }
  static var severity: StaticString { "severity" }
  static var title: StaticString { "title" }
  static var messages: StaticString { "messages" }

  // Of descriptions and clocks.
  static var `protocol`: StaticString { "protocol" }
  static var engine: StaticString { "engine" }
  static var version: StaticString { "version" }
  static var name: StaticString { "name" }
  static var build: StaticString { "build" }
  static var requests: StaticString { "requests" }
  static var offers: StaticString { "offers" }
  static var wants: StaticString { "wants" }
  static var files: StaticString { "files" }
  static var path: StaticString { "path" }
  static var use: StaticString { "use" }
  static var milliseconds: StaticString { "milliseconds" }

  // Of settings.
  static var clock: StaticString { "clock" }
  static var manual: StaticString { "manual" }
  static var now: StaticString { "now" }
  static var minimumLengths: StaticString { "minimumLengths" }
  static var secretValues: StaticString { "secretValues" }
  static var texts: StaticString { "texts" }
  static var defaultLocale: StaticString { "defaultLocale" }
  static var locales: StaticString { "locales" }
}

extension ByteBuffer {
  /// Appends the name of a member that is not the first of its object.
  @inline(__always) mutating func append(member name: StaticString) {
    append(atMost: name.utf8CodeUnitCount + 4) { pen in
      pen.put(0x2C)
      pen.put(0x22)
      pen.put(name)
      pen.put(0x22)
      pen.put(0x3A)
    }
  }

  /// Appends the opening brace of an object and the name of its first member.
  @inline(__always) mutating func append(first name: StaticString) {
    append(atMost: name.utf8CodeUnitCount + 4) { pen in
      pen.put(0x7B)
      pen.put(0x22)
      pen.put(name)
      pen.put(0x22)
      pen.put(0x3A)
    }
  }

  /// Appends a member to an object that already has a member. Appends nothing if the value is
  /// `nil`.
  mutating func append(member name: StaticString, _ text: String?) {
    guard let text else { return }
    append(member: name)
    appendJSONString(text)
  }

  mutating func append(member name: StaticString, _ number: UInt64?) {
    guard let number else { return }
    append(member: name)
    append(decimal: number)
  }

  /// Appends a member whose value is an array of strings to an object that already has a member.
  /// Appends nothing if the array is `nil`.
  mutating func append(member name: StaticString, _ texts: [String]?) {
    guard let texts else { return }
    append(member: name)
    append(0x5B)
    for (index, text) in texts.enumerated() {
      if index > 0 { append(0x2C) }
      appendJSONString(text)
    }
    append(0x5D)
  }

  /// Appends a member whose value is given as JSON text to an object that already has a member.
  /// Appends nothing if the text is `nil`.
  mutating func append(member name: StaticString, json: [UInt8]?) {
    guard let json else { return }
    append(member: name)
    append(json)
  }

  mutating func append(member name: StaticString, json: SensitiveJSON?) {
    guard let json else { return }
    append(member: name)
    json.withBytes { append($0) }
  }

  /// Appends the part of a request that precedes its params. `appendID` appends the id. The caller
  /// appends the params afterwards.
  @inline(__always) mutating func appendCall(_ method: AuthenticatorMethod, _ appendID: (inout ByteBuffer) -> Void) {
    append(#"{"jsonrpc":"2.0","id":"#)
    appendID(&self)
    append(#","method":""#)
    append(method.text)
    append(#"","params":"#)
  }

  mutating func appendNotification(_ method: AuthenticatorMethod) {
    append(#"{"jsonrpc":"2.0","method":""#)
    append(method.text)
    append(#"","params":"#)
  }
}

extension JSONValue {
  /// The member with this name; `nil` if the value is not an object or has no such member.
  subscript(name: StaticString) -> JSONValue? { self["\(name)"] }
}

extension JSONValue.Member {
  init(_ name: StaticString, _ value: JSONValue) { self.init("\(name)", value) }
}
