import JSONCodec

/// What a view does that counts: it opens a session, presses something, or, as the authenticator, answers.
enum MockDeed {
  /// Opens a session, which may be named, with these of its params.
  case open(session: String?, [String: JSONValue])
  /// Performs an action while these values stand.
  case perform(session: String, action: String, Standing.Values)
  /// Answers a question that the engine has put to its frontend, or says something about it.
  case answer(JSONValue)

  /// The params of `session/open` that count.
  private static let params = ["flow", "screen", "locale", "transitions", "policy", "values"]

  /// What a view does with a message; `nil` if that does not count.
  init?(_ message: JSONValue, _ standing: Standing, _ questions: MockQuestions) {
    let params = message["params"]
    if questions.expect(message) {
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
      self = .perform(session: session, action: action, standing.values(of: session) ?? Standing.Values())
    default: return nil
    }
  }

  /// How what a view has done differs from this, for a person; `nil` if it does not.
  ///
  /// - Parameter names: the view's names of the transcript's sessions.
  func difference(to got: MockDeed, _ names: [String: String]) -> String? {
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
    case (.perform(let session, let action, let values), .perform(let other, let otherAction, let standing)):
      guard names[session] ?? session == other, action == otherAction else { return "expected \(text(names))" }
      return values.difference(to: standing).map { "at \(action), expected \($0)" }
    case (.answer(let answer), .answer(let other)):
      return Difference.first(answer, other, ignoring: []).map { "expected \(text(names)); \($0.text)" }
    default: return "expected \(text(names))"
    }
  }

  /// For a person.
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
