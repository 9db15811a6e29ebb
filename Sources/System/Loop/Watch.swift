extension EventLoop {
  /// The conditions to wait for.
  public struct Interest: OptionSet, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let read = Interest(rawValue: 1)
    public static let write = Interest(rawValue: 2)
  }

  /// The conditions for which a descriptor is ready.
  public struct Readiness: Equatable, Sendable {
    /// Reading does not block: it returns bytes, the end, or an error.
    public var readable: Bool
    /// Writing does not block: it accepts bytes, or returns an error.
    public var writable: Bool
    /// The process at the other end is gone, or the descriptor has an error. There may still be
    /// bytes to read. This is reported for every interest except an empty one. If it is reported,
    /// `readable` and `writable` are also set if the interest contains them.
    public var closed: Bool

    public init(readable: Bool, writable: Bool, closed: Bool) {
      self.readable = readable
      self.writable = writable
      self.closed = closed
    }
  }

  /// The identity of a watched descriptor. It is never reused, so readiness of an old descriptor
  /// never reaches a new one with the same number.
  public struct Watch: Hashable, Sendable {
    let id: UInt64
  }
}
