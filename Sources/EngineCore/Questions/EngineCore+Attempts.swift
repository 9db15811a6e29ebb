import LoginMachine
import LoginProtocol

/// The outcomes of questions, for statistics and for the observer of attempts.
extension EngineCore {
  /// Counts an accepted answer, and reports it if it ends an attempt.
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

/// The result that an answer gives an attempt.
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
      // Codes with this prefix mean that no decision was made.
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
  /// Whether the outcome ends an attempt. An attempt that continues, or a result of none, does not.
  fileprivate var endsAttempt: Bool { [.accepted, .rejected, .throttled, .failed].contains(self) }
}
