/// Names an authenticator of an engine: an index into `EngineCore.profiles`.
public struct AuthenticatorID: Hashable, Sendable {
  public let index: Int

  public init(index: Int) { self.index = index }
}

/// Something that the host of a core has to do.
public enum Effect: Equatable, Sendable {
  /// Start an authenticator, then call `authenticatorStarted` or `authenticatorIsUnavailable`. Nothing else happens in the core until then.
  case start(AuthenticatorID)
  /// Lines wait for an authenticator: questions, and notices that nobody waits for an answer. Call `send(to:)`.
  case send(AuthenticatorID)
  /// Close an authenticator's input: nothing more will be sent, so that it can finish and exit.
  case endInput(AuthenticatorID)
  /// An authenticator is of no use any more: end it. `reason` is for the log and begins with a verb.
  case stop(AuthenticatorID, reason: String, isExpected: Bool)
}

/// What became of bytes that a host was to write.
public enum WriteOutcome: Equatable, Sendable {
  /// So many of them were written; 0 is taken for `full`, and more than there were for all.
  case wrote(Int)
  /// None could be written now.
  case full
  /// None will ever be read. `reason` is for the log.
  case closed(reason: String)

  /// The same, if there were `count` bytes to write.
  func limited(to count: Int) -> WriteOutcome {
    switch self {
    case .wrote(let written): written > 0 ? .wrote(min(written, count)) : .full
    case .full, .closed: self
    }
  }
}
