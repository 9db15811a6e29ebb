import JSONCodec
import System

/// Plays one transcript to one engine: sends its input and compares its output.
final class Player {
  /// The reason why a transcript does not play, with its location in the file.
  struct Failure: Error {
    var text: String
  }

  /// The result of playing a step.
  private enum Progress {
    case done
    /// What the step still waits for.
    case waiting(String)
    case failed(String)
  }

  private let transcript: Transcript
  private let pace: any ReplayPace
  /// How long the player waits for each step, in milliseconds.
  private let timeout: UInt64
  private let engine: any ReplayedEngine
  private let authenticators: any ReplayedAuthenticators
  private let actor: StepRunner
  private var next = 0
  private var deadline: UInt64 = 0
  private var result: Result<Void, Failure>?

  init(
    _ transcript: Transcript, engine: any ReplayedEngine, authenticators: any ReplayedAuthenticators, timeout: UInt64,
    pace: any ReplayPace
  ) {
    self.transcript = transcript
    self.engine = engine
    self.authenticators = authenticators
    self.timeout = timeout
    self.pace = pace
    actor = StepRunner(transcript, engine, authenticators)
  }

  /// Plays the transcript from its first step to the engine's exit.
  func play() throws(Failure) {
    deadline = pace.now + timeout
    pace.run { [unowned self] in proceed() }
    try result?.get()
  }

  /// Plays steps as far as possible. Returns for how many milliseconds to wait for more.
  private func proceed() -> Int? {
    while result == nil {
      switch next < transcript.entries.count ? play(transcript.entries[next].step) : awaitEnd() {
      case .done:
        next += 1
        deadline = pace.now + timeout
      case .waiting(let what):
        let now = pace.now
        guard now >= deadline else { return Int(deadline - now) }
        fail("nothing came in time: expected \(what)")
      case .failed(let text): fail(text)
      }
    }
    return nil
  }

  private func fail(_ text: String) {
    let place: String
    if next < transcript.entries.count {
      place = transcript.place(transcript.entries[next].line)
    } else {
      place = "\(transcript.place(transcript.entries.last?.line ?? 0)) (the end)"
    }
    var text = "\(place): \(text)"
    let errors = engine.takeErrors().split(separator: "\n")
    if !errors.isEmpty { text += "\n  the engine's standard error:\n    " + errors.joined(separator: "\n    ") }
    result = .failure(Failure(text: text))
  }

  // MARK: Steps

  private func play(_ step: Transcript.Step) -> Progress {
    if let problem = engine.advanceProblem { return .failed(problem) }
    switch step {
    case .output(let expected, let ignoring):
      guard let line = engine.takeLine() else {
        if let end = engine.end { return .failed("the engine \(end.event); expected the output\n    \(expected.text)") }
        return .waiting("the output\n    \(expected.text)")
      }
      return compare(line, with: expected, ignoring, "output")
    case .ask(let expected, let ignoring, let name):
      let isDescribe = ScriptedAuthenticator.isDescribe(expected)
      guard let line = authenticators.takeLine(of: name, description: isDescribe) else {
        return .waiting("the authenticator\(StepRunner.called(name)) to be asked\n    \(expected.text)")
      }
      return compare(line, with: expected, ignoring, "question to the authenticator\(StepRunner.called(name))")
    case .input, .answer, .fault, .advance, .end, .terminate:
      if engine.isAdvancing { return .waiting("the engine to have moved its clock") }
      if authenticators.areBusy { return .waiting("the engine to have read what the authenticator said") }
      guard actor.synchronize(before: step) else { return .waiting("the engine to have read what was said before") }
      return actor.perform(step).map { .failed($0) } ?? .done
    }
  }

  private func compare(
    _ line: [UInt8], with expected: JSONValue, _ ignoring: [String], _ kind: String
  ) -> Progress {
    let text = String(decoding: line, as: UTF8.self)
    let comparison = "expected the \(kind)\n    \(expected.text)\n  got\n    \(text)\n  "
    do throws(JSONError) {
      let got = try JSONValue(parsing: line)
      guard let difference = Difference.first(expected, got, ignoring: ignoring) else {
        actor.recordReaction(got)
        return .done
      }
      return .failed(comparison + difference.text)
    } catch {
      return .failed(comparison + "which is not JSON: at byte \(error.offset), \(error.reason.rawValue)")
    }
  }

  // MARK: The end

  /// Ends the engine's input after the last step. The engine must send nothing more and exit with
  /// status 0.
  private func awaitEnd() -> Progress {
    guard transcript.isComplete else { return awaitKill() }
    if let problem = engine.advanceProblem { return .failed(problem) }
    if engine.isAdvancing { return .waiting("the engine to have moved its clock") }
    guard actor.synchronize(before: .end) else { return .waiting("the engine to have read what was said before") }
    // After a terminate step the engine exits without the end of its input.
    if !actor.hasTerminated { engine.endInput() }
    authenticators.releaseUnresponsive()
    if let line = engine.takeLine() { return .failed(unexpected("output", line)) }
    if let (name, line) = authenticators.takeAnyLine() {
      return .failed(unexpected("question to the authenticator\(StepRunner.called(name))", line))
    }
    guard let end = engine.end else { return .waiting("the engine to exit after the end of its input") }
    guard end == .exited(0) else { return .failed("expected the engine to exit with 0, it \(end.event)") }
    guard authenticators.haveEnded else { return .waiting("the authenticator to exit after the engine") }
    result = .success(())
    return .done
  }

  /// Kills the engine after the last step of an incomplete transcript, because the recorded engine
  /// was killed as well. Further output is ignored.
  private func awaitKill() -> Progress {
    engine.kill()
    while engine.takeLine() != nil {}
    guard engine.end != nil else { return .waiting("the engine to end") }
    while authenticators.takeAnyLine() != nil {}
    guard authenticators.haveEnded else { return .waiting("the authenticator to exit after the engine") }
    result = .success(())
    return .done
  }

  private func unexpected(_ kind: String, _ line: [UInt8]) -> String {
    "unexpected \(kind)\n    \(String(decoding: line, as: UTF8.self))"
  }
}
