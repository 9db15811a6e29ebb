import LoginMachine
import LoginProtocol

/// The outcomes of questions, for statistics and for the observer of attempts.
extension EngineCore {
  /// Counts an answer that the session's machine has accepted, and reports it to the observer of
  /// attempts if it ends an attempt.
  func noteAnswer(_ answer: Answer, _ question: OpenQuestion) {
    let result = AttemptResult(answer)
    statistics.noteAnswer(result.outcome, after: time.now >= question.start ? time.now - question.start : 0)
    guard let attemptObserver, result.outcome.endsAttempt else { return }
    let session = question.session
    attemptObserver.observe(
      Attempt(
        session: session.id.bytes, flow: session.template.flow.id, request: question.request,
        attempt: question.conversation, outcome: result.outcome, code: result.code, principal: result.principal,
        proofs: result.proofs, context: session.particulars?.context), at: time.moment)
  }
}

/// The result of an attempt, derived from the authenticator's answer.
struct AttemptResult {
  let outcome: RequestOutcome
  var code: String?
  var principal: String?
  var proofs: [Proof]?

  init(_ answer: Answer) {
    switch answer {
    case .accepted(let principal, _, _, _, let proofs):
      outcome = .accepted
      self.principal = principal
      self.proofs = proofs
    case .failed(let message, _, let retryAfter):
      // A code with this prefix means that the authenticator did not decide.
      let isUndecided = message.code.hasPrefix(EngineMessage.networkPrefix)
      outcome = isUndecided ? .failed : retryAfter == nil ? .rejected : .throttled
      code = message.code
    case .undecided(let message):
      outcome = .failed
      code = message.code
    case .challenge(let challenge):
      outcome = challenge.error == nil ? .challenge : .rejected
      code = challenge.error?.code
    case .notice(let message, _):
      outcome = .notice
      code = message.code
    }
  }
}

extension RequestOutcome {
  /// Whether this outcome ends an attempt. `challenge` does not, because the attempt continues, and
  /// `notice` does not, because nothing was decided.
  fileprivate var endsAttempt: Bool { [.accepted, .rejected, .throttled, .failed].contains(self) }
}
