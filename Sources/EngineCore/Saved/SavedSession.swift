import LoginMachine
import LoginProtocol

/// A session that goes on in this engine, as far as that could be read.
struct SavedSession {
  let state: SavedState
  /// The flow in the session's language.
  let template: FlowTemplate
  /// The keys of questions that other engines have put, by the numbers that were given to them here.
  let keys: [QuestionID: String]
  /// The last number that was given, if any was.
  let lastNumber: QuestionID?
  /// How the view is waited for; `nil` if it is not.
  let policy: FlowOptions.TransitionPolicy?
  let detail: UpdateDetail
  /// A JSON object's text, compact; `nil` for nothing.
  let context: [UInt8]?
  let supports: [String]?

  /// The version that this program writes, and the only one that there is.
  static var version: UInt64 { 1 }
}

/// The names of what a saved session has.
enum SavedName {
  static let version = "version", flow = "flow", digest = "digest", screen = "screen", locale = "locale"
  static let revision = "revision", events = "events", state = "state", request = "request"
  static let items = "items", remarks = "remarks", left = "left", alerts = "alerts", notice = "notice"
  static let throttle = "throttle", held = "held", retryKey = "retryKey", waitsForEdit = "waitsForEdit"
  static let beside = "beside", checks = "checks", focus = "focus", policy = "policy", detail = "detail"
  static let context = "context", supports = "supports"
  // Of parts.
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

/// What made a request.
enum SavedSource: String, CaseIterable {
  case submit, link, begin
}

/// Where the keyboard is.
enum SavedFocus: String, CaseIterable {
  case item, primary, alert
}
