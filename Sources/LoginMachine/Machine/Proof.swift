/// A factor with which the user proved their identity, and when.
public struct Proof: Equatable, Sendable {
  /// The name of the factor, such as `pwd` or `otp` (RFC 8176, section 2).
  public let factor: String
  /// The time of the proof, in milliseconds since 1970 (UTC).
  public let at: UInt64

  public init(_ factor: String, at time: UInt64) {
    self.factor = factor
    at = time
  }
}
