import JSONCodec
import System

/// Plays the steps of a transcript to an engine and collects the engine's messages, so that the
/// transcript can be rewritten.
final class Updater {
  /// A step that is played, and the outputs and questions that follow the step.
  struct Segment {
    var action: Transcript.Entry?
    var expected: [Transcript.Entry] = []
    var outputs: [[UInt8]] = []
    var questions: [String?: [[UInt8]]] = [:]
  }

  private(set) var segments: [Segment]
  private let transcript: Transcript
  private let actor: StepRunner
  private let engine: EngineUnderReplay
  private let authenticators: ScriptedAuthenticators
  private let loop: EventLoop
  private let timeout: UInt64
  private var next = 0
  private var stage = Stage.acting
  private var since: UInt64 = 0
  private var failure: Player.Failure?

  private enum Stage {
    case acting
    /// A synchronising request was sent. Its response will come after all other output.
    case asking
    /// No synchronising request can be sent. The output therefore counts as complete after a period
    /// of silence.
    case listening
    /// All steps were played.
    case ending
  }

  /// How long the engine has to be silent, in milliseconds, before its output counts as complete.
  /// Only used where no synchronising request can be sent.
  private static var silence: UInt64 { 150 }

  init(
    _ transcript: Transcript, engine: EngineUnderReplay, authenticators: ScriptedAuthenticators, timeout: UInt64,
    loop: EventLoop
  ) {
    self.transcript = transcript
    self.engine = engine
    self.authenticators = authenticators
    self.timeout = timeout
    self.loop = loop
    actor = StepRunner(transcript, engine, authenticators)
    segments = [Segment()]
    for entry in transcript.entries {
      switch entry.step {
      case .output, .ask: segments[segments.count - 1].expected.append(entry)
      default: segments.append(Segment(action: entry))
      }
    }
  }

  /// Plays all steps, and waits for the engine to end.
  func play() throws(Player.Failure) {
    since = MonotonicClock.now()
    loop.beforeWait = { [unowned self] in proceed() }
    loop.run()
    loop.beforeWait = { nil }
    if let failure { throw failure }
  }

  private func proceed() -> Int? {
    while failure == nil {
      let current = min(next, segments.count - 1)
      if collect(into: current) { since = MonotonicClock.now() }
      let passed = MonotonicClock.now() - since
      guard passed < timeout else {
        fail("nothing came in time")
        break
      }
      if engine.isAdvancing || authenticators.areBusy { return Int(timeout - passed) }
      switch stage {
      case .acting:
        if let action = segments[next].action {
          if let problem = actor.perform(action.step) {
            fail(problem)
            break
          }
        }
        since = MonotonicClock.now()
        if case .input(let bytes) = segments[next].action?.step, bytes.last != 0x0A {
          // The line has no newline, so only the end of the input can follow.
          resume()
          continue
        }
        stage = actor.canSynchronize ? .asking : .listening
        // A step that advances the clock is itself such a request, and its response comes last.
        if stage == .asking, !engine.isAdvancing { engine.advance(0) }
      case .asking:
        // A new process may not have connected yet.
        if engine.children > authenticators.count, passed < 1000 { return 5 }
        if collect(into: current) { continue }
        resume()
      case .listening:
        let wanted = segments[next].expected.count
        let has = segments[next].outputs.count + segments[next].questions.values.reduce(0) { $0 + $1.count }
        let silence = has < wanted ? Self.silence * 4 : Self.silence
        guard passed >= silence || engine.end != nil else { return Int(silence - passed) }
        resume()
      case .ending:
        if !transcript.isComplete { engine.kill() } else if !actor.hasTerminated { engine.endInput() }
        authenticators.releaseUnresponsive()
        guard let end = engine.end else { return Int(timeout - passed) }
        if transcript.isComplete, end != .exited(0) { fail("expected the engine to exit with 0, it \(end.event)") }
        loop.stop()
        return nil
      }
    }
    loop.stop()
    return nil
  }

  private func resume() {
    next += 1
    stage = next < segments.count ? .acting : .ending
    since = MonotonicClock.now()
  }

  /// Collects the engine's messages. Returns whether there were any.
  private func collect(into segment: Int) -> Bool {
    var came = false
    while let line = engine.takeLine() {
      segments[segment].outputs.append(line)
      came = true
    }
    let wantsDescription = segments[segment].expected.contains {
      if case .ask(let question, _, _) = $0.step { ScriptedAuthenticator.isDescribe(question) } else { false }
    }
    for name in authenticators.names {
      while let line = authenticators.takeLine(of: name, description: wantsDescription) {
        segments[segment].questions[name, default: []].append(line)
        came = true
      }
    }
    return came
  }

  /// The segments, with the engine's messages moved to where the transcript expects messages. A
  /// message may arrive after a step after which the transcript expects none. It is then moved to
  /// the next step after which messages are expected, if fewer than expected arrived there.
  var settledSegments: [Segment] {
    var settled = segments
    for index in settled.indices where settled[index].expected.isEmpty {
      guard let later = settled[index...].firstIndex(where: { !$0.expected.isEmpty }) else { break }
      let between = index..<later
      let expected = settled[later].expected
      let outputs = expected.count { if case .output = $0.step { true } else { false } }
      if outputs > settled[later].outputs.count {
        settled[later].outputs = between.flatMap { settled[$0].outputs } + settled[later].outputs
        for empty in between { settled[empty].outputs = [] }
      }
      for name in authenticators.names {
        let asks = expected.count { if case .ask(_, _, name) = $0.step { true } else { false } }
        let has = settled[later].questions[name] ?? []
        guard asks > has.count else { continue }
        settled[later].questions[name] = between.flatMap { settled[$0].questions[name] ?? [] } + has
        for empty in between { settled[empty].questions[name] = nil }
      }
    }
    return settled
  }

  private func fail(_ text: String) {
    let line = next < segments.count ? segments[next].action?.line : transcript.entries.last?.line
    let errors = engine.takeErrors()
    failure = Player.Failure(
      text: "\(transcript.place(line ?? 0)): \(text)"
        + (errors.isEmpty ? "" : "\n  the engine's standard error:\n    \(errors)"))
  }
}
