/// An event of a session, without its values.
public enum Event: Hashable, Sendable {
  // Events of the user.
  case edit
  case submit, cancel, retry, again, dismiss
  /// A press of a link, by its index among the screen's links.
  case link(Int)
  // Events of the authenticator.
  case accepted, rejected, rejectedItems, tooEarly, notice
  /// A notice of the authenticator that names the next screen, by the screen's index.
  case noticeTo(Int)
  case message, alert
  /// The answer to a background request, by the request's index among the screen's initial
  /// requests.
  case backgroundAccepted(Int), backgroundRejected(Int)
  // Other events.
  /// A background request gets no answer, or an invalid one.
  case backgroundLost(Int)
  /// The form's request gets no answer, or an invalid one.
  case fault
  /// A refused edit has emptied a secret, because the view and the engine may disagree about its
  /// value.
  case secretLost
  case throttleOver
  /// The view closes the session. No state follows this event.
  case close
}
