/// The identity of an authenticator of an engine: an index into `EngineCore.profiles`.
public struct AuthenticatorID: Hashable, Sendable {
  public let index: Int

  public init(index: Int) { self.index = index }
}

/// An action that the host of a core has to perform.
public enum Effect: Equatable, Sendable {
  /// Start an authenticator, then call `authenticatorStarted` or `authenticatorIsUnavailable`. The
  /// core does nothing else until then.
  case start(AuthenticatorID)
  /// Lines are ready for an authenticator: questions, and notices that an answer is not needed any
  /// more. Call `send(to:)`.
  case send(AuthenticatorID)
  /// Close an authenticator's input, so that it can finish and exit. The core sends it nothing
  /// more.
  case endInput(AuthenticatorID)
  /// Terminate an authenticator that is of no more use. `reason` is for the log and begins with a
  /// verb.
  case stop(AuthenticatorID, reason: String, isExpected: Bool)
}

/// The result of writing bytes.
public enum WriteOutcome: Equatable, Sendable {
  /// The number of bytes written. 0 counts as `full`; a number above the available bytes counts as
  /// all.
  case wrote(Int)
  /// Nothing can be written now.
  case full
  /// The reader is gone. `reason` is for the log.
  case closed(reason: String)

  /// The same outcome, limited to the `count` bytes that were available.
  func limited(to count: Int) -> WriteOutcome {
    switch self {
    case .wrote(let written): written > 0 ? .wrote(min(written, count)) : .full
    case .full, .closed: self
    }
  }
}
