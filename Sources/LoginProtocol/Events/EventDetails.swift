public import LoginMachine

/// Says which values in a message's params are secret, as far as this is known.
public enum KnownValues {
  /// Nothing is known: any value may be secret.
  case none
  /// `value` belongs to an item that is neither secret nor external.
  case plainValue
  /// `value` belongs to an external item.
  case externalValue
  /// `value` belongs to a secret item with these rules. A recorder that replaces the value by a
  /// placeholder has to choose a placeholder that meets and breaks the same rules as the value.
  case secretValue(rules: [Rule])
  /// `values` belong to the items of this screen. `secretRules` are the rules of its secret items.
  case items(of: Screen, secretRules: [Rule] = [])
  /// `saved` is a saved session, which contains no secrets.
  case savedSession
}

/// The session for which a question is asked.
public struct AskingSession {
  /// The session's name, in UTF-8.
  public let session: [UInt8]
  /// The screen whose items have the values in the question.
  public let screen: Screen

  public init(session: [UInt8], screen: Screen) {
    self.session = session
    self.screen = screen
  }
}

/// A timer that fires. A session is given by its name in UTF-8, or as `nil` if the session was
/// closed.
public enum TimerEvent {
  /// A question was not answered in time.
  case requestTimeout(QuestionID)
  /// A throttle ends.
  case throttle(QuestionID)
  /// It is time to poll the authenticator about a conversation.
  case poll(ConversationID)
  /// A challenge expires.
  case expiry(ConversationID)
  /// A view took too long to present an update.
  case presentation(session: [UInt8]?)
  /// A session may have exceeded its idle time.
  case idle(session: [UInt8]?)
  /// The delay after the last edit of an item has passed, so the item's value has to be checked
  /// now.
  case check(session: [UInt8]?)
}

/// The name of an authenticator.
public struct AuthenticatorName: Hashable, Sendable {
  /// The authenticator's name in logs and traces.
  public let text: String
  /// The authenticator's name in transcripts; `nil` if there is only one authenticator.
  public let inTranscripts: String?

  public init(_ text: String, inTranscripts: String?) {
    self.text = text
    self.inTranscripts = inTranscripts
  }
}

/// The process of an authenticator has started or ended, or the state of its pipes has changed.
public enum AuthenticatorEvent: Equatable, Sendable {
  case started
  /// The authenticator could not be started.
  case unavailable
  /// The authenticator's input is full.
  case inputFull
  /// The authenticator's input has room again.
  case inputDrained
  /// The authenticator has closed its input.
  case inputClosed
  /// The authenticator's output has ended. `isClosing` is whether the engine was shutting down and
  /// waited for this.
  case exited(isClosing: Bool)
  /// The authenticator wrote a line that is not JSON.
  case wroteNonJSON(isClosing: Bool)
  /// The authenticator wrote a line longer than `maximum` bytes.
  case wroteTooLong(maximum: Int, isClosing: Bool)
}
