import LoginMachine
import LoginProtocol

/// What became of questions, for who counts tries or keeps a list of them.
extension EngineCore {
  /// Counts an answer that was taken, and tells who is to know.
  func noteAnswer(_ answer: Answer, _ question: OpenQuestion) {
    let result = AttemptResult(answer)
    statistics.noteAnswer(result.outcome, after: time.now >= question.start ? time.now - question.start : 0)
    guard let attemptObserver, let outcome = result.outcome.ofAttempt else { return }
    let session = question.session
    attemptObserver.observe(
      Attempt(
        session: session.id.bytes, flow: session.template.flow.id, request: question.request,
        attempt: question.conversation, outcome: outcome, code: result.code, principal: result.principal,
        factors: result.factors, context: session.particulars?.context), at: time.moment)
  }
}

/// What an answer says of a try.
private struct AttemptResult {
  let outcome: EngineStatistics.Outcome
  var code: String?
  var principal: String?
  var factors: [String]?

  init(_ answer: Answer) {
    switch answer {
    case .accepted(let principal, _, _, _, let factors):
      outcome = .accepted
      self.principal = principal
      self.factors = factors
    case .failed(let message, _, let retryAfter):
      // A code that begins like this says that nobody has decided.
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

extension EngineStatistics.Outcome {
  /// The same of a try; `nil` for what is still under way or no try.
  fileprivate var ofAttempt: Attempt.Outcome? {
    switch self {
    case .accepted: .accepted
    case .rejected: .rejected
    case .throttled: .throttled
    case .failed: .failed
    case .challenge, .notice: nil
    }
  }
}
