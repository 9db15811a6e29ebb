/// Does what a transcript's steps do.
final class StepActor {
  private let engine: EngineUnderReplay
  private let authenticator: ScriptedAuthenticator
  private(set) var inputHasEnded = false
  private(set) var hasTerminated = false

  init(_ engine: EngineUnderReplay, _ authenticator: ScriptedAuthenticator) {
    self.engine = engine
    self.authenticator = authenticator
  }

  /// Does a step that waits for nothing. Returns what is wrong if it cannot be done.
  func act(_ step: Transcript.Step) -> String? {
    switch step {
    case .input(let bytes): engine.send(bytes)
    case .advance(let milliseconds): engine.advance(milliseconds)
    case .end:
      engine.endInput()
      inputHasEnded = true
    case .terminate:
      engine.terminate()
      hasTerminated = true
      inputHasEnded = true
    case .answer(let bytes):
      guard authenticator.answer(bytes) else { return "no authenticator is running that could answer" }
    case .fault(let fault):
      guard authenticator.suffer(fault) else { return "no authenticator is running that could do this" }
    case .output, .ask: break
    }
    return nil
  }
}
