public import LoginMachine

/// The result of an attempt: a question to an authenticator that was accepted, rejected, throttled
/// or failed. Contains no entered values.
public struct Attempt: Equatable, Sendable {
  /// The session's name, in UTF-8.
  public let session: [UInt8]
  /// The id of the flow.
  public let flow: String
  /// The name of the request in the flow.
  public let request: String
  /// The conversation of the question.
  public let attempt: ConversationID
  /// `accepted`, `rejected`, `throttled` or `failed`.
  public let outcome: RequestOutcome
  /// The message code that gives the reason, unless it was accepted.
  public let code: String?
  /// The user who was logged in, as stated by the authenticator.
  public let principal: String?
  /// The proofs of identity, as stated by the authenticator.
  public let proofs: [Proof]?
  /// The context that the view gave for the session: a JSON object's text.
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

/// An observer of the results of attempts, such as an audit. An `EngineObserver` sees all events,
/// but adds a cost to each.
public protocol AttemptObserver: AnyObject {
  /// Called when an attempt has ended, at `time` on the engine's clock, before the core writes the
  /// update that follows.
  func observe(_ result: Attempt, at time: Moment)
}
