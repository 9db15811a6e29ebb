extension EventLoop {
  /// What to wait for.
  public struct Interest: OptionSet, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let read = Interest(rawValue: 1)
    public static let write = Interest(rawValue: 2)
  }

  /// What a descriptor is ready for.
  public struct Readiness: Equatable, Sendable {
    /// Reading does not block: bytes, or the end.
    public var readable: Bool
    public var writable: Bool
    /// The other side has gone, or the descriptor is in error. There may still be bytes to read.
    public var closed: Bool

    public init(readable: Bool, writable: Bool, closed: Bool) {
      self.readable = readable
      self.writable = writable
      self.closed = closed
    }
  }

  /// Names a watched descriptor. Never used again, so what was ready for an old descriptor never reaches a new one that got its number.
  public struct Watch: Hashable, Sendable {
    let id: UInt64
  }
}
