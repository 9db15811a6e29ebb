/// The state of a session. Each case lists what can follow it.
///
/// Indirect, so that a session takes and copies one word while the user types.
public indirect enum Phase: Equatable, Sendable {
  /// Nothing has been entered, either at all or since a failure that returned the form to its
  /// initial state. Can transition to `unvalidated`, `validated`, `requestPending` (a form without
  /// required items), to another screen.
  case initial
  /// Some value is invalid. Can transition to `validated`, to another screen.
  case unvalidated
  /// All values are valid. Can transition to `unvalidated`, `requestPending`, to another screen.
  case validated
  /// The authenticator was asked, or the session waits for an external event. Can transition to
  /// `validated`, `unvalidated` (cancel), `requestFailed`, `requestSucceeded`, to another screen (a
  /// challenge, or where the flow or the answer leads).
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

  /// Whether values can be edited and other screens visited.
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
  /// The question that a retry names: the first failed question with the same values, if there is
  /// one.
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
  /// Further data of the authenticator: a JSON object's text, passed on unchanged.
  public let data: [UInt8]?
  /// The values of the plain items of the flow's last screen. The form itself is cleared.
  public let values: [EnteredValue]
  /// The proofs of identity, if the authenticator stated them.
  public let proofs: [Proof]?
}
