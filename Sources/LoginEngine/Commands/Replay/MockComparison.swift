import JSONCodec
import ViewModel

/// Compares a view's messages with those that a transcript expects.
struct MockComparison {
  private let transcript: Transcript
  private let script: MockScript
  /// Whether the engine accepts or refuses messages with a delay, as it does under lockstep.
  private let isLockstep: Bool
  private var next = 0
  /// The view's names for sessions, keyed by the names in the transcript.
  private var names: [String: String] = [:]
  private var fields = FieldState()
  private var questions = MockQuestions()
  private var counts: [MockMessage: Int] = [:]

  init(_ transcript: Transcript) {
    self.transcript = transcript
    script = MockScript(transcript)
    isLockstep = transcript.options.contains("--lockstep")
    skipRefused()
  }

  // MARK: The transcript's steps

  /// The next step that has to happen; `nil` at the end of the transcript. Actions that the engine
  /// refused are left out.
  var step: MockScript.Step? {
    let rest = script.steps[next...]
    return rest.first { if case .view(_, isRefused: true) = $0.step { false } else { true } }?.step
  }

  /// Advances past the current step.
  mutating func resume() {
    while case .view(_, isRefused: true)? = next < script.steps.count ? script.steps[next].step : nil { next += 1 }
    next = min(next + 1, script.steps.count)
    skipRefused()
  }

  /// Skips actions that the engine refused. Under lockstep they are not skipped, because there the
  /// engine refuses them later.
  private mutating func skipRefused() {
    guard !isLockstep else { return }
    while next < script.steps.count, case .view(_, isRefused: true) = script.steps[next].step { next += 1 }
  }

  /// Whether the transcript still expects an action of the view.
  var expectsView: Bool {
    script.steps[next...].contains { if case .view(_, isRefused: false) = $0.step { true } else { false } }
  }

  /// The location of the next step, in the format of editors and compilers.
  var place: String {
    next < script.steps.count ? transcript.place(script.steps[next].line) : "\(transcript.path) (the end)"
  }

  /// A description of the next step.
  var expectation: String {
    switch step {
    case nil: return difference(to: script.end) ?? "expected nothing more but the view's end"
    case .view(let viewAction, _): return "expected \(viewAction.text(names))"
    case .play(.ask(let question, _, _), _, _): return "expected that the authenticator is asked \(question.text)"
    case .play(let step, let state, _):
      if let difference = difference(to: state) { return difference }
      if case .end = step { return "expected the view to close its end" }
      if case .advance = step { return "expected the time to pass" }
      return "expected what the authenticator does next"
    }
  }

  /// A question of the transcript in which the session has the name that the view uses.
  func withViewsName(in question: JSONValue) -> JSONValue {
    guard let session = question["params"]?["session"]?.string, let name = names[session] else { return question }
    var renamed = question
    renamed.replace(at: "/params/session", with: .string(name))
    return renamed
  }

  // MARK: State of the view

  /// The difference between the view's sessions and the final state of the transcript; `nil` if
  /// there is none.
  var differenceAtEnd: String? { difference(to: script.end) }

  /// The difference between the view's sessions and a state of the transcript; `nil` if there is
  /// none.
  func difference(to state: MockState) -> String? {
    state.difference(to: fields, names).map { "expected \($0)" }
  }

  /// The messages that the view under test has sent less often than the transcript's view had sent
  /// them in `state`.
  func missing(_ state: MockState) -> Set<MockMessage> { state.missing(from: counts, names) }

  /// Counts as sent all messages that the transcript's view had sent in `state`, even those that
  /// the view under test has not sent.
  mutating func assumeSent(_ state: MockState) {
    for (message, count) in state.counts {
      counts[message.renamed(names)] = max(counts[message.renamed(names), default: 0], count)
    }
  }

  /// Whether a message may be an action of the view.
  func mayBeAction(_ message: JSONValue?) -> Bool { message.flatMap { ViewAction($0, fields, questions) } != nil }

  // MARK: Messages

  /// Records a message of the engine.
  mutating func recordEngineMessage(_ message: JSONValue) {
    fields.recordEngineMessage(message)
    questions.recordEngineMessage(message)
  }

  /// Records a message of the view that is no action, or that the engine has not accepted or
  /// refused yet. Returns how it differs from the expected message; `nil` if it does not.
  mutating func recordViewMessage(_ message: JSONValue?) -> String? {
    counts[MockMessage(message), default: 0] += 1
    guard let message else { return nil }
    let viewAction = ViewAction(message, fields, questions)
    var isRefused = false
    if let viewAction {
      // If the engine refused this message in the transcript, it is expected to refuse it again.
      while case .view(let refused, isRefused: true)? = next < script.steps.count ? script.steps[next].step : nil {
        isRefused = refused.difference(to: viewAction, names) == nil
        if isRefused { break }
        next += 1
      }
      if isRefused {
        next += 1
      } else if let difference = compare(viewAction, message, opened: nil, lag: differenceToNextStep) {
        return difference
      }
    }
    fields.recordViewMessage(message, isRefused: isRefused)
    questions.recordFrontendMessage(message)
    return nil
  }

  /// Records messages of the view and the messages that the engine has sent since. Returns how the
  /// view's messages differ from the expected ones; `nil` if they do not.
  mutating func recordViewMessages(_ messages: [JSONValue?], _ reactions: [JSONValue]) -> String? {
    var verdicts = MockReactions(reactions.enumerated().map { ($0.offset, $0.element) })
    for message in messages {
      counts[MockMessage(message), default: 0] += 1
      guard let message else { continue }
      let event = message["params"]?["session"]?.string.flatMap { fields.nextEvent(in: $0) }
      let isRefused = verdicts.isRefused(message, at: 0, event: event)
      let viewAction = ViewAction(message, fields, questions)
      // The difference is computed first, because recording a press discards the values in the
      // session.
      let lag = differenceToNextStep
      fields.recordViewMessage(message, isRefused: isRefused)
      if !isRefused, let viewAction {
        var opened: String?
        if case .open(let session, _) = viewAction { opened = verdicts.opened(session, at: 0) }
        if case .submit(nil, opens: true, _) = viewAction { opened = verdicts.opened(nil, at: 0) }
        if let difference = compare(viewAction, message, opened: opened, lag: lag) { return difference }
      }
      questions.recordFrontendMessage(message)
    }
    for reaction in reactions { recordEngineMessage(reaction) }
    return nil
  }

  private func saysWhatCame(_ difference: String) -> Bool {
    difference.indices.contains { difference[$0...].hasPrefix(", but it ") }
  }

  /// The difference between the view's sessions and the state in which the next step is played;
  /// `nil` if there is none, or if the next step is the view's.
  private var differenceToNextStep: String? {
    if case .play(_, let state, _)? = step { difference(to: state) } else { nil }
  }

  /// Compares an action of the view with the next step. Returns the difference; `nil` if there is
  /// none.
  ///
  /// - Parameter lag: the difference between the view's sessions and the state that the next step
  ///   requires.
  private mutating func compare(
    _ viewAction: ViewAction, _ message: JSONValue, opened: String?, lag: String?
  ) -> String? {
    let came = "but the view has sent \(message.text)"
    guard case .view(let expected, _) = step else { return lag ?? "\(expectation), \(came)" }
    if let difference = expected.difference(to: viewAction, names) {
      return saysWhatCame(difference) ? difference : "\(difference), \(came)"
    }
    if case .open(let session?, _) = expected, case .open(let given, _) = viewAction {
      // Until the engine has named the session, use the transcript's name.
      names[session] = opened ?? given ?? session
      if given == nil { fields.recordOpening(names[session] ?? session, message["params"]) }
    }
    if case .submit(let session?, opens: true, _) = expected, case .submit(_, _, let params) = viewAction {
      names[session] = opened ?? session
      fields.recordOpening(names[session] ?? session, message["params"])
      fields.recordSubmit(names[session] ?? session, params["values"])
    }
    resume()
    return nil
  }
}
