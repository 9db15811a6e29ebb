import LoginMachine
import LoginProtocol

/// The time that authenticators have for their answers. It counts only while the authenticator is what is waited for: it stands still while a person has an
/// alert to dismiss, or a view has an update to present.
extension EngineCore {
  /// Lets the time of a session's question pass or stand still, after an event that may have changed what is waited for.
  func arrangeTimeout(of session: Session) {
    guard let id = session.machine.awaitedQuestion else { return }
    questions.setPaused(awaitsPerson(session), id, &time)
  }

  /// Whether nothing goes on in a session before its person dismisses an alert, or its view reports what it presents. A view that has let its time pass
  /// once is not waited for in this way before it reports something. With `--lockstep`, neither can do so before the answer.
  func awaitsPerson(_ session: Session) -> Bool {
    guard !configuration.isLockstep else { return false }
    if session.machine.alert != nil { return true }
    guard let transitions = session.transitions else { return false }
    return transitions.queue.awaited != nil && !transitions.isSilent
  }
}
