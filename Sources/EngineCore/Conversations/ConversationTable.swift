import LoginMachine

/// What is kept of a conversation beside its session's machine.
struct OpenConversation {
  let session: Session
  /// Who began it, and alone can go on with it.
  let authenticator: AuthenticatorReference
  var pollTimer: TimerID?
  var expiryTimer: TimerID?
  /// Whether its authenticator has forgotten it, and the session has not been told yet.
  var isLost = false
}

/// Requests that were answered with a challenge and are not decided yet.
struct ConversationTable {
  /// The screens that their challenges show.
  var screens = ChallengeCache()
  private var open: [ConversationID: OpenConversation] = [:]

  var count: Int { open.count }

  subscript(id: ConversationID) -> OpenConversation? { open[id] }

  mutating func set(_ conversation: OpenConversation, _ id: ConversationID) { open[id] = conversation }

  mutating func remove(_ id: ConversationID) -> OpenConversation? { open.removeValue(forKey: id) }

  /// Notes that its authenticator has forgotten it.
  mutating func lose(_ id: ConversationID) { open[id]?.isLost = true }

  mutating func pollTimerFired(_ id: ConversationID) { open[id]?.pollTimer = nil }

  /// All, in the order in which they began.
  var ids: [ConversationID] { open.keys.sorted() }
}
