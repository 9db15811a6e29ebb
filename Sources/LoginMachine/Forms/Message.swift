/// A message for the user: a stable code, for which the flow's strings contain the text.
public struct Message: Equatable, Sendable {
  /// The stable code of the message.
  public var code: String
  /// Values for the placeholders of the text, such as `{length}`.
  public var parameters: [Parameter]
  /// The text to use if the flow has none for the code, or always if `isVerbatim`.
  public var text: String?
  /// Whether `text` is shown even if the flow has a text for the code. Set if the authenticator can
  /// send different texts with the same code.
  public var isVerbatim = false
  /// The severity, if the authenticator gave one. It does not affect the state of the session.
  public var severity: Severity?

  public init(_ code: String, _ parameters: [Parameter] = [], text: String? = nil, severity: Severity? = nil) {
    self.code = code
    self.parameters = parameters
    self.text = text
    self.severity = severity
  }

  /// The severity of a message. The raw values are those on the wire.
  public enum Severity: String, CaseIterable, Sendable {
    case info, success, warning, error
  }

  /// A named value in a message.
  public struct Parameter: Equatable, Sendable {
    public var name: String
    public var value: Value

    public init(_ name: String, _ value: Value) {
      self.name = name
      self.value = value
    }
  }

  /// The value of a parameter. A number keeps its original notation.
  public enum Value: Equatable, Sendable {
    case number(String)
    case text(String)

    /// The value as it appears in a text.
    public var description: String {
      switch self {
      case .number(let text), .text(let text): text
      }
    }
  }
}

extension Rule {
  /// The message to show when a value breaks the rule.
  public var failure: Message { Message(message, requirement.parameters + parameters, text: text) }
}

extension Rule.Requirement {
  /// The bounds in the requirement, as parameters of the rule's message.
  public var parameters: [Message.Parameter] {
    switch self {
    case .required, .email, .equalTo, .oneOf, .pattern, .date: []
    case .minLength(let length, _), .maxLength(let length): [.init("length", .number(String(length)))]
    case .minAge(let years), .maxAge(let years): [.init("years", .number(String(years)))]
    case .before(let bound), .after(let bound): [.init("date", .text(bound.text))]
    }
  }
}

/// The texts of one locale, by key.
public struct StringTable: Equatable, Sendable {
  private let find: @Sendable (String) -> String?
  private let all: @Sendable () -> [String: String]

  public init(_ texts: [String: String]) { self.init(find: { texts[$0] }, all: { texts }) }

  /// Creates a table whose texts are made on demand.
  ///
  /// - Parameters:
  ///   - find: returns the text for a key; `nil` if there is none.
  ///   - all: returns all texts; has to agree with `find`.
  public init(find: @escaping @Sendable (String) -> String?, all: @escaping @Sendable () -> [String: String]) {
    self.find = find
    self.all = all
  }

  public static func == (left: StringTable, right: StringTable) -> Bool { left.texts == right.texts }

  /// All texts by key, made on each access.
  public var texts: [String: String] { all() }

  /// The text for a key; `nil` if there is none.
  public subscript(_ key: String) -> String? { find(key) }

  /// This table, with texts from another table where this one has no text.
  public func filled(from other: StringTable) -> StringTable {
    StringTable(find: { self[$0] ?? other[$0] }, all: { texts.merging(other.texts) { own, _ in own } })
  }

  /// The text for a key; the key itself if there is none, so that the gap is visible.
  public func text(_ key: String) -> String { self[key] ?? key }

  /// The text of a message: the flow's text for its code unless the message is verbatim, else the
  /// message's own text, else the text of `unknownError`.
  public func text(_ message: Message) -> String {
    if message.isVerbatim, let text = message.text { return text }
    if let pattern = self[message.code] { return fill(pattern, message.parameters) }
    return message.text ?? self[EngineMessage.unknownError.rawValue] ?? "Unknown error"
  }

  /// Whether two messages look the same in a view.
  public func showsSame(_ left: Message, _ right: Message) -> Bool {
    left.code == right.code && left.parameters == right.parameters && left.severity == right.severity
      && (left == right || text(left) == text(right))
  }

  /// Whether two optional messages look the same in a view. Two absent messages look the same.
  public func showsSame(_ left: Message?, _ right: Message?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return showsSame(left, right)
  }

  private func fill(_ pattern: String, _ parameters: [Message.Parameter]) -> String {
    guard !parameters.isEmpty else { return pattern }
    var result = ""
    var rest = Substring(pattern)
    // Finds the innermost opening brace, so that an unmatched brace does not hide a placeholder
    // after it.
    while let first = rest.firstIndex(of: "{"), let close = rest[first...].firstIndex(of: "}"),
      let open = rest[..<close].lastIndex(of: "{")
    {
      let name = rest[rest.index(after: open)..<close]
      result += rest[..<open]
      if let parameter = parameters.first(where: { $0.name == name }) {
        result += parameter.value.description
      } else {
        result += rest[open...close]
      }
      rest = rest[rest.index(after: close)...]
    }
    return result + rest
  }
}
