public import LoginMachine

/// What is known of the values in a message's params.
public enum KnownValues {
  /// Nothing: any value in it may be secret.
  case none
  /// `value` is that of an item that is neither secret nor external.
  case plainValue
  /// `value` is that of an external item.
  case externalValue
  /// `value` is that of a secret item; `rules` are those that a text in its place has to meet or fail likewise.
  case secretValue(rules: [Rule])
  /// `values` belong to the items of this screen; `secretRules` are those of secret ones.
  case items(of: Screen, secretRules: [Rule] = [])
  /// `saved` is a session as an engine has saved it, in which there is no secret.
  case savedSession
}

/// The session that a question is asked for.
public struct AskingSession {
  /// The session's name, in UTF-8.
  public let session: [UInt8]
  /// The screen whose values are asked about.
  public let screen: Screen

  public init(session: [UInt8], screen: Screen) {
    self.session = session
    self.screen = screen
  }
}

/// A timer that fires. A session is named in UTF-8; `nil` if it is closed.
public enum TimerEvent {
  /// A question was not answered in time.
  case requestTimeout(QuestionID)
  /// A throttle ends: another request may be made again.
  case throttle(QuestionID)
  /// An authenticator is to be asked what became of a conversation.
  case poll(ConversationID)
  /// A challenge is no longer valid.
  case expiry(ConversationID)
  /// A view took too long to present an update.
  case presentation(session: [UInt8]?)
  /// A session may have been idle for too long.
  case idle(session: [UInt8]?)
  /// Nobody has edited an item for some time, so that the authenticator can be asked about the value.
  case check(session: [UInt8]?)
}

/// What an authenticator is called.
public struct AuthenticatorName: Hashable, Sendable {
  /// In logs and traces.
  public let text: String
  /// In transcripts; `nil` if there is no other authenticator.
  public let inTranscripts: String?

  public init(_ text: String, inTranscripts: String?) {
    self.text = text
    self.inTranscripts = inTranscripts
  }
}

/// Something about the process of an authenticator.
public enum AuthenticatorEvent: Equatable, Sendable {
  case started
  /// The authenticator could not be started.
  case unavailable
  /// The authenticator takes no more of what it is sent, for the time being.
  case inputFull
  /// The authenticator reads on.
  case inputDrained
  /// The authenticator has closed its input.
  case inputClosed
  /// The authenticator's output has ended. `isClosing` tells that the engine only waits for that end.
  case exited(isClosing: Bool)
  /// The authenticator wrote a line that is not JSON.
  case wroteNonJSON(isClosing: Bool)
  /// The authenticator wrote a line longer than `maximum` bytes.
  case wroteTooLong(maximum: Int, isClosing: Bool)
}
