/// An accepted request that led to another screen of the flow. The session's next requests refer to
/// it, so that the authenticator knows what it has accepted before.
public struct AcceptedRequest: Equatable, Sendable {
  /// The id of the conversation that the accepted request started.
  public let conversationID: ConversationID
  /// The principal of the accepted request, as last stated by the authenticator.
  public let principal: String?
  /// Further data that the authenticator has sent, passed on unchanged: the text of a JSON object.
  public let data: [UInt8]?
  /// How and when the user's identity was proved, as last stated by the authenticator.
  public let proofs: [Proof]?

  /// Creates the record of an accepted request. Values that are `nil` are taken from `previous`.
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
