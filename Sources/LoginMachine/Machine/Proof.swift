/// A factor by which the person has proved who they are, and when.
public struct Proof: Equatable, Sendable {
  /// The name of the factor, such as `pwd` or `otp` (RFC 8176, section 2).
  public let factor: String
  /// When the factor was right, in milliseconds since 1970 (UTC).
  public let at: UInt64

  public init(_ factor: String, at time: UInt64) {
    self.factor = factor
    at = time
  }
}
