/// The result of a request. The results of `session/submit`, `engine/stats`, audits and the answers
/// of authenticators share these values.
public enum RequestOutcome: String, CaseIterable, Sendable {
  /// The authenticator accepted the request.
  case accepted
  /// The authenticator rejected the values, or an answer to its challenge.
  case rejected
  /// The request was made too early: the user has to wait before the next attempt.
  case throttled
  /// The authenticator needs more input, or waits for an external event.
  case challenge
  /// The authenticator answered with a notice, and decided nothing.
  case notice
  /// No authenticator decided about the request.
  case failed
  /// The values are invalid, and no authenticator was asked.
  case invalid
  /// The request was cancelled by a press or a call, or because the engine stopped.
  case cancelled
  /// The session was closed.
  case closed

  /// The outcomes that an authenticator's answer, or its failure to answer, can have.
  public static let answers: [RequestOutcome] = [.accepted, .rejected, .throttled, .challenge, .notice, .failed]
}
