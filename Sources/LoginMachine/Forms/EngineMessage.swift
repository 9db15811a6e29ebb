/// The codes of all messages that the engine itself creates. Other messages come from a flow's
/// rules or from an authenticator.
///
/// The raw values are the codes on the wire. Their meanings never change; protocol/messages.json
/// lists them.
public enum EngineMessage: String, CaseIterable, Sendable {
  /// The authenticator did not answer in time.
  case timeout = "network.timeout"
  /// The authenticator exited before it answered.
  case exited = "network.exited"
  /// The authenticator could not be started.
  case unavailable = "network.unavailable"
  /// The authenticator's answer was invalid.
  case invalidAnswer = "network.invalidAnswer"
  /// The authenticator answered with an error that has no code.
  case refused = "network.refused"
  /// A text that the authenticator has sent without a code.
  case said
  /// The frontend answers the authenticator's questions itself, and its input has ended, so no
  /// answer can come.
  case inputEnded = "network.inputEnded"
  /// The authenticator reported that it does not support this request.
  case unsupportedRequest = "network.unsupportedRequest"
  /// The authenticator refuses requests for a while. The message has the parameters `seconds` and
  /// `retryAfterMs`.
  case throttled
  /// A throttle has ended.
  case throttleOver
  /// A challenge expired.
  case challengeExpired
  /// Secret values were not kept when the session was moved.
  case secretsNotKept
  /// The flow has changed since the session was saved.
  case formChanged
  /// A request was pending when the session was moved, and it cannot be repeated without its
  /// secrets.
  case interrupted = "network.interrupted"
  /// A challenge was open when the session was moved, and it cannot be continued.
  case challengeInterrupted
  /// The authenticator rejected the values and gave no reason.
  case unknownError

  /// The prefix of the code of an authenticator's error.
  public static let networkPrefix = "network."
}

extension Message {
  /// The maximum length of a code, in bytes: the prefix of an authenticator's error and a name.
  public static let maximumCodeLength = EngineMessage.networkPrefix.utf8.count + ASCIIName.maximumLength

  /// A message of the engine itself.
  public init(_ code: EngineMessage, _ parameters: [Parameter] = [], text: String? = nil) {
    self.init(code.rawValue, parameters, text: text)
  }

  /// A message about an authenticator's error.
  ///
  /// - Parameters:
  ///   - name: the error's name; the flow may have a text for it.
  ///   - text: the error's own text, shown unless the flow has a text for the name.
  public init(networkError name: String?, text: String? = nil) {
    self.init(name.map { EngineMessage.networkPrefix + $0 } ?? EngineMessage.refused.rawValue, text: text)
    isVerbatim = name == nil && text != nil
  }

  /// A message with a text that the authenticator has sent without a code.
  public init(saying text: String) {
    self.init(.said, text: text)
    isVerbatim = true
  }
}
