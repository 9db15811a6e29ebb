/// What became of a request: one vocabulary for the results of `session/submit`, for `engine/stats` and for audits. The answers of authenticators use the same
/// words.
public enum RequestOutcome: String, CaseIterable, Sendable {
  /// The authenticator has accepted the request.
  case accepted
  /// The authenticator has rejected the values, or an answer to its challenge.
  case rejected
  /// It is too early for another request.
  case throttled
  /// The authenticator wants to know more, or has something to wait for.
  case challenge
  /// The authenticator has answered with something to read.
  case notice
  /// No authenticator has decided the request.
  case failed
  /// The values do not meet the rules of the form, and no authenticator was asked.
  case invalid
  /// The request was given up by a press or a call, or because the engine was stopped.
  case cancelled
  /// The session was closed.
  case closed

  /// What an answer can lead to.
  public static let answers: [RequestOutcome] = [.accepted, .rejected, .throttled, .challenge, .notice, .failed]
}
