extension Item {
  /// When the authenticator checks the value of an item that is being entered.
  public struct Check: Equatable, Sendable {
    /// The range of `delay`, in milliseconds.
    public static let delays: ClosedRange<Int> = 100...10_000

    /// How long after the last edit of the item the authenticator is asked, in milliseconds.
    public var delay: UInt64

    public init(after delay: UInt64) { self.delay = delay }
  }
}
