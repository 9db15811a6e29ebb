import LoginMachine
import LoginProtocol

/// The timeouts of questions. The timeout of a question is paused while the user has an alert to
/// dismiss, or the view has an update to present.
extension EngineCore {
  /// Pauses or resumes the timeout of a session's question, after an event that may have changed
  /// what the session waits for.
  func updateTimeout(of session: Session) {
    guard let id = session.machine.awaitedQuestion else { return }
    questions.setPaused(waitsForUser(session), id, &time)
  }

  /// Whether a session waits for its user to dismiss an alert, or for its view to acknowledge an
  /// update. After a view took too long to acknowledge an update, its session no longer counts as
  /// waiting. This ends when the view acknowledges an update again. With `--lockstep` the result is
  /// `false`, because no line of the view is handled before the answer.
  func waitsForUser(_ session: Session) -> Bool {
    guard !configuration.isLockstep else { return false }
    if session.machine.alert != nil { return true }
    guard let transitions = session.transitions else { return false }
    return transitions.queue.awaited != nil && !transitions.isSilent
  }
}
