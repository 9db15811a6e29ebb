/// An accepted request that led to another screen of the flow. It links the session's next requests
/// to it.
public struct AcceptedRequest: Equatable, Sendable {
  /// The id of the request's conversation.
  public let conversationID: ConversationID
  /// The principal of the request, as last stated by the authenticator.
  public let principal: String?
  /// Further data of the authenticator: a JSON object's text, passed on unchanged.
  public let data: [UInt8]?
  /// The proofs of identity, as last stated by the authenticator.
  public let proofs: [Proof]?

  /// Creates the record of an accepted request. `nil` values are taken from `previous`.
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
