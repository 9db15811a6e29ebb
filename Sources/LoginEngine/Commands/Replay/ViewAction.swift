import JSONCodec
import ViewModel

/// An action of a view: it opens a session, presses an action of the screen, submits several
/// values, or answers as the authenticator.
enum ViewAction {
  /// Opens a session with these params. The session may have a name.
  case open(session: String?, [String: JSONValue])
  /// Presses an action while the fields have these values.
  case press(session: String, action: String, FieldState.Values)
  /// Submits values with these params in a session; if `opens`, in a new session, whose name may
  /// not be known yet.
  case submit(session: String?, opens: Bool, [String: JSONValue])
  /// Answers a request of the engine to its frontend, or sends a notification about such a request.
  case answer(JSONValue)

  /// The params of `session/open` that are compared.
  private static let params = [
    "flow", "screen", "locale", "transitions", "policy", "detail", "values", "context", "secrets", "supports",
    "principal",
  ]

  /// Recognises the action in a message; `nil` if the message is no action.
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
    case "session/submit":
      var wanted: [String: JSONValue] = [:]
      for key in Self.params + ["action"] { wanted[key] = params?[key] }
      let session = params?["session"]?.string
      self = .submit(session: session, opens: session == nil, wanted)
    case "session/press":
      guard let session = params?["session"]?.string, let action = params?["action"]?.string else { return nil }
      self = .press(session: session, action: action, fields.values(of: session) ?? FieldState.Values())
    default: return nil
    }
  }

  /// How another action differs from this expected action; `nil` if it does not.
  ///
  /// - Parameter names: the view's names for sessions, keyed by the names in the transcript.
  func difference(to got: ViewAction, _ names: [String: String]) -> String? {
    switch (self, got) {
    case (.open(_, let wanted), .open(_, let given)):
      return ViewAction.areSame(wanted, given) ? nil : "expected \(text(names))"
    case (.submit(let session, let opens, let wanted), .submit(let other, let otherOpens, let given)):
      let isMeant = opens ? otherOpens : session.map { names[$0] ?? $0 } == other
      return isMeant && ViewAction.areSame(wanted, given) ? nil : "expected \(text(names))"
    case (.press(let session, let action, let values), .press(let other, let otherAction, let otherValues)):
      guard names[session] ?? session == other, action == otherAction else { return "expected \(text(names))" }
      return values.difference(to: otherValues).map { "at \(action), expected \($0)" }
    case (.answer(let answer), .answer(let other)):
      return Difference.first(answer, other, ignoring: []).map { "expected \(text(names)); \($0.text)" }
    default: return "expected \(text(names))"
    }
  }

  /// Whether two calls have the same params. Only `action` and the params in `params` are compared.
  private static func areSame(_ wanted: [String: JSONValue], _ given: [String: JSONValue]) -> Bool {
    (params + ["action"]).allSatisfy { key in
      switch (wanted[key], given[key]) {
      case (nil, nil): true
      case (let one?, let other?): Difference.first(one, other, ignoring: []) == nil
      default: false
      }
    }
  }

  /// A description of the action.
  func text(_ names: [String: String]) -> String {
    switch self {
    case .open(let session, let wanted):
      return "session/open\(ViewAction.text(of: wanted))\(ViewAction.text(ofNew: session))"
    case .submit(let session, opens: true, let wanted):
      return "session/submit\(ViewAction.text(of: wanted))\(ViewAction.text(ofNew: session))"
    case .submit(let session, opens: false, let wanted):
      let name = session.map { names[$0] ?? $0 } ?? ""
      return "session/submit\(ViewAction.text(of: wanted)) in session \(name)"
    case .press(let session, let action, _):
      return "session/press of \(action) in session \(names[session] ?? session)"
    case .answer(let answer): return "\(answer.text)"
    }
  }

  private static func text(of params: [String: JSONValue]) -> String {
    params.keys.sorted().map { " with \($0) \(params[$0]?.text ?? "")" }.joined(separator: ",")
  }

  private static func text(ofNew session: String?) -> String {
    session.map { ", which the transcript calls \($0)" } ?? ""
  }
}
