public import JSONCodec

/// A setting that an authenticator can ask for in its description. The raw value is the setting's
/// name on the wire.
public enum AuthenticatorSetting: String, CaseIterable, Sendable {
  /// The engine's clock. If it is manual, the engine sends `clock/advance` whenever the clock
  /// moves.
  case clock
  /// The minimum lengths that the default flow requires of values.
  case minimumLengths
  /// The names of the values that users enter in secret.
  case secretValues
  /// The texts for mails that the default flow defines.
  case texts

  /// Reads an array of names. Names that this version does not know are left out.
  static func set(_ list: JSONDocument.Node?, _ document: borrowing JSONDocument) -> Set<AuthenticatorSetting> {
    let names = list.flatMap { document.strings($0) } ?? []
    return Set(names.compactMap { AuthenticatorSetting(rawValue: $0) })
  }

  /// The wire names of the settings in `needs`; `nil` if the set is empty.
  static func names(_ needs: Set<AuthenticatorSetting>) -> [String]? {
    needs.isEmpty ? nil : allCases.filter { needs.contains($0) }.map(\.rawValue)
  }
}

/// The settings that an engine sends with `authenticator/configure`. Settings that the
/// authenticator has not asked for are `nil`.
public struct AuthenticatorSettings: Equatable, Sendable {
  /// The engine's clock.
  public enum Clock: Equatable, Sendable {
    /// The system's clock.
    case system
    /// A manual clock at `now`, in milliseconds since 1970. Only `clock/advance` moves it.
    case manual(now: UInt64)
  }

  /// Texts for mails, in each language of the default flow.
  public struct Texts: Equatable, Sendable {
    /// The language of mails to users for whose own language there are no texts.
    public var defaultLocale: String
    /// The texts, by language tag, then by key, such as `mail.reset.subject`.
    public var locales: [String: [String: String]]

    public init(defaultLocale: String, locales: [String: [String: String]]) {
      self.defaultLocale = defaultLocale
      self.locales = locales
    }
  }

  public var clock: Clock?
  /// The minimum number of characters of a value, by request and then by field.
  public var minimumLengths: [String: [String: Int]]?
  /// The names under which the flows send values that users enter in secret. An authenticator that
  /// stores every value it gets, even one whose meaning it does not know, should leave these out.
  public var secretValues: [String]?
  public var texts: Texts?

  public init() {}
}

extension AuthenticatorSettings {
  /// Appends the notification `authenticator/configure` with these settings.
  public func write(to buffer: inout ByteBuffer) {
    var params: [JSONValue.Member] = []
    if let clock { params.append(.init(Name.clock, clock.json)) }
    if let minimumLengths {
      let lengths = AuthenticatorSettings.object(minimumLengths) { fields in
        AuthenticatorSettings.object(fields) { .number(String($0)) }
      }
      params.append(.init(Name.minimumLengths, lengths))
    }
    if let secretValues { params.append(.init(Name.secretValues, .array(secretValues.map { .string($0) }))) }
    if let texts {
      let locales = AuthenticatorSettings.object(texts.locales) { table in
        AuthenticatorSettings.object(table) { .string($0) }
      }
      let members: [JSONValue.Member] = [
        .init(Name.defaultLocale, .string(texts.defaultLocale)), .init(Name.locales, locales),
      ]
      params.append(.init(Name.texts, .object(members)))
    }
    buffer.appendNotification(.configure)
    JSONValue.object(params).write(to: &buffer)
    buffer.append("}\n")
  }

  private static func object<Value>(_ values: [String: Value], _ write: (Value) -> JSONValue) -> JSONValue {
    .object(values.sorted { $0.key < $1.key }.map { .init($0.key, write($0.value)) })
  }

  /// Reads the params of the notification `authenticator/configure`. A setting that is invalid
  /// counts as absent.
  init(params: JSONValue) {
    if let clock = params[Name.clock] {
      let now: UInt64? = if case .number(let text)? = clock[Name.now] { UInt64(text) } else { nil }
      self.clock = clock[Name.manual]?.bool == true ? .manual(now: now ?? 0) : .system
    }
    minimumLengths = AuthenticatorSettings.table(params[Name.minimumLengths]) { fields in
      AuthenticatorSettings.table(fields) { $0.integer }
    }
    secretValues = params[Name.secretValues]?.array.map { $0.compactMap(\.string) }
    if let texts = params[Name.texts], let defaultLocale = texts[Name.defaultLocale]?.string,
      let locales = AuthenticatorSettings.table(texts[Name.locales], { AuthenticatorSettings.table($0) { $0.string } })
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

extension AuthenticatorSettings.Clock {
  fileprivate var json: JSONValue {
    switch self {
    case .system: .object([.init(Name.manual, .bool(false))])
    case .manual(let now): .object([.init(Name.manual, .bool(true)), .init(Name.now, .number(String(now)))])
    }
  }
}
