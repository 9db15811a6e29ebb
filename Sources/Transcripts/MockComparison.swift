import JSONCodec

/// Compares what a view does with what a transcript expects of it.
struct MockComparison {
  private let transcript: Transcript
  private let script: MockScript
  /// Whether the engine says only later what it makes of a message.
  private let isLockstep: Bool
  private var next = 0
  /// The view's names of the transcript's sessions.
  private var names: [String: String] = [:]
  private var standing = Standing()
  private var questions = MockQuestions()
  private var counts: [MockMessage: Int] = [:]

  init(_ transcript: Transcript) {
    self.transcript = transcript
    script = MockScript(transcript)
    isLockstep = transcript.options.contains("--lockstep")
    skipRefused()
  }

  // MARK: The transcript's steps

  /// What has to happen next; `nil` at the end.
  var step: MockScript.Step? {
    let rest = script.steps[next...]
    return rest.first { if case .view(_, isRefused: true) = $0.step { false } else { true } }?.step
  }

  /// Goes on to the next step.
  mutating func goOn() {
    while case .view(_, isRefused: true)? = next < script.steps.count ? script.steps[next].step : nil { next += 1 }
    next = min(next + 1, script.steps.count)
    skipRefused()
  }

  /// What the engine refuses is known before it is compared, but under lockstep.
  private mutating func skipRefused() {
    guard !isLockstep else { return }
    while next < script.steps.count, case .view(_, isRefused: true) = script.steps[next].step { next += 1 }
  }

  /// Whether the view has something to do yet.
  var expectsView: Bool {
    script.steps[next...].contains { if case .view(_, isRefused: false) = $0.step { true } else { false } }
  }

  /// Where the next step is, as editors and compilers write it.
  var place: String {
    next < script.steps.count ? transcript.place(script.steps[next].line) : "\(transcript.path) (the end)"
  }

  /// What comes next, for a person.
  var expectation: String {
    switch step {
    case nil: return difference(to: script.end) ?? "expected nothing more but the view's end"
    case .view(let deed, _): return "expected \(deed.text(names))"
    case .play(.ask(let question, _, _), _): return "expected that the authenticator is asked \(question.text)"
    case .play(let step, let state):
      if let difference = difference(to: state) { return difference }
      if case .end = step { return "expected the view to close its end" }
      if case .advance = step { return "expected the time to pass" }
      return "expected what the authenticator does next"
    }
  }

  // MARK: Where the view is

  /// How the view's sessions differ from what they are at the end; `nil` if they do not.
  var differenceAtEnd: String? { difference(to: script.end) }

  /// How the view's sessions differ from what they have to be, for a person; `nil` if they do not.
  func difference(to state: MockState) -> String? {
    state.difference(to: standing, names).map { "expected \($0)" }
  }

  /// Of which messages the view has sent fewer than the transcript's view has there.
  func missing(_ state: MockState) -> Set<MockMessage> { state.missing(from: counts, names) }

  /// Waits for these no longer.
  mutating func forgive(_ state: MockState) {
    for (message, count) in state.counts {
      counts[message.renamed(names)] = max(counts[message.renamed(names), default: 0], count)
    }
  }

  /// Whether the view might do something that counts with a message.
  func mayCount(_ message: JSONValue?) -> Bool { message.flatMap { MockDeed($0, standing, questions) } != nil }

  // MARK: What is said

  /// The engine has said something.
  mutating func take(_ message: JSONValue) {
    standing.take(message)
    questions.take(message)
  }

  /// The view has said something that does not count, or of which nobody knows yet what the engine makes of it. Returns how it differs from what is expected.
  mutating func send(_ message: JSONValue?) -> String? {
    counts[MockMessage(message), default: 0] += 1
    guard let message else { return nil }
    let deed = MockDeed(message, standing, questions)
    var isRefused = false
    if let deed {
      // The engine is taken to do what it does in the transcript.
      while case .view(let refused, isRefused: true)? = next < script.steps.count ? script.steps[next].step : nil {
        isRefused = refused.difference(to: deed, names) == nil
        if isRefused { break }
        next += 1
      }
      if isRefused { next += 1 } else if let difference = compare(deed, message, opened: nil) { return difference }
    }
    standing.send(message, isRefused: isRefused)
    questions.send(message)
    return nil
  }

  /// The view has said something, and this is what the engine has said since. Returns how it differs from what is expected.
  mutating func send(_ messages: [JSONValue?], _ reactions: [JSONValue]) -> String? {
    var verdicts = MockVerdicts(reactions.enumerated().map { ($0.offset, $0.element) })
    for message in messages {
      counts[MockMessage(message), default: 0] += 1
      guard let message else { continue }
      let event = message["params"]?["session"]?.string.flatMap { standing.nextEvent(in: $0) }
      let isRefused = verdicts.isRefused(message, at: 0, event: event)
      let deed = MockDeed(message, standing, questions)
      standing.send(message, isRefused: isRefused)
      if !isRefused, let deed {
        var opened: String?
        if case .open(let session, _) = deed { opened = verdicts.opened(session, at: 0) }
        if let difference = compare(deed, message, opened: opened) { return difference }
      }
      questions.send(message)
    }
    for reaction in reactions { take(reaction) }
    return nil
  }

  /// Compares what the view has done with what it has to do next.
  private mutating func compare(_ deed: MockDeed, _ message: JSONValue, opened: String?) -> String? {
    let came = "but the view has sent \(message.text)"
    guard case .view(let expected, _) = step else { return "\(expectation), \(came)" }
    if let difference = expected.difference(to: deed, names) {
      return difference.contains(", but it ") ? difference : "\(difference), \(came)"
    }
    if case .open(let session?, _) = expected, case .open(let given, _) = deed {
      // Where the engine has not said yet what it calls the session, it calls it as in the transcript.
      names[session] = opened ?? given ?? session
      if given == nil { standing.open(names[session] ?? session) }
    }
    goOn()
    return nil
  }
}
