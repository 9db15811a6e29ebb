import JSONCodec
import System

/// A relay between a view and a real engine: forwards their lines, plays the transcript's
/// authenticator and clock, and compares the messages.
///
/// A step of the transcript is played as soon as the view has reached the state that the
/// transcript's view had at that step. Until the step was played, no further line of the view is
/// forwarded.
final class Mock {
  private let engine: EngineUnderReplay
  private let authenticators: ScriptedAuthenticators
  private let actor: StepRunner
  private let view: MockView
  private let isComplete: Bool
  private let loop: EventLoop
  private let limits: MockLimits
  private var comparison: MockComparison
  /// The view's last messages, until it is known which of them the engine accepts. Meanwhile,
  /// `reactions` collects the engine's messages.
  private var unjudged: [JSONValue?] = []
  private var reactions: [JSONValue] = []
  private var since = MonotonicClock.now()
  /// Whether the transcript has output of the engine after the step that was played last, and the
  /// engine has sent no output since.
  private var awaitsOutput = false
  private var result: String??

  private enum Turn {
    /// A step was played.
    case done
    /// The engine has to act first. Nothing is forwarded until then.
    case awaitsEngine
    /// The view has to act first.
    case awaitsView
    /// The view has done everything required, but has not sent some of these optional messages.
    case mayResume(MockState, missing: Set<MockMessage>)
  }

  init(
    _ transcript: Transcript, engine: EngineUnderReplay, authenticators: ScriptedAuthenticators, limits: MockLimits,
    loop: EventLoop
  ) {
    self.engine = engine
    self.authenticators = authenticators
    self.limits = limits
    self.loop = loop
    actor = StepRunner(transcript, engine, authenticators)
    isComplete = transcript.isComplete
    comparison = MockComparison(transcript)
    view = MockView(loop: loop)
  }

  /// Runs until the view has done everything that the transcript expects and has closed its end of
  /// the connection. Returns a description of the first difference; `nil` if there is none.
  func play() -> String? {
    loop.beforeWait = { [unowned self] in proceed() }
    loop.run()
    loop.beforeWait = { nil }
    view.stop()
    return result ?? nil
  }

  // MARK: Turns

  /// Proceeds as far as possible. Returns for how many milliseconds to wait for more lines.
  private func proceed() -> Int? {
    while result == nil {
      forwardOutput()
      if let problem = engine.advanceProblem { return finish(problem) }
      if engine.isAdvancing || authenticators.areBusy { return wait() }
      if !unjudged.isEmpty {
        compareDecided()
        continue
      }
      switch playNextStep() {
      case .done: continue
      case .awaitsEngine:
        if idle < limits.optionalTimeout { return wait() }
      case .awaitsView: break
      case .mayResume(let state, let missing):
        guard !isAwaited(missing) else { break }
        comparison.assumeSent(state)
        continue
      }
      guard result == nil else { break }
      if let line = view.waiting.first {
        // A message is compared with the state after everything that was sent before it.
        let mayBeAction = nextMayBeAction
        guard !mayBeAction || actor.synchronize() else { continue }
        forward(view.takeLine(), MockMessage.messages(in: line), mayBeAction)
      } else if view.hasEnded {
        return viewHasEnded()
      } else {
        return wait()
      }
    }
    loop.stop()
    return nil
  }

  /// The milliseconds since the view or the engine last did something.
  private var idle: UInt64 { MonotonicClock.now() - max(since, view.lastTime) }

  /// Returns for how many milliseconds to wait for more lines. Finishes with a failure if nothing
  /// has arrived for too long.
  private func wait() -> Int? {
    let isDone = comparison.step == nil && actor.hasTerminated
    if let end = engine.end { return finish(isDone ? nil : "the engine \(end.event)\n\(engine.takeErrors())") }
    let passed = idle
    guard passed < limits.timeout else {
      return finish("\(comparison.place): nothing came in time; \(comparison.expectation)")
    }
    return Int(passed < limits.optionalTimeout ? limits.optionalTimeout - passed : limits.timeout - passed)
  }

  private func finish(_ difference: String?) -> Int? {
    result = .some(difference)
    loop.stop()
    return nil
  }

  private func fail(_ difference: String) { result = .some("\(comparison.place): \(difference)") }

  private func forwardOutput() {
    while let line = engine.takeLine() {
      view.sendLine(line)
      since = MonotonicClock.now()
      awaitsOutput = false
      guard let message = try? JSONValue(parsing: line) else { continue }
      for one in message.array ?? [message] {
        if unjudged.isEmpty { comparison.recordEngineMessage(one) } else { reactions.append(one) }
      }
    }
  }

  // MARK: Steps of the transcript

  /// Plays the next step of the transcript, unless it is an action of the view or the view has not
  /// reached the state that the step needs.
  private func playNextStep() -> Turn {
    guard case .play(let step, let state, let leadsToOutput)? = comparison.step else { return .awaitsView }
    if case .ask(let question, let ignoring, let name) = step,
      let line = authenticators.takeLine(of: name, description: ScriptedAuthenticator.isDescribe(question))
    {
      compare(line, with: question, ignoring)
      return .done
    }
    if case .end = step, !(view.hasEnded && view.waiting.isEmpty) { return .awaitsView }
    guard actor.synchronize() else { return .done }
    let missing = comparison.missing(state)
    guard comparison.difference(to: state) == nil else {
      // Without synchronisation, the view may still be waiting for lines that the engine has not
      // sent yet.
      return actor.canSynchronize || !awaitsOutput && isAwaited(missing) ? .awaitsView : .awaitsEngine
    }
    if case .ask = step { return missing.isEmpty || !isAwaited(missing) ? .awaitsEngine : .awaitsView }
    guard missing.isEmpty else { return .mayResume(state, missing: missing) }
    if let problem = actor.perform(step) {
      fail(problem)
    } else {
      awaitsOutput = leadsToOutput
      resume()
    }
    return .done
  }

  private func resume() {
    comparison.resume()
    since = MonotonicClock.now()
  }

  /// Whether the view's next line has a message that may be an action.
  private var nextMayBeAction: Bool {
    view.waiting.first.map { MockMessage.messages(in: $0).contains(where: comparison.mayBeAction) } ?? false
  }

  private func compare(_ line: [UInt8], with expected: JSONValue, _ ignoring: [String]) {
    let expected = comparison.withViewsName(in: expected)
    if let got = try? JSONValue(parsing: line), let difference = Difference.first(expected, got, ignoring: ignoring) {
      fail("the authenticator was asked something else; \(difference.text)")
    } else {
      resume()
    }
  }

  /// Whether to wait for the optional messages in `missing`. If a line of the view has arrived,
  /// waits only if the line contains one of these messages, or a message that is no action. If no
  /// line has arrived, waits for a limited time, while the view can still send one.
  private func isAwaited(_ missing: Set<MockMessage>) -> Bool {
    guard let line = view.waiting.first else { return !view.hasEnded && idle < limits.optionalTimeout }
    let messages = MockMessage.messages(in: line)
    return messages.contains { missing.contains(MockMessage($0)) || !comparison.mayBeAction($0) }
  }

  // MARK: Messages of the view

  /// Forwards a line of the view.
  private func forward(_ line: [UInt8], _ messages: [JSONValue?], _ mayBeAction: Bool) {
    _ = actor.perform(.input(line))
    since = MonotonicClock.now()
    guard line.last == 0x0A else {
      // No line can follow an unterminated one.
      _ = actor.perform(.end)
      return
    }
    if actor.canSynchronize, mayBeAction {
      // The engine decides whether the messages are actions: a refused message changes nothing.
      unjudged = messages
      _ = actor.synchronize()
    } else {
      for message in messages {
        guard let difference = comparison.recordViewMessage(message) else { continue }
        return fail(difference)
      }
    }
  }

  /// Compares the view's messages after the engine has accepted or refused them.
  private func compareDecided() {
    let difference = comparison.recordViewMessages(unjudged, reactions)
    (unjudged, reactions) = ([], [])
    if let difference { fail(difference) }
  }

  // MARK: The end

  /// Handles a view that has closed its end of the connection. Returns for how many milliseconds to
  /// wait.
  private func viewHasEnded() -> Int? {
    guard comparison.step == nil else {
      guard comparison.expectsView || (actor.canSynchronize && awaitsView) else { return wait() }
      return finish("\(comparison.place): \(comparison.expectation), but the view has closed its end")
    }
    guard actor.synchronize() else { return wait() }
    guard isComplete else { return killEngine() }
    engine.endInput()
    authenticators.releaseUnresponsive()
    guard let end = engine.end else {
      let passed = idle
      guard passed < limits.ending else { return finish("the engine has not ended after its input has") }
      return Int(limits.ending - passed)
    }
    forwardOutput()
    if let (_, line) = authenticators.takeAnyLine() {
      let text = String(decoding: line, as: UTF8.self)
      return finish("\(comparison.place): nothing more was expected, but the authenticator was asked \(text)")
    }
    if let difference = comparison.differenceAtEnd { return finish("\(comparison.place): \(difference)") }
    return finish(end == .exited(0) ? nil : "the engine \(end.event)\n\(engine.takeErrors())")
  }

  /// Kills the engine at the end of a transcript that was recorded from a killed engine.
  private func killEngine() -> Int? {
    engine.kill()
    // Under lockstep the engine may not have read everything.
    let difference = actor.canSynchronize ? comparison.differenceAtEnd : nil
    return finish(difference.map { "\(comparison.place): \($0)" })
  }

  /// Whether the next step can only be played after the values in the view's sessions have changed.
  private var awaitsView: Bool {
    guard case .play(_, let state, _)? = comparison.step else { return false }
    return comparison.difference(to: state) != nil
  }
}
