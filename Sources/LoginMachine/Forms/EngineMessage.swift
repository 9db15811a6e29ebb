/// Every code of a message that the engine itself gives. All others come from a flow's rules or from an authenticator.
///
/// The raw values are the codes on the wire, which never change their meaning; protocol/messages.json lists them.
public enum EngineMessage: String, CaseIterable, Sendable {
  /// The authenticator did not answer in time.
  case timeout = "network.timeout"
  /// The authenticator ended before it answered.
  case exited = "network.exited"
  /// The authenticator could not be started.
  case unavailable = "network.unavailable"
  /// The authenticator's answer is not one.
  case invalidAnswer = "network.invalidAnswer"
  /// The authenticator answered with an error that has no code.
  case refused = "network.refused"
  /// Words of the authenticator's own that have no code.
  case said
  /// Only the frontend could have answered, and its input has ended.
  case inputEnded = "network.inputEnded"
  /// The authenticator has said that it does not know such requests.
  case unsupportedRequest = "network.unsupportedRequest"
  /// The authenticator wants no request for a while; with `seconds` and `retryAfterMs`.
  case throttled
  /// Another request may be made again.
  case throttleOver
  /// A challenge was not met in the time that the authenticator gave for it.
  case challengeExpired
  /// What was typed into secret items was not kept when the session was moved.
  case secretsNotKept
  /// The flow has changed since the session was saved.
  case formChanged
  /// A request was under way when the session was moved, and cannot be made again without its secrets.
  case interrupted = "network.interrupted"
  /// A challenge was under way when the session was moved, and cannot go on.
  case challengeInterrupted
  /// The authenticator rejected the values and gave no reason.
  case unknownError

  /// What stands in front of the code of an authenticator's error.
  public static let networkPrefix = "network."
}

extension Message {
  /// The longest code: a name, behind what stands in front of the name of an authenticator's error.
  public static let maximumCodeLength = EngineMessage.networkPrefix.utf8.count + ASCIIName.maximumLength

  /// What the engine itself says.
  public init(_ code: EngineMessage, _ parameters: [Parameter] = [], text: String? = nil) {
    self.init(code.rawValue, parameters, text: text)
  }

  /// What is said of an authenticator's error.
  ///
  /// - Parameters:
  ///   - name: the error's name; the flow may have a text for it.
  ///   - text: the error's own words, which nothing but the flow's text for that name stands before.
  public init(networkError name: String?, text: String? = nil) {
    self.init(name.map { EngineMessage.networkPrefix + $0 } ?? EngineMessage.refused.rawValue, text: text)
    isVerbatim = name == nil && text != nil
  }

  /// Words of the authenticator's own that have no code.
  public init(saying text: String) {
    self.init(.said, text: text)
    isVerbatim = true
  }
}
