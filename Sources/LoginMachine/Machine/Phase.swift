/// The state of a session. The comment on each case lists the states that can follow it.
///
/// The enum is indirect, so that a session takes and copies only one word for it while the user
/// types.
public indirect enum Phase: Equatable, Sendable {
  /// Nothing has been entered yet, or nothing since a failure that returned the form to its initial
  /// state. Can transition to `unvalidated`, `validated`, `requestPending` (a form without required
  /// items), to another screen.
  case initial
  /// Some value is invalid. Can transition to `validated`, to another screen.
  case unvalidated
  /// All values are valid. Can transition to `unvalidated`, `requestPending`, to another screen.
  case validated
  /// The authenticator was asked, or the session waits for an event outside of the form. Can
  /// transition to `validated`, `unvalidated` (cancel), `requestFailed`, `requestSucceeded`, to
  /// another screen (a challenge, or the screen to which the flow or the answer leads).
  case requestPending(PendingQuestion)
  /// The request failed. Can transition to `validated`, `unvalidated` (edit), `initial`
  /// (dismissal), `requestPending` (retry), to another screen.
  case requestFailed(Failure)
  /// The user is logged in. The final state, unless the screen has an `again` action: then it can
  /// transition to `initial` on the flow's first screen, for the next user.
  case requestSucceeded(Scene)

  /// The phase without associated values: the name on the wire.
  public enum Name: UInt8, CaseIterable, Sendable {
    case initial, unvalidated, validated, requestPending, requestFailed, requestSucceeded
  }

  /// The phase without associated values.
  @inlinable public var name: Name {
    switch self {
    case .initial: .initial
    case .unvalidated: .unvalidated
    case .validated: .validated
    case .requestPending: .requestPending
    case .requestFailed: .requestFailed
    case .requestSucceeded: .requestSucceeded
    }
  }

  /// Whether values can be edited and links to other screens can be pressed.
  @inlinable public var isOpen: Bool { name.isOpen }
}

extension Phase.Name {
  /// See `Phase.isOpen`.
  @inlinable public var isOpen: Bool {
    switch self {
    case .initial, .unvalidated, .validated, .requestFailed: true
    case .requestPending, .requestSucceeded: false
    }
  }
}

/// Why a request failed.
public struct Failure: Equatable, Sendable {
  /// The message for the user.
  public let message: Message
  /// The question that a retry repeats: the first failed question with these values; `nil` if there
  /// is none.
  public let firstQuestion: QuestionID?
  /// What triggered the request. A retry repeats it.
  public var source = RequestSource.submit
}

/// The state of a successful session.
public struct Scene: Equatable, Sendable {
  /// The scene's name in the flow.
  public let id: String
  /// The user who was logged in, if the authenticator stated it.
  public let principal: String?
  /// Further data that the authenticator has sent, passed on unchanged: the text of a JSON object.
  public let data: [UInt8]?
  /// The values that the user entered into plain items of the flow's last screen. The form itself
  /// is cleared.
  public let values: [EnteredValue]
  /// How and when the user's identity was proved, if the authenticator stated it.
  public let proofs: [Proof]?
}
