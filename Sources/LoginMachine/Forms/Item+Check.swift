extension Item {
  /// That the authenticator is asked about a value while it is entered.
  public struct Check: Equatable, Sendable {
    /// How long an item may have to rest, in milliseconds.
    public static let delays: ClosedRange<Int> = 100...10_000

    /// How long nobody may have edited the item before the authenticator is asked, in milliseconds.
    public var delay: UInt64

    public init(after delay: UInt64) { self.delay = delay }
  }
}
