public import LoginMachine

/// The result of an attempt: a question to an authenticator was accepted, rejected, throttled or
/// failed. The result contains no entered values.
public struct Attempt: Equatable, Sendable {
  /// The session's name, in UTF-8.
  public let session: [UInt8]
  /// The id of the flow.
  public let flow: String
  /// The name of the request in the flow.
  public let request: String
  /// The conversation to which the question belongs.
  public let attempt: ConversationID
  /// `accepted`, `rejected`, `throttled` or `failed`.
  public let outcome: RequestOutcome
  /// The code of the message that says why the attempt did not succeed; `nil` if the attempt was
  /// accepted.
  public let code: String?
  /// The identity of the user whose request was accepted, as the authenticator states it.
  public let principal: String?
  /// The factors with which the user has proved their identity, as the authenticator states them.
  public let proofs: [Proof]?
  /// The context that the view gave for the session: the text of a JSON object.
  public let context: [UInt8]?

  public init(
    session: [UInt8], flow: String, request: String, attempt: ConversationID, outcome: RequestOutcome, code: String?,
    principal: String?, proofs: [Proof]?, context: [UInt8]?
  ) {
    self.session = session
    self.flow = flow
    self.request = request
    self.attempt = attempt
    self.outcome = outcome
    self.code = code
    self.principal = principal
    self.proofs = proofs
    self.context = context
  }
}

/// An observer of the results of attempts, such as an audit. It costs less than an
/// `EngineObserver`, which sees all events and makes each of them slower.
public protocol AttemptObserver: AnyObject {
  /// Called when an attempt has ended, at `time` on the engine's clock, before the core writes the
  /// update that follows.
  func observe(_ result: Attempt, at time: Moment)
}
