import CCrypto
import Glibc
import SecretMemory
import System

/// The open file of a `Blocklist`. It is read rather than mapped into memory, so that a truncated
/// file or a failing disk causes an error instead of ending the process.
package final class BlocklistFile: Sendable {
  private enum Kind { case digests, words }
  private static let longestLine = 1_024
  private static let digits = 2 * Int(CCRYPTO_SHA1_LENGTH)
  /// The numbers of hexadecimal digits in digests: MD5 and NTLM, SHA-1, and the SHA-2 family.
  private static let digestLengths: Set<Int> = [32, digits, 56, 64, 96, 128]
  private static let newline = UInt8(ascii: "\n")
  /// The number of samples taken from a large file.
  private static let samples = 4_096

  private let descriptor: Int32
  private let kind: Kind
  private let identity: FileIdentity?
  /// The size of the file in bytes.
  let count: Int
  /// The offset of the first line, which follows the byte order mark if the file has one.
  private let first: Int

  package init(path: String) throws(BlocklistError) {
    let descriptor: Int32
    do throws(PathProblem) {
      descriptor = try SafePath.open(path, O_RDONLY | O_NONBLOCK, trusting: [.owner, .checkedFile])
    } catch {
      throw error.number.map { .unreadable(code: $0) } ?? .untrusted(error)
    }
    do throws(BlocklistError) {
      (first, count, kind) = try Self.sizeAndKind(descriptor)
    } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    identity = FileIdentity(descriptor: descriptor)
  }

  deinit { close(descriptor) }

  private static func sizeAndKind(_ descriptor: Int32) throws(BlocklistError) -> (Int, Int, Kind) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .unreadable(code: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .unreadable(code: EINVAL) }
    let count = Int(status.st_size)
    var window = Window(descriptor, lines: 0..<count, capacity: 2 * reach)
    let beginning = try window.bytes(around: 0).bytes
    let mark = ByteOrderMark.length(in: beginning) ?? 0
    guard count > mark else { throw .empty }
    let bytes = UnsafeRawBufferPointer(rebasing: beginning[mark...])
    let line = line(bytes, at: 0)
    let digest = digestCount(bytes, line)
    if digest == digits { return (mark, count, .digests) }
    if let digest, digestLengths.contains(digest) { throw .otherDigests }
    return (mark, count, .words)
  }

  /// Whether the path still leads to this file, with the same size.
  func isCurrent(at path: String) -> Bool {
    var status = stat()
    return FileIdentity(path: path) == identity && stat(path, &status) == 0 && Int(status.st_size) == count
  }

  package func contains(_ password: UnsafeRawBufferPointer) throws(BlocklistError) -> Bool {
    switch kind {
    case .words: return try find(password)
    case .digests:
      // Wiped: an unsalted digest is almost as sensitive as the password.
      let (digestCount, digits) = (Int(CCRYPTO_SHA1_LENGTH), Self.digits)
      var isThere: Result<Bool, BlocklistError> = .success(false)
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: digestCount + digits) { memory in
        defer { wipeMemory(UnsafeMutableRawBufferPointer(memory)) }
        guard let digest = memory.baseAddress else { return }
        ccrypto_digest(CCRYPTO_SHA1, password.baseAddress, password.count, digest)
        for index in 0..<digestCount {
          memory[digestCount + 2 * index] = Self.digit(memory[index] >> 4)
          memory[digestCount + 2 * index + 1] = Self.digit(memory[index] & 15)
        }
        let key = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(memory)[digestCount...])
        isThere = Result { () throws(BlocklistError) in try find(key) }
      }
      return try isThere.get()
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "A") - 10)
  }

  /// Whether a line has this key, by binary search. Such a line always lies between `low` and
  /// `high`, each of which is the start of a line or the end of the file.
  private func find(_ key: UnsafeRawBufferPointer) throws(BlocklistError) -> Bool {
    var window = Window(descriptor, lines: first..<count, capacity: 2 * Self.reach)
    var (low, high) = (first, count)
    while low < high {
      let place = low + (high - low) / 2
      let (bytes, start) = try window.bytes(around: place)
      let line = Self.line(bytes, at: place - start)
      guard isWellFormed(bytes, line) else { throw .malformed(line: try number(of: start + line.lowerBound)) }
      let order = order(key, keyPart(bytes, line))
      if order == 0 { return true }
      if order < 0 { high = start + line.lowerBound } else { low = min(start + line.upperBound + 1, high) }
    }
    return false
  }

  /// The maximum distance from any byte of a valid line to either end of it, newline included.
  private static let reach = longestLine + 2

  /// The part of the file that was read last. It is wiped, because the line found is a password.
  private struct Window: ~Copyable {
    private let descriptor: Int32
    private let lines: Range<Int>
    private let memory: UnsafeMutableRawBufferPointer
    private var part = 0..<0

    /// - Parameter lines: The range of the file that contains the lines.
    init(_ descriptor: Int32, lines: Range<Int>, capacity: Int) {
      self.descriptor = descriptor
      self.lines = lines
      memory = .allocate(byteCount: capacity, alignment: 1)
    }

    deinit {
      wipeMemory(memory)
      memory.deallocate()
    }

    /// Returns the bytes that can belong to the line at `place`, and the offset where these bytes
    /// start. The bytes are valid until the next call.
    mutating func bytes(around place: Int) throws(BlocklistError) -> (bytes: UnsafeRawBufferPointer, start: Int) {
      let (low, high) = (max(lines.lowerBound, place - reach), min(lines.upperBound, place + reach))
      if low < part.lowerBound || high > part.upperBound {
        part = low..<min(lines.upperBound, low + memory.count)
        let count = pread(descriptor, memory.baseAddress, part.count, off_t(low))
        guard count >= 0 else { throw .unreadable(code: errno) }
        guard count == part.count else {
          throw .malformed(line: try BlocklistFile.number(of: low + count, in: descriptor))
        }
      }
      return (UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(memory)[..<part.count]), part.lowerBound)
    }
  }

  /// Returns the range of the line that contains the byte at `place`, which may be the line's
  /// newline.
  private static func line(_ bytes: UnsafeRawBufferPointer, at place: Int) -> Range<Int> {
    var (start, end) = (place, place)
    while start > 0, bytes[start - 1] != newline, place - start <= longestLine { start -= 1 }
    while end < bytes.count, bytes[end] != newline, end - place <= longestLine { end += 1 }
    return start..<end
  }

  private func isWellFormed(_ bytes: UnsafeRawBufferPointer, _ line: Range<Int>) -> Bool {
    guard line.count <= Self.longestLine, !Self.withoutReturn(bytes, line).isEmpty else { return false }
    return kind == .words ? !bytes[line].contains(0) : Self.digestCount(bytes, line) == Self.digits
  }

  /// The number of hexadecimal digits in a line that has only those, optionally followed by a colon
  /// and a number. Nil for any other line.
  private static func digestCount(_ bytes: UnsafeRawBufferPointer, _ line: Range<Int>) -> Int? {
    let text = bytes[withoutReturn(bytes, line)]
    let digest = text.prefix { isHexadecimal($0) }
    let rest = text.dropFirst(digest.count)
    guard let colon = rest.first else { return digest.count }
    let isCount =
      colon == UInt8(ascii: ":") && rest.count > 1 && rest.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
    return isCount ? digest.count : nil
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
    default: false
    }
  }

  private static func withoutReturn(_ bytes: UnsafeRawBufferPointer, _ line: Range<Int>) -> Range<Int> {
    guard let last = bytes[line].last, last == UInt8(ascii: "\r") else { return line }
    return line.lowerBound..<(line.upperBound - 1)
  }

  /// The part of a line that is compared with the key.
  private func keyPart(_ bytes: UnsafeRawBufferPointer, _ line: Range<Int>) -> UnsafeRawBufferPointer {
    let text = Self.withoutReturn(bytes, line)
    return UnsafeRawBufferPointer(rebasing: kind == .words ? bytes[text] : bytes[text].prefix(Self.digits))
  }

  /// Compares two keys: negative, zero or positive if the first comes before, equals or comes after
  /// the second. Digests compare without regard to case.
  private func order(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Int {
    guard kind == .words else {
      for (one, other) in zip(one, other) {
        let (one, other) = (Self.upper(one), Self.upper(other))
        if one != other { return one < other ? -1 : 1 }
      }
      return 0
    }
    let common = min(one.count, other.count)
    if common > 0, let first = one.baseAddress, let second = other.baseAddress {
      let order = memcmp(first, second, common)
      if order != 0 { return Int(order) }
    }
    return one.count - other.count
  }

  private static func upper(_ digit: UInt8) -> UInt8 { digit >= 0x61 ? digit - 32 : digit }

  /// Throws if a line is malformed or out of order. Checks all lines if `thoroughly`, otherwise
  /// samples. Returns how many lines were checked.
  @discardableResult
  func requireUsable(thoroughly: Bool) throws(BlocklistError) -> Int {
    var window = Window(descriptor, lines: first..<count, capacity: thoroughly ? 1 << 16 : 2 * Self.reach)
    let step = thoroughly ? 0 : count / Self.samples
    var previous: [UInt8] = []
    var (place, lines) = (first, 0)
    while place < count {
      // Samples do not know their line numbers, so lines are counted only for an error.
      let (bytes, start) = try window.bytes(around: place)
      let line = Self.line(bytes, at: place - start)
      guard isWellFormed(bytes, line) else {
        throw .malformed(line: thoroughly ? lines + 1 : try number(of: start + line.lowerBound))
      }
      if kind == .words, let digest = Self.digestCount(bytes, line), Self.digestLengths.contains(digest) {
        throw .mixed(line: thoroughly ? lines + 1 : try number(of: start + line.lowerBound))
      }
      let key = keyPart(bytes, line)
      guard lines == 0 || previous.withUnsafeBytes({ order($0, key) }) <= 0 else {
        throw .unsorted(line: thoroughly ? lines + 1 : try number(of: start + line.lowerBound))
      }
      previous.removeAll(keepingCapacity: true)
      previous.append(contentsOf: key)
      lines += 1
      place = start + line.upperBound + 1 + step
    }
    return lines
  }

  private func number(of start: Int) throws(BlocklistError) -> Int { try Self.number(of: start, in: descriptor) }

  /// Returns the number of the line that begins at the offset `start`. If the file has become
  /// shorter, returns the number of its last line instead.
  private static func number(of start: Int, in descriptor: Int32) throws(BlocklistError) -> Int {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
    defer { memory.deallocate() }
    var (place, lines) = (0, 0)
    while place < start {
      let count = pread(descriptor, memory.baseAddress, min(memory.count, start - place), off_t(place))
      guard count >= 0 else { throw .unreadable(code: errno) }
      guard count > 0 else { break }
      lines += memory[..<count].count { $0 == newline }
      place += count
    }
    return lines + 1
  }
}
