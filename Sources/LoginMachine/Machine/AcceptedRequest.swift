/// A request that was accepted and led on to another screen of the flow: what links the session's next requests to it.
public struct AcceptedRequest: Equatable, Sendable {
  /// The number of the conversation that it was.
  public let conversationID: ConversationID
  /// Who it was about, as the authenticator said last.
  public let principal: String?
  /// What else the authenticator said last: a JSON object's text, passed on as it came.
  public let data: [UInt8]?
  /// How the person has proved who they are, as the authenticator said last.
  public let proofs: [Proof]?

  /// The request of that number, which the authenticator accepted with these words. What it left out is as the request before said.
  init(
    _ conversationID: ConversationID, principal: String?, data: [UInt8]?, proofs: [Proof]?,
    after previous: AcceptedRequest?
  ) {
    self.conversationID = conversationID
    self.principal = principal ?? previous?.principal
    self.data = data ?? previous?.data
    self.proofs = proofs ?? previous?.proofs
  }
}
