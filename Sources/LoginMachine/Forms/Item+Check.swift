extension Item {
  /// A check by the authenticator while a value is entered.
  public struct Check: Equatable, Sendable {
    /// The range of `delay`, in milliseconds.
    public static let delays: ClosedRange<Int> = 100...10_000

    /// The time since the last edit after which the authenticator is asked, in milliseconds.
    public var delay: UInt64

    public init(after delay: UInt64) { self.delay = delay }
  }
}
