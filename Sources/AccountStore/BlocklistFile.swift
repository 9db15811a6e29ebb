import CCrypto
import Glibc

/// The open file of a `Blocklist`, in memory as far as it is looked at.
final class BlocklistFile: Sendable {
  private enum Kind { case digests, words }
  private static let longestLine = 1_024
  private static let digits = 2 * Int(CCRYPTO_SHA1_LENGTH)
  private static let newline = UInt8(ascii: "\n")
  /// How many places of a large file are looked at.
  private static let samples = 4_096

  private nonisolated(unsafe) let bytes: UnsafeRawBufferPointer
  private let kind: Kind
  private let identity: FileIdentity?
  var count: Int { bytes.count }

  init(path: String) throws(BlocklistError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unreadable(code: errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .unreadable(code: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .unreadable(code: EINVAL) }
    guard status.st_size > 0 else { throw .empty }
    let size = Int(status.st_size)
    guard let start = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED else {
      throw .unreadable(code: errno)
    }
    madvise(start, size, MADV_RANDOM)
    bytes = UnsafeRawBufferPointer(start: start, count: size)
    identity = FileIdentity(descriptor: descriptor)
    kind = Self.isDigest(bytes, Self.line(bytes, at: 0)) ? .digests : .words
  }

  deinit { munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count) }

  /// Whether the file of that name is still this one, and as long.
  func isCurrent(at path: String) -> Bool {
    var status = stat()
    return FileIdentity(path: path) == identity && stat(path, &status) == 0 && Int(status.st_size) == bytes.count
  }

  func contains(_ password: UnsafeRawBufferPointer) throws(BlocklistError) -> Bool {
    switch kind {
    case .words: return try find(password)
    case .digests:
      var digest = [UInt8](repeating: 0, count: Int(CCRYPTO_SHA1_LENGTH))
      ccrypto_digest(CCRYPTO_SHA1, password.baseAddress, password.count, &digest)
      let hexadecimal = digest.flatMap { [Self.digit($0 >> 4), Self.digit($0 & 15)] }
      var isThere: Result<Bool, BlocklistError> = .success(false)
      hexadecimal.withUnsafeBytes { key in
        isThere = Result { () throws(BlocklistError) in try find(key) }
      }
      return try isThere.get()
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "A") - 10)
  }

  /// Binary search: the key's line is never outside of the bytes from `low` to `high`, both beginnings of lines or the end.
  private func find(_ key: UnsafeRawBufferPointer) throws(BlocklistError) -> Bool {
    var (low, high) = (0, bytes.count)
    while low < high {
      let line = try wellFormedLine(at: low + (high - low) / 2)
      let order = order(key, keyPart(line))
      if order == 0 { return true }
      if order < 0 { high = line.lowerBound } else { low = min(line.upperBound + 1, high) }
    }
    return false
  }

  /// The line that has a byte, which may be its end.
  private static func line(_ bytes: UnsafeRawBufferPointer, at place: Int) -> Range<Int> {
    var (start, end) = (place, place)
    while start > 0, bytes[start - 1] != newline, place - start <= longestLine { start -= 1 }
    while end < bytes.count, bytes[end] != newline, end - place <= longestLine { end += 1 }
    return start..<end
  }

  private func wellFormedLine(at place: Int) throws(BlocklistError) -> Range<Int> {
    let line = Self.line(bytes, at: place)
    guard isWellFormed(line) else { throw .malformed(line: number(of: line.lowerBound)) }
    return line
  }

  private func isWellFormed(_ line: Range<Int>) -> Bool {
    guard line.count <= Self.longestLine, !line.isEmpty else { return false }
    return kind == .words ? !bytes[line].contains(0) : Self.isDigest(bytes, line)
  }

  /// Whether the line is 40 hexadecimal digits, alone or with a colon and a number.
  private static func isDigest(_ bytes: UnsafeRawBufferPointer, _ line: Range<Int>) -> Bool {
    let text = withoutReturn(bytes, line)
    guard text.count >= digits, bytes[text].prefix(digits).allSatisfy({ isHexadecimal($0) }) else { return false }
    let rest = bytes[text].dropFirst(digits)
    guard let colon = rest.first else { return true }
    return colon == UInt8(ascii: ":") && rest.count > 1 && rest.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
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

  /// What a line is found by.
  private func keyPart(_ line: Range<Int>) -> UnsafeRawBufferPointer {
    let text = Self.withoutReturn(bytes, line)
    return UnsafeRawBufferPointer(rebasing: kind == .words ? bytes[text] : bytes[text].prefix(Self.digits))
  }

  /// Below, at or above 0, as the one is before, the same as or after the other. Digests may be in upper or lower case.
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

  /// Throws if a line is malformed or out of order; unless thoroughly, looks at lines all over the file. Returns how many were looked at.
  @discardableResult
  func requireUsable(thoroughly: Bool) throws(BlocklistError) -> Int {
    if thoroughly { madvise(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count, MADV_SEQUENTIAL) }
    defer { if thoroughly { madvise(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count, MADV_RANDOM) } }
    let step = thoroughly ? 0 : bytes.count / Self.samples
    var previous: Range<Int>?
    var (place, lines) = (0, 0)
    while place < bytes.count {
      // Between samples the number of a line is not known; counting is for errors only.
      let line = Self.line(bytes, at: place)
      guard isWellFormed(line) else { throw .malformed(line: thoroughly ? lines + 1 : number(of: line.lowerBound)) }
      if let previous, order(keyPart(previous), keyPart(line)) > 0 {
        throw .unsorted(line: thoroughly ? lines + 1 : number(of: line.lowerBound))
      }
      previous = line
      lines += 1
      place = line.upperBound + 1 + step
    }
    return lines
  }

  private func number(of start: Int) -> Int { 1 + bytes[..<start].count { $0 == Self.newline } }
}
