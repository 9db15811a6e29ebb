import CPortable

/// A buffer that collects bytes and returns the lines in it in place.
///
/// A line may contain a password, so bytes are zeroed soon after they were returned: all of them
/// together when `next` finds no further line, or at the next `append`. The buffer allocates no
/// memory before the first `append`, starts with 64 KiB, grows for a long line up to the limit, and
/// shrinks again afterwards. A byte order mark at the beginning of a stream is not part of the
/// first line.
public struct LineBuffer: ~Copyable {
  public enum Line {
    /// A line without its `\n`, and without one `\r` before that.
    case whole(UnsafeRawBufferPointer)
    /// A line over the limit, of which only the first bytes, up to the limit, are given. Returned
    /// once per line, as soon as the limit is passed. The rest of the line is discarded, and the
    /// next line is read normally.
    case tooLong(prefix: UnsafeRawBufferPointer)
    /// The bytes after the last `\n` at the end of input.
    case unterminated(UnsafeRawBufferPointer)
  }

  static var smallest: Int { 64 * 1_024 }

  let maximumLineBytes: Int
  /// The room for the longest line and its `\r\n`.
  private let maximumCapacity: Int
  private var buffer = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  /// The bytes before `wiped` are zero. Those from `wiped` to `start` were returned. Those from
  /// `start` to `scanned` contain no newline. The bytes up to `end` were read.
  private var wiped = 0
  private var start = 0
  private var scanned = 0
  private var end = 0
  /// Whether the rest of a line that was too long is being discarded.
  private var isDiscarding = false
  /// Where the current stream starts, while it has too few bytes to tell whether it begins with a
  /// byte order mark. `nil` as soon as that is known.
  private var undecided: Int? = 0

  /// - Parameter maximumLineBytes: the longest line, without its terminator.
  public init(maximumLineBytes: Int) {
    self.maximumLineBytes = max(0, maximumLineBytes)
    maximumCapacity = max(Self.smallest, self.maximumLineBytes + 2)
  }

  deinit { Self.release(buffer) }

  /// Whether the buffer has no room, so that `append` would have to enlarge it or lend nothing.
  public var isFull: Bool { end - start == max(buffer.count, Self.smallest) }

  /// Lends free memory to `write`, which returns the number of bytes that it wrote there. Take all
  /// lines with `next` before the next call, or at least until there is room: without room, nothing
  /// is lent.
  public mutating func append<Failure>(
    _ write: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
  ) throws(Failure) {
    makeRoom()
    guard end < buffer.count else { return }
    let count = try write(UnsafeMutableRawBufferPointer(rebasing: buffer[end...]))
    end += min(max(0, count), buffer.count - end)
    if let undecided { skipByteOrderMark(at: undecided) }
  }

  /// Starts another stream, from which all further bytes come.
  public mutating func beginStream() { undecided = end }

  /// Copies as many of the bytes as there is room for. Returns their number.
  public mutating func append(_ bytes: UnsafeRawBufferPointer) -> Int {
    var copied = 0
    append { memory in
      copied = min(memory.count, bytes.count)
      memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<copied]))
      return copied
    }
    return copied
  }

  /// The next line; `nil` if there is none yet. Its pointer is valid until the next call of `next`,
  /// `nextAtEnd` or `append`.
  public mutating func next() -> Line? {
    while true {
      guard let newline = findNewline() else { return nextWithoutNewline() }
      let line = UnsafeRawBufferPointer(rebasing: buffer[start..<newline])
      start = newline + 1
      scanned = start
      if isDiscarding {
        isDiscarding = false
        continue
      }
      return finished(line)
    }
  }

  /// The line that `next` will return, if the line is complete. The pointer is valid as long as a
  /// pointer from `next` would be.
  public mutating func peek() -> UnsafeRawBufferPointer? {
    guard !isDiscarding, let newline = findNewline() else { return nil }
    return UnsafeRawBufferPointer(rebasing: buffer[start..<newline])
  }

  /// All bytes after the line that `next` will return, including an incomplete line at the end.
  /// Empty if the line that `next` will return is itself not complete. The pointer is valid as long
  /// as a pointer from `next` would be.
  @inline(__always) public mutating func peekBehindNext() -> UnsafeRawBufferPointer {
    guard let newline = findNewline() else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return UnsafeRawBufferPointer(rebasing: buffer[(newline + 1)..<end])
  }

  /// Returns the bytes after the last newline. A second call returns `nil`. Call it after the end
  /// of input, when `next` has returned `nil`.
  public mutating func nextAtEnd() -> Line? {
    let rest = UnsafeRawBufferPointer(rebasing: buffer[start..<end])
    start = end
    scanned = end
    let wasDiscarding = isDiscarding
    isDiscarding = false
    guard !rest.isEmpty, !wasDiscarding else {
      wipeConsumed()
      return nil
    }
    return rest.count > maximumLineBytes ? .tooLong(prefix: prefix(of: rest)) : .unterminated(rest)
  }

  /// Zeroes the bytes of lines that were returned. `next` and `append` zero these bytes as well, so
  /// call this only if neither of them will be called soon.
  public mutating func wipeConsumed() {
    wipeMemory(UnsafeMutableRawBufferPointer(rebasing: buffer[wiped..<start]))
    wiped = start
  }

  /// The whole buffer, for tests of the wiping.
  package borrowing func withAllBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    body(UnsafeRawBufferPointer(buffer))
  }

  // MARK: - Lines

  private mutating func skipByteOrderMark(at place: Int) {
    // The byte order mark belongs to a line that is being discarded, and is discarded with it.
    guard place >= start else { return undecided = nil }
    guard let length = ByteOrderMark.length(in: UnsafeRawBufferPointer(rebasing: buffer[place..<end])) else { return }
    undecided = nil
    guard length > 0, let base = buffer.baseAddress else { return }
    cportable_move(base + place, base + place + length, end - place - length)
    wipeMemory(UnsafeMutableRawBufferPointer(rebasing: buffer[(end - length)..<end]))
    end -= length
    scanned = min(scanned, place)
  }

  private mutating func findNewline() -> Int? {
    guard scanned < end, let base = buffer.baseAddress,
      let found = cportable_find(base + scanned, 0x0A, end - scanned)
    else {
      scanned = end
      return nil
    }
    scanned = found - UnsafeRawPointer(base)
    return scanned
  }

  private func finished(_ line: UnsafeRawBufferPointer) -> Line {
    let hasReturn = line.last == 0x0D
    let content = hasReturn ? UnsafeRawBufferPointer(rebasing: line.dropLast()) : line
    return content.count > maximumLineBytes ? .tooLong(prefix: prefix(of: content)) : .whole(content)
  }

  private func prefix(of line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: line.prefix(maximumLineBytes))
  }

  /// Handles bytes without a newline. Returns `nil`, so that more bytes can arrive, unless the line
  /// is already over the limit.
  private mutating func nextWithoutNewline() -> Line? {
    if isDiscarding {
      start = end
      wipeConsumed()
      return nil
    }
    let line = UnsafeRawBufferPointer(rebasing: buffer[start..<end])
    let excess = line.count - maximumLineBytes
    // A single byte over the limit is allowed if it is the `\r` of `\r\n`.
    guard undecided == nil, excess > 1 || (excess == 1 && line.last != 0x0D) else {
      wipeConsumed()
      return nil
    }
    start = end
    isDiscarding = true
    return .tooLong(prefix: prefix(of: line))
  }

  // MARK: - Memory

  /// Moves the start of a line to the front, zeroes its old place, and adapts the capacity.
  private mutating func makeRoom() {
    wipeConsumed()
    let count = end - start
    if count == buffer.count, buffer.count < maximumCapacity {
      move(to: Self.allocate(min(maximumCapacity, max(Self.smallest, buffer.count * 2))))
    } else if buffer.count > Self.smallest, count <= Self.smallest / 2 {
      move(to: Self.allocate(Self.smallest))
    } else if start > 0 {
      if let base = buffer.baseAddress { cportable_move(base, base + start, count) }
      // The bytes before `start` are zero already, except where the line was just moved.
      wipeMemory(UnsafeMutableRawBufferPointer(rebasing: buffer[max(start, count)..<end]))
    }
    scanned -= start
    // Lines before a byte order mark may have been taken. The bytes of the mark stay until it is
    // recognised.
    if let place = undecided { undecided = max(0, place - start) }
    start = 0
    wiped = 0
    end = count
  }

  private mutating func move(to other: UnsafeMutableRawBufferPointer) {
    other.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[start..<end]))
    Self.release(buffer)
    buffer = other
  }

  private static func allocate(_ count: Int) -> UnsafeMutableRawBufferPointer {
    // Zeroed, since tests that look for secrets must not find remains of earlier uses. `calloc`
    // gets zero pages from the system, so pages of a buffer that is hardly used are never touched.
    UnsafeMutableRawBufferPointer(start: cportable_zeroed(count), count: count)
  }

  private static func release(_ memory: UnsafeMutableRawBufferPointer) {
    wipeMemory(memory)
    cportable_free(memory.baseAddress)
  }
}
