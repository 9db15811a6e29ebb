import JSONCodec

/// Reads the transitions between the states of its sessions from a transcript, with the diagrams'
/// names of states and causes.
///
/// An update is attributed to the last step before it with an effect, if possible; other updates
/// change the session without a transition.
struct TransitionReader {
  private struct Session {
    var flow: String
    var diagram: Diagram
    var name = ""
    var snapshot = JSONValue.null
    /// The times at which throttles end, keyed by screen. They are taken from the answers, because
    /// a snapshot need not show them.
    var throttles: [String: Int] = [:]

    var screen: String { snapshot["screen"]?.string ?? "" }

    /// The diagram's name of the session's state.
    func name(at clock: Int) -> String {
      diagram.name(of: snapshot, isThrottled: throttles[screen].map { $0 > clock } ?? false)
    }
  }

  private let steps: [Conversation.Step]
  private var sessions: [String: Session] = [:]
  /// The flows and names of sessions that were opened but not shown yet.
  private var opened: [(session: String?, flow: String)] = []
  private var cause = Conversation.Step(kind: "", value: .null)
  /// The calls of the current cause that have not had an effect yet.
  private var calls: [JSONValue] = []
  private var clock = 0
  private(set) var transitions: Set<Transition> = []

  init(_ conversation: Conversation) {
    steps = conversation.steps
    for index in steps.indices { read(index) }
    endThrottles()
  }

  private mutating func read(_ index: Int) {
    let step = steps[index]
    switch step.kind {
    case "out": update(index, step.value)
    case "ask", "note", "options": break
    default:
      endThrottles()
      cause = step
      // The frontend answers a question.
      if step.kind == "in", step.value["result"] != nil || step.value["method"]?.string == "authenticator/notify" {
        cause.kind = "answer"
      }
      calls = cause.kind == "in" ? step.value.array ?? [step.value] : []
      if step.kind == "advance" { pass(step.value) }
      for call in calls {
        if call["method"]?.string == "session/open" {
          opened.append((call.at("params", "session")?.string, call.at("params", "flow")?.string ?? "standard"))
        }
        if call["method"]?.string == "clock/advance" { pass(call.at("params", "milliseconds")) }
      }
    }
  }

  private mutating func pass(_ milliseconds: JSONValue?) {
    clock = clock.addingReportingOverflow(milliseconds?.integer ?? 0).partialValue
  }

  /// Removes throttles that are over, since no output shows the end of a throttle if the button is
  /// also disabled for another reason.
  private mutating func endThrottles() {
    for (id, var session) in sessions where (session.throttles[session.screen] ?? .max) <= clock {
      session.throttles[session.screen] = nil
      move(&session, by: "[throttle over]")
      sessions[id] = session
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
    session.snapshot = snapshot
    move(&session, by: label)
    sessions[id] = session
  }

  private mutating func move(_ session: inout Session, by label: String?) {
    let name = session.name(at: clock)
    if let label, name != session.name {
      transitions.insert(Transition(flow: session.flow, from: session.name, to: name, label: label))
    }
    session.name = name
  }

  private mutating func begin(_ id: String) {
    guard let index = opened.firstIndex(where: { $0.session == nil || $0.session == id }) else { return }
    let flow = opened.remove(at: index).flow
    sessions[id] = Diagram.all[flow].map { Session(flow: flow, diagram: $0) }
  }

  // MARK: Causes

  private mutating func label(
    _ index: Int, _ id: String, _ session: inout Session, _ snapshot: JSONValue
  ) -> String? {
    switch cause.kind {
    case "in":
      let own = calls.firstIndex { call in
        call.at("params", "session")?.string == id
          && ["session/edit", "session/press"].contains(call["method"]?.string)
      }
      if let own { return label(of: calls.remove(at: own), index, &session) }
      return calls.contains { $0["method"]?.string == "clock/advance" } ? timeLabel(&session) : nil
    case "answer": return answerLabel(&session, snapshot)
    case "rawAnswer", "fault": return "[fault]"
    case "advance": return timeLabel(&session)
    default: return nil
    }
  }

  private func label(of call: JSONValue, _ index: Int, _ session: inout Session) -> String? {
    guard call["method"]?.string == "session/edit" else { return call.at("params", "action")?.string }
    // If the engine refuses the edit of a secret, the secret is lost.
    if isRefused(call, after: index) { return "[secret lost]" }
    session.throttles[session.screen] = nil
    return "edit"
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
    let result = answer["result"]
    switch result?["outcome"]?.string {
    case "rejected": return result?["items"]?.members == nil ? "[rejected]" : "[rejected items]"
    case "accepted": return "[accepted]"
    case "notice": return "[notice]"
    case "throttled":
      session.throttles[session.screen] =
        clock.addingReportingOverflow(result?["retryAfterMs"]?.integer ?? 0).partialValue
      return "[throttled]"
    // There is no answer at all, and this is not shown under an alert.
    case nil: return "[fault]"
    default: return nil
    }
  }

  private func timeLabel(_ session: inout Session) -> String? {
    if session.snapshot["state"]?.string == "requestPending" { return "[fault]" }
    guard (session.throttles[session.screen] ?? .max) <= clock else { return nil }
    session.throttles[session.screen] = nil
    return "[throttle over]"
  }
}
