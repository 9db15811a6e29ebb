import EventLoop
import JSONCodec

/// Stands between a view and a real engine: passes on what they say, does what the transcript's authenticator and clock do, and compares.
///
/// What the transcript does is done as soon as the view is where the transcript's view is, and before any further line of the view is passed on.
final class Mock {
  private let engine: EngineUnderReplay
  private let authenticators: ScriptedAuthenticators
  private let actor: StepActor
  private let view: MockView
  private let isComplete: Bool
  private let loop: EventLoop
  private let limits: MockLimits
  private var comparison: MockComparison
  /// What the view has done last, until the engine has said whether it takes it, and what that has said since.
  private var judged: [JSONValue?] = []
  private var reactions: [JSONValue] = []
  private var since = MonotonicClock.now()
  private var result: String??

  private enum Turn {
    /// Something was done.
    case done
    /// The engine has yet to do something, before which nothing is passed on.
    case awaitsEngine
    /// The view has yet to do something.
    case awaitsView
    /// The view has done all that it has to do, but for some of these messages, which may come or not.
    case mayGoOn(MockState, missing: Set<MockMessage>)
  }

  init(
    _ transcript: Transcript, engine: EngineUnderReplay, authenticators: ScriptedAuthenticators, limits: MockLimits,
    loop: EventLoop
  ) {
    self.engine = engine
    self.authenticators = authenticators
    self.limits = limits
    self.loop = loop
    actor = StepActor(transcript, engine, authenticators)
    isComplete = transcript.isComplete
    comparison = MockComparison(transcript)
    view = MockView(loop: loop)
  }

  /// Plays until the view has done everything and closed its end. Returns what was different, for a person.
  func play() -> String? {
    loop.beforeWait = { [unowned self] in proceed() }
    loop.run()
    loop.beforeWait = { nil }
    view.stop()
    return result ?? nil
  }

  // MARK: Turns

  /// Goes as far as possible. Returns for how many milliseconds to wait for more.
  private func proceed() -> Int? {
    while result == nil {
      passOnOutput()
      if let problem = engine.advanceProblem { return finish(problem) }
      if engine.isAdvancing || authenticators.areBusy { return wait() }
      if !judged.isEmpty {
        judge()
        continue
      }
      switch playOn() {
      case .done: continue
      case .awaitsEngine:
        if idle < limits.patience { return wait() }
      case .awaitsView: break
      case .mayGoOn(let state, let missing):
        guard !isAwaited(missing) else { break }
        comparison.forgive(state)
        continue
      }
      guard result == nil else { break }
      if let line = view.waiting.first {
        // What it does is compared with what stands when all that it said before was taken.
        let counts = nextCounts
        guard !counts || actor.makeCertain() else { continue }
        pass(view.takeLine(), MockMessage.messages(in: line), counts)
      } else if view.hasEnded {
        return end()
      } else {
        return wait()
      }
    }
    loop.stop()
    return nil
  }

  /// For how long nothing has happened.
  private var idle: UInt64 { MonotonicClock.now() - max(since, view.lastTime) }

  /// How long to wait for more; ends it all when that was too long.
  private func wait() -> Int? {
    let isDone = comparison.step == nil && actor.hasTerminated
    if let end = engine.end { return finish(isDone ? nil : "the engine has \(end)\n\(engine.takeErrors())") }
    let passed = idle
    guard passed < limits.timeout else {
      return finish("\(comparison.place): nothing came in time; \(comparison.expectation)")
    }
    return Int(passed < limits.patience ? limits.patience - passed : limits.timeout - passed)
  }

  private func finish(_ difference: String?) -> Int? {
    result = .some(difference)
    loop.stop()
    return nil
  }

  private func fail(_ difference: String) { result = .some("\(comparison.place): \(difference)") }

  private func passOnOutput() {
    while let line = engine.takeLine() {
      view.tell(line)
      since = MonotonicClock.now()
      guard let message = try? JSONValue(parsing: line) else { continue }
      for one in message.array ?? [message] {
        if judged.isEmpty { comparison.take(one) } else { reactions.append(one) }
      }
    }
  }

  // MARK: The transcript's part

  /// Does what the transcript does next without the view, if it is time for it.
  private func playOn() -> Turn {
    guard case .play(let step, let state)? = comparison.step else { return .awaitsView }
    if case .ask(let question, let ignoring, let name) = step,
      let line = authenticators.takeLine(of: name, description: ScriptedAuthenticator.isDescribe(question))
    {
      compare(line, with: question, ignoring)
      return .done
    }
    if case .end = step, !(view.hasEnded && view.waiting.isEmpty) { return .awaitsView }
    guard actor.makeCertain() else { return .done }
    let missing = comparison.missing(state)
    guard comparison.difference(to: state) == nil else {
      // Where the engine cannot be asked, what it has yet to say may be what is missing.
      return actor.canAsk || isAwaited(missing) ? .awaitsView : .awaitsEngine
    }
    if case .ask = step { return missing.isEmpty || !isAwaited(missing) ? .awaitsEngine : .awaitsView }
    guard missing.isEmpty else { return .mayGoOn(state, missing: missing) }
    if let problem = actor.act(step) {
      fail(problem)
    } else {
      goOn()
    }
    return .done
  }

  private func goOn() {
    comparison.goOn()
    since = MonotonicClock.now()
  }

  /// Whether the view might do something that counts with its next line.
  private var nextCounts: Bool {
    view.waiting.first.map { MockMessage.messages(in: $0).contains(where: comparison.mayCount) } ?? false
  }

  private func compare(_ line: [UInt8], with expected: JSONValue, _ ignoring: [String]) {
    if let got = try? JSONValue(parsing: line), let difference = Difference.first(expected, got, ignoring: ignoring) {
      fail("the authenticator was asked something else; \(difference.text)")
    } else {
      goOn()
    }
  }

  /// Whether to wait for messages that may come or not: as long as the view's next line is one of them, or may yet be.
  private func isAwaited(_ missing: Set<MockMessage>) -> Bool {
    guard let line = view.waiting.first else { return !view.hasEnded && idle < limits.patience }
    let messages = MockMessage.messages(in: line)
    return messages.contains { missing.contains(MockMessage($0)) || !comparison.mayCount($0) }
  }

  // MARK: The view's part

  /// Passes on a line of the view's.
  private func pass(_ line: [UInt8], _ messages: [JSONValue?], _ counts: Bool) {
    _ = actor.act(.input(line))
    since = MonotonicClock.now()
    guard line.last == 0x0A else {
      // Nothing can follow it.
      _ = actor.act(.end)
      return
    }
    if actor.canAsk, counts {
      // Whether it counts is for the engine to say: what that refuses changes nothing.
      judged = messages
      _ = actor.makeCertain()
    } else {
      for message in messages {
        guard let difference = comparison.send(message) else { continue }
        return fail(difference)
      }
    }
  }

  /// Compares what the view has done, now that the engine has said whether it takes it.
  private func judge() {
    let difference = comparison.send(judged, reactions)
    (judged, reactions) = ([], [])
    if let difference { fail(difference) }
  }

  // MARK: The end

  /// The view says nothing more.
  private func end() -> Int? {
    guard comparison.step == nil else {
      guard comparison.expectsView || (actor.canAsk && awaitsView) else { return wait() }
      return finish("\(comparison.place): \(comparison.expectation), but the view has closed its end")
    }
    guard actor.makeCertain() else { return wait() }
    guard isComplete else { return endAtOnce() }
    engine.endInput()
    guard let end = engine.end else {
      let passed = idle
      guard passed < limits.ending else { return finish("the engine has not ended after its input has") }
      return Int(limits.ending - passed)
    }
    passOnOutput()
    if let (_, line) = authenticators.takeAnyLine() {
      let text = String(decoding: line, as: UTF8.self)
      return finish("\(comparison.place): nothing more was expected, but the authenticator was asked \(text)")
    }
    if let difference = comparison.differenceAtEnd { return finish("\(comparison.place): \(difference)") }
    return finish(end == .exited(0) ? nil : "the engine has \(end)\n\(engine.takeErrors())")
  }

  /// The transcript is one of an engine that was killed.
  private func endAtOnce() -> Int? {
    engine.kill()
    // Under lockstep it may not have come to all.
    let difference = actor.canAsk ? comparison.differenceAtEnd : nil
    return finish(difference.map { "\(comparison.place): \($0)" })
  }

  /// Whether the view's sessions would have to be others for the next step.
  private var awaitsView: Bool {
    guard case .play(_, let state)? = comparison.step else { return false }
    return comparison.difference(to: state) != nil
  }
}
