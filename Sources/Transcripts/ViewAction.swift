import JSONCodec

/// An action of a view: it opens a session, performs an action of the screen, or answers as the authenticator.
enum ViewAction {
  /// Opens a session, perhaps with a name, with these params.
  case open(session: String?, [String: JSONValue])
  /// Performs an action while the fields have these values.
  case perform(session: String, action: String, FieldState.Values)
  /// Answers a request of the engine to its frontend, or notifies the engine about it.
  case answer(JSONValue)

  /// The params of `session/open` that are compared.
  private static let params = ["flow", "screen", "locale", "transitions", "policy", "values", "context", "secrets"]

  /// The action that a message is; `nil` if it is none.
  init?(_ message: JSONValue, _ fields: FieldState, _ questions: MockQuestions) {
    let params = message["params"]
    if questions.awaits(message) {
      self = .answer(message)
      return
    }
    switch message["method"]?.string {
    case "session/open":
      var wanted: [String: JSONValue] = [:]
      for key in Self.params { wanted[key] = params?[key] }
      self = .open(session: params?["session"]?.string, wanted)
    case "session/perform":
      guard let session = params?["session"]?.string, let action = params?["action"]?.string else { return nil }
      self = .perform(session: session, action: action, fields.values(of: session) ?? FieldState.Values())
    default: return nil
    }
  }

  /// How another action differs from this one; `nil` if it does not.
  ///
  /// - Parameter names: the view's names of the transcript's sessions.
  func difference(to got: ViewAction, _ names: [String: String]) -> String? {
    switch (self, got) {
    case (.open(_, let wanted), .open(_, let given)):
      let isSame = Self.params.allSatisfy { key in
        switch (wanted[key], given[key]) {
        case (nil, nil): true
        case (let one?, let other?): Difference.first(one, other, ignoring: []) == nil
        default: false
        }
      }
      return isSame ? nil : "expected \(text(names))"
    case (.perform(let session, let action, let values), .perform(let other, let otherAction, let otherValues)):
      guard names[session] ?? session == other, action == otherAction else { return "expected \(text(names))" }
      return values.difference(to: otherValues).map { "at \(action), expected \($0)" }
    case (.answer(let answer), .answer(let other)):
      return Difference.first(answer, other, ignoring: []).map { "expected \(text(names)); \($0.text)" }
    default: return "expected \(text(names))"
    }
  }

  /// The action in words.
  func text(_ names: [String: String]) -> String {
    switch self {
    case .open(let session, let wanted):
      let more = wanted.keys.sorted().map { " with \($0) \(wanted[$0]?.text ?? "")" }.joined(separator: ",")
      let name = session.map { ", which the transcript calls \($0)" } ?? ""
      return "session/open\(more)\(name)"
    case .perform(let session, let action, _):
      return "session/perform of \(action) in session \(names[session] ?? session)"
    case .answer(let answer): return "\(answer.text)"
    }
  }
}
