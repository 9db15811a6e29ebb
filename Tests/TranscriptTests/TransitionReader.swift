import JSONCodec

/// Reads from a transcript what led its sessions from one state to the next, as the diagrams name both.
///
/// An update is laid to the last step before it that did something, if that can be; others move the session without a transition.
struct TransitionReader {
  private struct Session {
    var flow: String
    var diagram: Diagram
    var name = ""
    var snapshot = JSONValue.null
    /// An edit, a press, or time ends it; that it began is only seen in the answer.
    var isThrottled = false
  }

  private let steps: [Conversation.Step]
  private var sessions: [String: Session] = [:]
  /// The flows of sessions that were opened and have not been seen yet, with the names that they were given.
  private var opened: [(session: String?, flow: String)] = []
  private var cause = Conversation.Step(kind: "", value: .null)
  /// Of a cause, the calls that have led to nothing yet.
  private var calls: [JSONValue] = []
  private(set) var transitions: Set<Transition> = []

  init(_ conversation: Conversation) {
    steps = conversation.steps
    for index in steps.indices { read(index) }
  }

  private mutating func read(_ index: Int) {
    let step = steps[index]
    switch step.kind {
    case "out": update(index, step.value)
    case "ask", "note", "options": break
    default:
      cause = step
      calls = step.kind == "in" ? step.value.array ?? [step.value] : []
      for call in calls where call["method"]?.string == "session/open" {
        opened.append((call.at("params", "session")?.string, call.at("params", "flow")?.string ?? "standard"))
      }
    }
  }

  private mutating func update(_ index: Int, _ line: JSONValue) {
    guard line["method"]?.string == "session/update", let params = line["params"],
      let id = params["session"]?.string, let snapshot = params["snapshot"]
    else { return }
    if params["revision"]?.integer == 1 { begin(id) }
    guard var session = sessions[id], session.diagram.screens.contains(snapshot["screen"]?.string ?? "") else {
      sessions[id] = nil
      return
    }
    let label = params["revision"]?.integer == 1 ? nil : label(index, id, &session, snapshot)
    let name = session.diagram.name(of: snapshot, isThrottled: session.isThrottled)
    if let label, name != session.name {
      transitions.insert(Transition(flow: session.flow, from: session.name, to: name, label: label))
    }
    session.name = name
    session.snapshot = snapshot
    sessions[id] = session
  }

  private mutating func begin(_ id: String) {
    guard let index = opened.firstIndex(where: { $0.session == nil || $0.session == id }) else { return }
    let flow = opened.remove(at: index).flow
    sessions[id] = Diagram.all[flow].map { Session(flow: flow, diagram: $0) }
  }

  private mutating func label(
    _ index: Int, _ id: String, _ session: inout Session, _ snapshot: JSONValue
  ) -> String? {
    switch cause.kind {
    case "in":
      let own = calls.firstIndex { call in
        call.at("params", "session")?.string == id
          && ["session/change", "session/perform"].contains(call["method"]?.string)
      }
      if let own { return label(of: calls.remove(at: own), index, &session) }
      return calls.contains { $0["method"]?.string == "clock/advance" } ? timeLabel(&session, snapshot) : nil
    case "answer": return answerLabel(&session, snapshot)
    case "rawAnswer", "fault": return "[fault]"
    case "advance": return timeLabel(&session, snapshot)
    default: return nil
    }
  }

  private func label(of call: JSONValue, _ index: Int, _ session: inout Session) -> String? {
    if call["method"]?.string == "session/change" {
      // A secret that was refused is lost.
      if isRefused(call, after: index) { return "[secret lost]" }
      session.isThrottled = false
      return "edit"
    }
    let action = call.at("params", "action")?.string
    let dismissals = session.snapshot.at("alert", "actions")?.array ?? []
    if !dismissals.contains(where: { $0["id"]?.string == action }) { session.isThrottled = false }
    return action
  }

  private func isRefused(_ call: JSONValue, after index: Int) -> Bool {
    let next = steps[(index + 1)...].prefix { ["out", "ask", "note"].contains($0.kind) }
    return next.filter { $0.kind == "out" }.contains { step in
      (step.value.array ?? [step.value]).contains { line in
        call["id"] == nil
          ? line["method"]?.string == "session/refused"
          : line["error"] != nil && line["id"]?.text == call["id"]?.text
      }
    }
  }

  private func answerLabel(_ session: inout Session, _ snapshot: JSONValue) -> String? {
    let answer = cause.value
    if answer["method"]?.string == "authenticator/notify" {
      return answer.at("params", "alert")?.members == nil ? "[message]" : "[alert]"
    }
    let shown = snapshot.at("error", "code") ?? snapshot.at("alert", "messages")?[0]?["code"]
    if answer["error"] != nil || shown?.string == "network.invalidAnswer" { return "[fault]" }
    let outcome = answer.at("result", "outcome")?.string
    session.isThrottled = outcome == "throttled"
    switch outcome {
    case "rejected": return answer.at("result", "items")?.members == nil ? "[rejected]" : "[rejected items]"
    case "accepted", "throttled", "notice": return outcome.map { "[\($0)]" }
    default: return nil
    }
  }

  private func timeLabel(_ session: inout Session, _ snapshot: JSONValue) -> String? {
    if session.snapshot["state"]?.string == "requestPending" { return "[fault]" }
    guard session.isThrottled else { return nil }
    session.isThrottled = false
    return "[throttle over]"
  }
}
