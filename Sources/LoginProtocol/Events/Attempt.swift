public import LoginMachine

/// A question to an authenticator that was accepted, came to nothing or was too early, without any value.
public struct Attempt: Equatable, Sendable {
  /// The session's name, in UTF-8.
  public let session: [UInt8]
  /// The id of the flow.
  public let flow: String
  /// The flow's name for what was asked.
  public let request: String
  /// The conversation that the question belongs to.
  public let attempt: ConversationID
  /// `accepted`, `rejected`, `throttled` or `failed`.
  public let outcome: RequestOutcome
  /// Why not, as a message's code.
  public let code: String?
  /// Who was let in, as the authenticator said.
  public let principal: String?
  /// How they have proved who they are, as the authenticator said.
  public let proofs: [Proof]?
  /// What the view said of the session: a JSON object's text.
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

/// Observes the results of attempts, as an audit does. An `EngineObserver` sees all events, and costs each of them something.
public protocol AttemptObserver: AnyObject {
  /// An attempt has ended at `time`, which is the engine's own time. The core calls this before it writes the update that follows.
  func observe(_ result: Attempt, at time: Moment)
}
