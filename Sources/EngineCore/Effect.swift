/// The identity of one of the engine's authenticators: its index in `EngineCore.profiles`.
public struct AuthenticatorID: Hashable, Sendable {
  public let index: Int

  public init(index: Int) { self.index = index }
}

/// An action that the host of a core has to perform.
public enum Effect: Equatable, Sendable {
  /// Start an authenticator, then call `authenticatorStarted` or `authenticatorIsUnavailable`.
  /// Until that call, the core handles nothing else.
  case start(AuthenticatorID)
  /// Lines wait to be sent to an authenticator. Call `send(to:)`.
  case send(AuthenticatorID)
  /// Close an authenticator's input, so that it can finish and exit. The core sends it nothing
  /// more.
  case endInput(AuthenticatorID)
  /// Terminate an authenticator that the core no longer uses. `reason` is a text for the log that
  /// begins with a verb.
  case stop(AuthenticatorID, reason: String, isExpected: Bool)
}

/// The result of writing bytes.
public enum WriteOutcome: Equatable, Sendable {
  /// The number of bytes that were written. 0 has the same meaning as `full`. A number that is
  /// greater than the number of available bytes counts as all of them.
  case wrote(Int)
  /// Nothing can be written now.
  case full
  /// The reader is gone. `reason` is for the log.
  case closed(reason: String)

  /// This outcome, with its number of bytes limited to the `count` bytes that were available.
  func limited(to count: Int) -> WriteOutcome {
    switch self {
    case .wrote(let written): written > 0 ? .wrote(min(written, count)) : .full
    case .full, .closed: self
    }
  }
}
