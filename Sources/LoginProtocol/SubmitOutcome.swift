/// What became of a `session/submit`: the member `outcome` of its result.
public enum SubmitOutcome: String, CaseIterable, Sendable {
  /// The authenticator has accepted the request.
  case success
  /// The request came to nothing: the authenticator has rejected it, or has not decided it.
  case failure
  /// It is too early for another request.
  case throttle
  /// The authenticator wants to know more, or has something to wait for.
  case challenge
  /// The authenticator has answered with something to read.
  case notice
  /// The values do not meet the rules of the form, and nobody was asked.
  case invalid
  /// The request was given up by a press of cancel, or because the engine was stopped.
  case cancel
  /// The session was closed.
  case close
}
