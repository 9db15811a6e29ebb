import EventLoop
import JSONCodec

/// Stands between a view and a real engine: passes on what they say, decides logins as a transcript does, and compares.
final class Mock {
  private let transcript: Transcript
  private let script: MockScript
  private let engine: EngineUnderReplay
  private let authenticators: ScriptedAuthenticators
  private let actor: StepActor
  private let isLockstep: Bool
  private let loop: EventLoop
  private let timeout: UInt64
  private var lines = LineBuffer(maximumLineBytes: 64 << 20)
  private var inputWatch: EventLoop.Watch?
  private let view: OutgoingBytes
  /// Lines of the view's that were not passed on yet.
  private var waiting: [[UInt8]] = []
  private var viewHasEnded = false
  private var next = 0
  private var standing = Standing()
  /// The view's names of the transcript's sessions.
  private var names: [String: String] = [:]
  /// What the view has done last, with the values that stood then, until the engine has said whether it takes it.
  private var judged: [(message: JSONValue, standing: Standing)] = []
  /// What the engine has said since.
  private var reactions: [JSONValue] = []
  /// Whether everything that the view said before is known to have been taken.
  private var isCertain = false
  private var since: UInt64 = 0
  private var result: String??

  init(
    _ transcript: Transcript, engine: EngineUnderReplay, authenticators: ScriptedAuthenticators, timeout: UInt64,
    loop: EventLoop
  ) {
    self.transcript = transcript
    self.engine = engine
    self.authenticators = authenticators
    self.timeout = timeout
    self.loop = loop
    actor = StepActor(transcript, engine, authenticators)
    isLockstep = transcript.options.contains("--lockstep")
    script = MockScript(transcript)
    view = OutgoingBytes(1, loop: loop)
  }

  /// Plays until the view has done everything and closed its end. Returns what was different, for a person.
  func play() -> String? {
    since = MonotonicClock.now()
    inputWatch = loop.watch(0, .read) { [unowned self] _ in readView() }
    loop.beforeWait = { [unowned self] in proceed() }
    loop.run()
    loop.beforeWait = { nil }
    if let inputWatch { loop.unwatch(inputWatch) }
    view.stop()
    return result ?? nil
  }

  private func readView() {
    let fill = lines.fill(from: 0)
    while let line = lines.next() { take(line) }
    switch fill {
    case .bytes, .wouldBlock: return
    case .endOfFile, .failed: break
    }
    if let line = lines.nextAtEnd() { take(line) }
    viewHasEnded = true
    if let inputWatch { loop.unwatch(inputWatch) }
    inputWatch = nil
  }

  private func take(_ line: LineBuffer.Line) {
    switch line {
    case .whole(let bytes), .tooLong(let bytes), .unterminated(let bytes): waiting.append(Array(bytes))
    }
    since = MonotonicClock.now()
  }

  // MARK: Turns

  private func proceed() -> Int? {
    while result == nil {
      passOnOutput()
      if engine.isAdvancing || authenticators.areBusy { return wait() }
      if !judged.isEmpty, isJudgeable { judge() }
      if result != nil { break }
      if playOn() { continue }
      if result != nil { break }
      if let line = waiting.first, judged.isEmpty {
        if takeFromView(line) { continue }
        return wait()
      }
      if viewHasEnded { return end() }
      return wait()
    }
    loop.stop()
    return nil
  }

  /// How long to wait for more; ends it all when that was too long.
  private func wait() -> Int? {
    if let end = engine.end { return finish("the engine has \(end)\n\(engine.takeErrors())") }
    let passed = MonotonicClock.now() - since
    guard passed < timeout else { return finish("\(place): nothing came in time; \(expectation)") }
    // A line that does not fit is held back for a while only.
    return Int(min(timeout - passed, waiting.isEmpty ? timeout : Mock.holdingTime))
  }

  /// How long a line of the view's is held back for what the authenticator or the clock has to do first, in milliseconds.
  private static let holdingTime: UInt64 = 1000

  private func finish(_ difference: String?) -> Int? {
    result = .some(difference)
    loop.stop()
    return nil
  }

  private func passOnOutput() {
    while let line = engine.takeLine() {
      view.send(line + [0x0A])
      guard let message = try? JSONValue(parsing: line) else { continue }
      for one in message.array ?? [message] {
        standing.take(one)
        if !judged.isEmpty { reactions.append(one) }
      }
    }
  }

  // MARK: The transcript's part

  /// Does what the transcript does next without the view. Returns whether there was anything.
  private func playOn() -> Bool {
    guard next < script.steps.count else { return false }
    switch script.steps[next].step {
    case .open, .perform: return false
    case .stand(let expected):
      guard hasTaken() else { return true }
      for (session, values) in expected {
        guard let name = names[session] else { continue }
        if Standing.difference(values, standing.values[name] ?? [:]) != nil { return false }
      }
    case .play(.ask(let expected, let ignoring, let name)):
      let isDescribe = ScriptedAuthenticator.isDescribe(expected)
      guard let line = authenticators.takeLine(of: name, description: isDescribe) else { return false }
      guard let got = try? JSONValue(parsing: line),
        let difference = Difference.first(expected, got, ignoring: ignoring)
      else { break }
      result = .some("\(place): the authenticator was asked something else; \(difference.text)")
      return false
    case .play(.end):
      guard viewHasEnded, waiting.isEmpty else { return false }
      _ = actor.act(.end)
    case .play(let step):
      guard hasTaken() else { return true }
      if let problem = actor.act(step) {
        result = .some("\(place): \(problem)")
        return false
      }
    }
    next += 1
    isCertain = false
    since = MonotonicClock.now()
    return true
  }

  /// Makes sure that the engine has taken what was passed on. Returns whether that is certain.
  private func hasTaken() -> Bool {
    guard !isCertain, actor.canAsk else { return true }
    engine.advance(0)
    isCertain = true
    return false
  }

  // MARK: The view's part

  /// Passes on a line of the view's if it is one that is expected, or one that does not matter. Returns whether anything was done.
  private func takeFromView(_ line: [UInt8]) -> Bool {
    guard let message = try? JSONValue(parsing: line) else { return passOn(line) }
    let messages = message.array ?? [message]
    let matters = messages.contains { Mock.matters($0) }
    guard matters else {
      for one in messages { standing.send(one) }
      return passOn(line)
    }
    guard hasTaken() else { return true }
    // What the authenticator or the clock has to do comes first.
    if next < script.steps.count, !isForView(script.steps[next].step), !isEnd(script.steps[next].step) {
      let passed = MonotonicClock.now() - since
      if passed < min(timeout, Mock.holdingTime) { return false }
    }
    // Whether it counts is for the engine to say: what that refuses changes nothing.
    reactions = []
    for one in messages {
      standing.send(one)
      if Mock.matters(one) { judged.append((one, standing)) }
    }
    _ = passOn(line)
    _ = hasTaken()
    return true
  }

  private static func matters(_ message: JSONValue) -> Bool {
    ["session/open", "session/perform"].contains(message["method"]?.string ?? "")
  }

  private func isForView(_ step: MockScript.Step) -> Bool {
    switch step {
    case .open, .perform: true
    case .stand, .play: false
    }
  }

  private func isEnd(_ step: MockScript.Step) -> Bool {
    if case .play(.end) = step { true } else { false }
  }

  /// Whether the engine has said what it makes of what the view has done. Under lockstep that may take a login.
  private var isJudgeable: Bool {
    guard isLockstep else { return true }
    return judged.allSatisfy { message, _ in
      reactions.contains { reaction in message["id"].map { reaction["id"] == $0 } ?? true }
    }
  }

  /// Compares what the view has done, now that the engine has said whether it takes it.
  private func judge() {
    for (message, standing) in judged where !MockScript.isRefused(message, reactions) {
      if let difference = compare(message, standing) {
        result = .some("\(place): \(difference)")
        return
      }
      next += 1
    }
    judged = []
  }

  private func passOn(_ line: [UInt8]) -> Bool {
    waiting.removeFirst()
    engine.send(line + [0x0A])
    isCertain = false
    return true
  }

  /// How the view's message differs from what is expected, for a person; `nil` if it does not.
  private func compare(_ message: JSONValue, _ standing: Standing) -> String? {
    let params = message["params"]
    let came = "the view has sent \(message.text)"
    guard next < script.steps.count else { return "\(expectation), but \(came)" }
    switch script.steps[next].step {
    case .open(let session, let wanted):
      guard message["method"]?.string == "session/open" else { return "\(expectation), but \(came)" }
      for key in ["flow", "screen", "locale", "transitions", "policy", "values"] where params?[key] != wanted[key] {
        return "\(expectation), but \(came)"
      }
      names[session] =
        params?["session"]?.string
        ?? reactions.first { $0["id"] == message["id"] }?["result"]?["session"]?.string
        ?? reactions.first { $0["params"]?["revision"]?.integer == 1 }?["params"]?["session"]?.string
    case .perform(let session, let action, let values):
      let name = names[session]
      guard message["method"]?.string == "session/perform", params?["action"]?.string == action,
        name != nil, params?["session"]?.string == name
      else { return "\(expectation), but \(came)" }
      let got = name.flatMap { standing.values[$0] } ?? [:]
      if let difference = Standing.difference(values, got) { return "at \(action), expected \(difference)" }
    case .stand, .play: return "\(expectation), but \(came)"
    }
    return nil
  }

  private var place: String {
    next < script.steps.count ? transcript.place(script.steps[next].line) : "\(transcript.path) (the end)"
  }

  /// What comes next, for a person.
  private var expectation: String {
    guard next < script.steps.count else { return "expected nothing more but the view's end" }
    switch script.steps[next].step {
    case .open(let session, let wanted):
      let more = wanted.keys.sorted().map { " with \($0) \(wanted[$0]?.text ?? "")" }.joined(separator: ",")
      return "expected session/open of the session that the transcript calls \(session)\(more)"
    case .perform(let session, let action, _):
      return "expected session/perform of \(action) in session \(names[session] ?? session)"
    case .stand(let values):
      for (session, expected) in values.sorted(by: { $0.key < $1.key }) {
        guard let name = names[session] else { continue }
        if let difference = Standing.difference(expected, standing.values[name] ?? [:]) {
          return "expected \(difference)"
        }
      }
      return "expected the time to pass"
    case .play(.ask(let question, _, _)): return "expected that the authenticator is asked \(question.text)"
    case .play(.end): return "expected the view to close its end"
    case .play: return "expected what the authenticator does next"
    }
  }

  // MARK: The end

  /// The view says nothing more.
  private func end() -> Int? {
    guard next >= script.steps.count else {
      guard !script.steps[next...].contains(where: { isForView($0.step) }) else {
        return finish("\(place): \(expectation), but the view has closed its end")
      }
      return wait()
    }
    engine.endInput()
    guard engine.end != nil else { return wait(forEngine: 35_000) }
    passOnOutput()
    return finish(nil)
  }

  private func wait(forEngine patience: UInt64) -> Int? {
    let passed = MonotonicClock.now() - since
    guard passed < patience else { return finish("the engine has not ended after its input has") }
    return Int(patience - passed)
  }
}
