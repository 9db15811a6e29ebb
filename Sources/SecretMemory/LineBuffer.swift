import CPortable

/// Collects bytes in one buffer and hands out the lines in them where they lie.
///
/// A line may hold a password, so every byte is zeroed soon after it was handed out: all consumed ones together, when `next`
/// finds no further line, or at the next `append`. The buffer takes no memory before the first `append`, starts with 64 KiB, grows for a long line up to
/// the limit, and shrinks again after it. A byte order mark at the beginning of a stream is no part of the first line.
public struct LineBuffer: ~Copyable {
  public enum Line {
    /// Without its `\n` and one `\r` before that.
    case whole(UnsafeRawBufferPointer)
    /// More than the limit; the first bytes, as many as the limit. Told once a line, as soon as the limit is passed. The rest
    /// of the line is thrown away as it comes, and the next line is read as ever.
    case tooLong(prefix: UnsafeRawBufferPointer)
    /// What stood after the last `\n` when the input ended.
    case unterminated(UnsafeRawBufferPointer)
  }

  static var smallest: Int { 64 * 1_024 }

  let maximumLineBytes: Int
  /// With room for the longest line and its `\r\n`.
  private let maximumCapacity: Int
  private var buffer = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  /// Bytes before `wiped` are zero; up to `start` handed out; from there up to `scanned` without a newline; up to `end` read.
  private var wiped = 0
  private var start = 0
  private var scanned = 0
  private var end = 0
  /// Inside a line that was too long.
  private var isDiscarding = false
  /// Where a stream begins of which too few bytes are there to know whether they are a byte order mark.
  private var undecided: Int? = 0

  /// - Parameter maximumLineBytes: the longest line, its end not counted.
  public init(maximumLineBytes: Int) {
    self.maximumLineBytes = max(0, maximumLineBytes)
    maximumCapacity = max(Self.smallest, self.maximumLineBytes + 2)
  }

  deinit { Self.release(buffer) }

  /// Whether `append` has to find more memory first.
  public var isFull: Bool { end - start == max(buffer.count, Self.smallest) }

  /// Lends free memory, and appends as many bytes as `write` says that it has written there, at most the memory's size. Take all
  /// lines with `next` before the next call, or at least until there is room: without room nothing is lent.
  public mutating func append<Failure>(
    _ write: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
  ) throws(Failure) {
    makeRoom()
    guard end < buffer.count else { return }
    let count = try write(UnsafeMutableRawBufferPointer(rebasing: buffer[end...]))
    end += min(max(0, count), buffer.count - end)
    if let undecided { skipByteOrderMark(at: undecided) }
  }

  /// What is appended from here on is another stream.
  public mutating func beginStream() { undecided = end }

  /// Appends a copy of as many of the bytes as there is room for. Returns how many those are.
  public mutating func append(_ bytes: UnsafeRawBufferPointer) -> Int {
    var copied = 0
    append { memory in
      copied = min(memory.count, bytes.count)
      memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<copied]))
      return copied
    }
    return copied
  }

  /// The next line, `nil` if there is none yet. Its pointer is valid until the next call of `next`, `nextAtEnd` or `append`.
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

  /// The line that `next` is going to return, if all of it is there. Its pointer is valid as long as one of `next`'s.
  public mutating func peek() -> UnsafeRawBufferPointer? {
    guard !isDiscarding, let newline = findNewline() else { return nil }
    return UnsafeRawBufferPointer(rebasing: buffer[start..<newline])
  }

  /// What follows the line that `next` is going to return, whole lines or not; empty if that line is not there. Its pointer is valid as long as one of `next`'s.
  @inline(__always) public mutating func peekBehindNext() -> UnsafeRawBufferPointer {
    guard let newline = findNewline() else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return UnsafeRawBufferPointer(rebasing: buffer[(newline + 1)..<end])
  }

  /// After the end of the input, and after `next` has returned `nil`: what stands behind the last newline, once.
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

  /// Zeroes what was handed out. `next` and `append` do this in time; call it when you stop in between.
  public mutating func wipeConsumed() {
    wipeMemory(UnsafeMutableRawBufferPointer(rebasing: buffer[wiped..<start]))
    wiped = start
  }

  /// All of the memory, for tests of the wiping.
  package borrowing func withAllBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    body(UnsafeRawBufferPointer(buffer))
  }

  // MARK: - Lines

  private mutating func skipByteOrderMark(at place: Int) {
    // Of a line that is thrown away nothing else is left either.
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

  /// No newline in what is there: wait for more, unless the limit is passed whatever follows.
  private mutating func nextWithoutNewline() -> Line? {
    if isDiscarding {
      start = end
      wipeConsumed()
      return nil
    }
    let line = UnsafeRawBufferPointer(rebasing: buffer[start..<end])
    let excess = line.count - maximumLineBytes
    // One byte too many is none if it is the `\r` of `\r\n`.
    guard undecided == nil, excess > 1 || (excess == 1 && line.last != 0x0D) else {
      wipeConsumed()
      return nil
    }
    start = end
    isDiscarding = true
    return .tooLong(prefix: prefix(of: line))
  }

  // MARK: - Memory

  /// Moves the beginning of a line to the front, zeroes what it left, and finds the size for it.
  private mutating func makeRoom() {
    wipeConsumed()
    let count = end - start
    if count == buffer.count, buffer.count < maximumCapacity {
      move(to: Self.allocate(min(maximumCapacity, max(Self.smallest, buffer.count * 2))))
    } else if buffer.count > Self.smallest, count <= Self.smallest / 2 {
      move(to: Self.allocate(Self.smallest))
    } else if start > 0 {
      if let base = buffer.baseAddress { cportable_move(base, base + start, count) }
      // What lies before `start` is zero already, but for what was just moved there.
      wipeMemory(UnsafeMutableRawBufferPointer(rebasing: buffer[max(start, count)..<end]))
    }
    scanned -= start
    // Lines before it may have been taken, and its own bytes are there until it is decided.
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
    // Zeroed, as other people's leftovers would look like ours. The system's zeroes need not be written, and so no page of a buffer that is hardly used.
    UnsafeMutableRawBufferPointer(start: cportable_zeroed(count), count: count)
  }

  private static func release(_ memory: UnsafeMutableRawBufferPointer) {
    wipeMemory(memory)
    cportable_free(memory.baseAddress)
  }
}
