import LoginMachine
import LoginProtocol

/// A saved session that was read and can now be opened in this engine.
struct SavedSession {
  let state: SavedState
  /// The flow in the session's language.
  let template: FlowTemplate
  /// The idempotency keys of questions that other engines have asked. The dictionary's keys are the
  /// numbers that this engine has given to these questions.
  let keys: [QuestionID: String]
  /// The last question number that was assigned while the session was read; `nil` if none was.
  let lastNumber: QuestionID?
  /// What the engine does with events while the view presents an update; `nil` if the view has no
  /// transitions.
  let policy: FlowOptions.TransitionPolicy?
  let detail: UpdateDetail
  /// The context that the view gave for the session: the compact text of a JSON object; `nil` if
  /// there is none.
  let context: [UInt8]?
  let supports: [String]?

  /// The version of the saved form that this program writes. It cannot read other versions.
  static var version: UInt64 { 1 }
}

/// The names of the members of a saved session and its parts.
enum SavedName {
  static let version = "version", flow = "flow", digest = "digest", screen = "screen", locale = "locale"
  static let revision = "revision", events = "events", state = "state", request = "request"
  static let items = "items", remarks = "remarks", left = "left", alerts = "alerts", notice = "notice"
  static let throttle = "throttle", held = "held", retryKey = "retryKey", waitsForEdit = "waitsForEdit"
  static let beside = "beside", checks = "checks", focus = "focus", policy = "policy", detail = "detail"
  static let context = "context", supports = "supports"
  // Members of parts.
  static let source = "source", key = "key", resume = "resume", message = "message", action = "action"
  static let from = "from", begin = "begin"
  static let value = "value", touched = "touched", marked = "marked", item = "item", kind = "kind", title = "title"
  static let messages = "messages", until = "until", duration = "duration", failure = "failure", code = "code"
  static let text = "text", params = "params", severity = "severity", verbatim = "verbatim"

  /// All members of a saved session.
  static let all = [
    version, flow, digest, screen, locale, revision, events, state, request, items, remarks, left, alerts, notice,
    throttle, held, retryKey, waitsForEdit, beside, checks, focus, policy, detail, context, supports,
  ]
}

/// What triggered a request: a submit, a link, or entering the screen (`begin`).
enum SavedSource: String, CaseIterable {
  case submit, link, begin
}

/// The kinds of elements that can have the keyboard focus.
enum SavedFocus: String, CaseIterable {
  case item, primary, alert
}
