/// Something that can happen to a session, without the values it brings.
public enum Event: Hashable, Sendable {
  // What a person does.
  case edit
  case submit, cancel, retry, again, dismiss
  /// The way to another screen, by its place among the screen's links.
  case link(Int)
  // What an authenticator does.
  case accepted, rejected, rejectedItems, tooEarly, notice
  /// A notice that names the screen to go on with, by its index.
  case noticeTo(Int)
  case message, alert
  /// What becomes of a request beside the form, by its index among those that begin on the screen.
  case backgroundAccepted(Int), backgroundRejected(Int)
  // What happens otherwise.
  /// There is no answer to such a request, or none that is one.
  case backgroundLost(Int)
  /// There is no answer, or none that is one.
  case fault
  /// View and engine disagreed on a secret.
  case secretLost
  case throttleOver
  /// The view ends the session. It leads nowhere.
  case close
}
