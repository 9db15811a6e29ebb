import LoginForms
import LoginMachine
import LoginProtocol

/// The time that authenticators have for their answers. It counts only while the authenticator is what is waited for: it stands still while a person has an
/// alert to dismiss, or a view has an update to present.
extension EngineCore {
  /// Begins the time that the answer to a question may take, and returns it.
  func beginTimeout(of id: QuestionID, _ session: Session) -> AnswerTimeout {
    let timeout = session.template.flow.options.requestTimeout
    // A question beside a form never waits for the person.
    return awaitsPerson(session) && session.machine.awaitedQuestion == id
      ? .paused(remaining: timeout) : runningTimeout(of: id, for: timeout)
  }

  /// Lets the time of a session's question pass or stand still, after an event that may have changed what is waited for.
  func arrangeTimeout(of session: Session) {
    guard let id = session.machine.awaitedQuestion, let question = questions[id] else { return }
    switch (question.timeout, awaitsPerson(session)) {
    case (.running(let timer, let deadline), true):
      time.cancel(timer)
      questions.setTimeout(.paused(remaining: deadline > time.now ? deadline - time.now : 0), of: id)
    case (.paused(let remaining), false):
      questions.setTimeout(runningTimeout(of: id, for: remaining), of: id)
    case (.running, false), (.paused, true): break
    }
  }

  private func runningTimeout(of id: QuestionID, for milliseconds: UInt64) -> AnswerTimeout {
    let (sum, overflow) = time.now.addingReportingOverflow(milliseconds)
    let deadline = overflow ? .max : sum
    return .running(time.schedule(at: deadline, .requestTimeout(id)), deadline: deadline)
  }

  /// Whether nothing goes on in a session before its person dismisses an alert, or its view reports what it presents. A view that has let its time pass
  /// once is not waited for in this way before it reports something. With `--lockstep`, neither can do so before the answer.
  private func awaitsPerson(_ session: Session) -> Bool {
    guard !configuration.isLockstep else { return false }
    if session.machine.alert != nil { return true }
    guard let transitions = session.transitions else { return false }
    return transitions.queue.awaited != nil && !transitions.isSilent
  }
}
