/// A factor with which a user proved their identity, and the time at which they did.
public struct Proof: Equatable, Sendable {
  /// The name of the factor, such as `pwd` or `otp` (RFC 8176, section 2).
  public let factor: String
  /// The time at which the user proved their identity with the factor, in milliseconds since 1970
  /// (UTC).
  public let at: UInt64

  public init(_ factor: String, at time: UInt64) {
    self.factor = factor
    at = time
  }
}
