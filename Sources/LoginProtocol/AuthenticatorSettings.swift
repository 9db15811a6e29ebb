public import JSONCodec

/// Something that an engine tells an authenticator that asks for it when it describes itself.
public enum AuthenticatorNeed: String, CaseIterable, Sendable {
  /// The engine's clock, and to be told by `clock/advance` when a manual one moves.
  case clock
  /// How long the values of the default flow have to be.
  case minimumLengths
  /// Which values people enter in secret.
  case secretValues
  /// The texts of the default flow that are for mails.
  case texts
}

/// What an engine tells an authenticator by `authenticator/configure`: of each need what was asked for, and no more.
public struct AuthenticatorSettings: Equatable, Sendable {
  /// The engine's clock.
  public enum Clock: Equatable, Sendable {
    case system
    /// It stands at so many milliseconds, and moves by `clock/advance`.
    case manual(now: UInt64)
  }

  /// Texts by locale, and by their keys.
  public struct Texts: Equatable, Sendable {
    public var defaultLocale: String
    public var locales: [String: [String: String]]

    public init(defaultLocale: String, locales: [String: [String: String]]) {
      self.defaultLocale = defaultLocale
      self.locales = locales
    }
  }

  public var clock: Clock?
  /// By request, then by field.
  public var minimumLengths: [String: [String: Int]]?
  public var secretValues: [String]?
  public var texts: Texts?

  public init() {}
}

extension AuthenticatorSettings {
  /// The notification, as a line.
  public func append(to buffer: inout ByteBuffer) {
    var params: [JSONValue.Member] = []
    switch clock {
    case nil: break
    case .system: params.append(.init("clock", .object([.init("manual", .bool(false))])))
    case .manual(let now):
      params.append(.init("clock", .object([.init("manual", .bool(true)), .init("now", .number(String(now)))])))
    }
    if let minimumLengths {
      let lengths = AuthenticatorSettings.object(minimumLengths) { fields in
        AuthenticatorSettings.object(fields) { .number(String($0)) }
      }
      params.append(.init("minimumLengths", lengths))
    }
    if let secretValues { params.append(.init("secretValues", .array(secretValues.map { .string($0) }))) }
    if let texts {
      let locales = AuthenticatorSettings.object(texts.locales) { table in
        AuthenticatorSettings.object(table) { .string($0) }
      }
      let members: [JSONValue.Member] = [
        .init("defaultLocale", .string(texts.defaultLocale)), .init("locales", locales),
      ]
      params.append(.init("texts", .object(members)))
    }
    let message = JSONValue.object([
      .init("jsonrpc", .string("2.0")), .init("method", .string("authenticator/configure")),
      .init("params", .object(params)),
    ])
    message.write(to: &buffer)
    buffer.append(0x0A)
  }

  private static func object<Value>(_ values: [String: Value], _ write: (Value) -> JSONValue) -> JSONValue {
    .object(values.sorted { $0.key < $1.key }.map { .init($0.key, write($0.value)) })
  }

  /// Reads the params of the notification. What is not as it should be counts as not told.
  public init(params: JSONValue) {
    if let clock = params["clock"] {
      let now: UInt64? = if case .number(let text)? = clock["now"] { UInt64(text) } else { nil }
      self.clock = clock["manual"]?.bool == true ? .manual(now: now ?? 0) : .system
    }
    minimumLengths = AuthenticatorSettings.table(params["minimumLengths"]) { fields in
      AuthenticatorSettings.table(fields) { $0.integer }
    }
    secretValues = params["secretValues"]?.array.map { $0.compactMap(\.string) }
    if let texts = params["texts"], let defaultLocale = texts["defaultLocale"]?.string,
      let locales = AuthenticatorSettings.table(texts["locales"], { AuthenticatorSettings.table($0) { $0.string } })
    {
      self.texts = Texts(defaultLocale: defaultLocale, locales: locales)
    }
  }

  private static func table<Value>(_ value: JSONValue?, _ read: (JSONValue) -> Value?) -> [String: Value]? {
    guard let members = value?.members else { return nil }
    var table: [String: Value] = [:]
    for member in members { table[member.key] = read(member.value) }
    return table
  }
}
