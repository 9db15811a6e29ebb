/// Where a session stands. Each case says what can follow it.
///
/// Indirect, so that a session that is being typed into carries and copies one word.
public indirect enum Phase: Equatable, Sendable {
  /// Nothing has been entered, be it at all or since a failure after which the form begins again with its values. Can transition to `unvalidated`, `validated`,
  /// `requestPending` (a form without anything required), to another screen.
  case initial
  /// Something does not meet its rules. Can transition to `validated`, to another screen.
  case unvalidated
  /// Everything meets its rules. Can transition to `unvalidated`, `requestPending`, to another screen.
  case validated
  /// The authenticator has been asked, or has said that there is something to wait for. Can transition to `validated`, `unvalidated` (cancel), `requestFailed`,
  /// `requestSucceeded`, to another screen (a challenge, or where the flow or the answer leads).
  case requestPending(PendingQuestion)
  /// The request came to nothing. Can transition to `validated`, `unvalidated` (edit), `initial` (dismissal), `requestPending` (retry), to another screen.
  case requestFailed(Failure)
  /// The person is in. The end, or, where the screen says so, can transition to `initial` on the flow's first screen, for the next person.
  case requestSucceeded(Scene)

  /// The phase without what it carries: the name on the wire.
  public enum Name: UInt8, CaseIterable, Sendable {
    case initial, unvalidated, validated, requestPending, requestFailed, requestSucceeded
  }

  /// The phase without what it carries.
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

  /// Whether values may be edited and other screens visited.
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

/// Why a request came to nothing.
public struct Failure: Equatable, Sendable {
  /// What the person is told.
  public let message: Message
  /// What a retry names: the first question with the values that still stand, if one with the same came to nothing.
  public let firstQuestion: QuestionID?
  /// What made the request, which is what a retry repeats.
  public var source = RequestSource.submit
}

/// What is shown once the person is in.
public struct Scene: Equatable, Sendable {
  /// The flow's name for it.
  public let id: String
  /// Who was let in, if the authenticator said so.
  public let principal: String?
  /// What else it said: a JSON object's text, passed on as it came.
  public let data: [UInt8]?
  /// What stood in the plain items of the flow's screen that led here: the form itself is emptied.
  public let values: [EnteredValue]
  /// How the person has proved who they are, if the authenticator said so.
  public let proofs: [Proof]?
}
