import JSONCodec

/// A session's name. Most names have up to 14 bytes. These are stored inline, so that a comparison
/// or a write handles only two machine words.
public struct SessionName: Equatable, Sendable {
  private enum Storage: Equatable, Sendable {
    /// A name of up to 14 bytes, padded with zeros. `count` is the number of its bytes, with the
    /// bit `marked` set if no character has to be escaped in JSON. The fields leave no gap in
    /// memory, so that the enum's tag fits into spare bits.
    case short(UInt64, UInt32, UInt16, count: UInt8)
    case long(LongName)
  }

  private final class LongName: Equatable, Sendable {
    let bytes: [UInt8]
    init(_ bytes: [UInt8]) { self.bytes = bytes }
    static func == (left: LongName, right: LongName) -> Bool { left.bytes == right.bytes }
  }

  private let storage: Storage

  private static var longestShort: Int { 14 }
  private static var marked: UInt8 { 0x80 }

  /// Creates a name from valid UTF-8, which the parser guarantees.
  public init(_ utf8: UnsafeRawBufferPointer) {
    guard let words = ShortBytes(utf8) else {
      storage = .long(LongName(Array(utf8)))
      return
    }
    let isPlain = utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }
    storage = .short(
      words.low, UInt32(truncatingIfNeeded: words.high), UInt16(truncatingIfNeeded: words.high >> 32),
      count: UInt8(truncatingIfNeeded: utf8.count) | (isPlain ? SessionName.marked : 0))
  }

  public init(_ text: String) {
    var text = text
    self = text.withUTF8 { SessionName(UnsafeRawBufferPointer($0)) }
  }

  /// A copy of the name, in UTF-8.
  public var bytes: [UInt8] { withUnsafeBytes { Array($0) } }

  /// Lends the name, in UTF-8.
  @inline(__always) public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    switch storage {
    case .short(let low, let middle, let high, let count):
      let words = (low.littleEndian, (UInt64(high) << 32 | UInt64(middle)).littleEndian)
      return Swift.withUnsafeBytes(of: words) { all in
        body(UnsafeRawBufferPointer(rebasing: all[..<Int(count & ~SessionName.marked)]))
      }
    case .long(let name): return name.bytes.withUnsafeBytes(body)
    }
  }

  /// The hash of the name, for tables of sessions.
  public var hash: UInt32 {
    switch storage {
    case .short(let low, let middle, let high, _): SessionName.hash(low, UInt64(high) << 32 | UInt64(middle))
    case .long(let name): name.bytes.withUnsafeBytes { SessionName.hash(ofLong: $0) }
    }
  }

  /// The name of a session to look up, made from lent bytes.
  public struct Key {
    private let words: ShortBytes?
    private let utf8: UnsafeRawBufferPointer
    public let hash: UInt32

    @inline(__always) public init(_ utf8: UnsafeRawBufferPointer) {
      self.utf8 = utf8
      words = ShortBytes(utf8)
      if let words { hash = SessionName.hash(words.low, words.high) } else { hash = SessionName.hash(ofLong: utf8) }
    }

    /// Whether the session with this name is the one that the key looks up.
    @inline(__always) public func isSame(as name: SessionName) -> Bool {
      switch name.storage {
      case .short(let low, let middle, let high, let count):
        guard let words else { return false }
        return words.low == low && words.high == UInt64(high) << 32 | UInt64(middle)
          && utf8.count == Int(count & ~SessionName.marked)
      case .long(let long): return words == nil && long.bytes.withUnsafeBytes { sameBytes($0, utf8) }
      }
    }
  }

  /// The up to 14 bytes of a short name as two words in little-endian order, padded with zeros.
  private struct ShortBytes {
    let low: UInt64
    let high: UInt64

    @inline(__always) init?(_ bytes: UnsafeRawBufferPointer) {
      let count = bytes.count
      guard count <= SessionName.longestShort else { return nil }
      guard count > 8 else {
        low = JSONString.firstBytes(bytes)
        high = 0
        return
      }
      low = UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
      let last = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self))
      high = last &>> UInt64(truncatingIfNeeded: (16 &- count) &* 8)
    }
  }

  /// A hash like FNV-1a, but of eight bytes at a time, and folded to 32 bits. Session names come
  /// from one trusted frontend, so collision attacks do not matter.
  @inline(__always) private static func hash(_ low: UInt64, _ high: UInt64) -> UInt32 {
    var hash = (0xCBF2_9CE4_8422_2325 ^ low) &* 0x9E37_79B9_7F4A_7C15
    hash ^= hash >> 32
    hash = (hash ^ high) &* 0x9E37_79B9_7F4A_7C15
    return UInt32(truncatingIfNeeded: hash >> 32)
  }

  @inline(never) private static func hash(ofLong bytes: UnsafeRawBufferPointer) -> UInt32 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    var index = 0
    while index < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[index..<min(index + 8, bytes.count)])
      hash = (hash ^ JSONString.firstBytes(rest)) &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash >> 32
      index += 8
    }
    return UInt32(truncatingIfNeeded: hash ^ hash >> 29)
  }
}

extension SessionName {
  /// The maximum size of the name as a JSON string, in bytes.
  var room: Int {
    switch storage {
    case .short: JSONPen.room(forString: SessionName.longestShort)
    case .long(let name): JSONPen.room(forString: name.bytes.count)
    }
  }

  /// Writes the name as a JSON string.
  @inline(__always) func put(to pen: inout JSONPen) {
    if case .short(let low, let middle, let high, let count) = storage, count & SessionName.marked != 0 {
      pen.put(0x22)
      pen.put(low, UInt64(high) << 32 | UInt64(middle), count: Int(count & ~SessionName.marked))
      pen.put(0x22)
    } else {
      withUnsafeBytes { pen.put(string: $0) }
    }
  }
}
