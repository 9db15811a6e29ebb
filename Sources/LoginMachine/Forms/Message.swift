/// Something to tell a person: a stable code for programs, from which the flow's strings make the text.
public struct Message: Equatable, Sendable {
  /// A stable name.
  public var code: String
  /// What fills the placeholders of the text, e.g. `{length}`.
  public var parameters: [Parameter]
  /// The text to use if the flow has none for the code, or in any case if `isVerbatim`.
  public var text: String?
  /// Whether the text is shown although the flow may have one for the code: the code stands for any words of whoever gave the message.
  public var isVerbatim = false
  /// How serious it is, if that was said. It never says whether anything is over.
  public var severity: Severity?

  public init(_ code: String, _ parameters: [Parameter] = [], text: String? = nil, severity: Severity? = nil) {
    self.code = code
    self.parameters = parameters
    self.text = text
    self.severity = severity
  }

  /// How serious a message is. The raw values are those on the wire.
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

  /// What a parameter can be. A number keeps the text it was written with.
  public enum Value: Equatable, Sendable {
    case number(String)
    case text(String)

    /// The value as it stands in a text.
    public var description: String {
      switch self {
      case .number(let text), .text(let text): text
      }
    }
  }
}

extension Rule {
  /// What is said when the rule is not met.
  public var failure: Message { Message(message, requirement.parameters + parameters, text: text) }
}

extension Rule.Requirement {
  /// What the requirement itself says of its bounds.
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

  /// Texts of which each is made only when it is asked for.
  ///
  /// - Parameters:
  ///   - find: makes the text for a key; `nil` if there is none.
  ///   - all: makes all of the texts, of which `find` makes one.
  public init(find: @escaping @Sendable (String) -> String?, all: @escaping @Sendable () -> [String: String]) {
    self.find = find
    self.all = all
  }

  public static func == (left: StringTable, right: StringTable) -> Bool { left.texts == right.texts }

  /// All texts by key, made anew each time.
  public var texts: [String: String] { all() }

  /// The text for a key; `nil` if there is none.
  public subscript(_ key: String) -> String? { find(key) }

  /// These texts, and those of another table for the keys that this one has none for.
  public func filled(from other: StringTable) -> StringTable {
    StringTable(find: { self[$0] ?? other[$0] }, all: { texts.merging(other.texts) { own, _ in own } })
  }

  /// The text for a key; the key itself where there is none, so that a gap is seen.
  public func text(_ key: String) -> String { self[key] ?? key }

  /// The text of a message: the flow's own for its code unless the message is verbatim, else the one it brings, else that of `unknownError`.
  public func text(_ message: Message) -> String {
    if message.isVerbatim, let text = message.text { return text }
    if let pattern = self[message.code] { return fill(pattern, message.parameters) }
    return message.text ?? self[EngineMessage.unknownError.rawValue] ?? "Unknown error"
  }

  /// Whether a view sees no difference between two messages.
  public func showsSame(_ left: Message, _ right: Message) -> Bool {
    left.code == right.code && left.parameters == right.parameters && left.severity == right.severity
      && (left == right || text(left) == text(right))
  }

  /// The same of messages that need not be there.
  public func showsSame(_ left: Message?, _ right: Message?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return showsSame(left, right)
  }

  private func fill(_ pattern: String, _ parameters: [Message.Parameter]) -> String {
    guard !parameters.isEmpty else { return pattern }
    var result = ""
    var rest = Substring(pattern)
    // The innermost brace, so that one which opens nothing does not hide a name after it.
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
