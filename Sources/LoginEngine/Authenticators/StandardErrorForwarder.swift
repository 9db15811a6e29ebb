import SecretMemory
import System

/// Forwards the standard error of an authenticator to the engine's, line by line, with the
/// authenticator's name before each line.
///
/// Memory and time are bounded: lines over the rate limit are counted and dropped.
final class StandardErrorForwarder {
  /// The longest line that is forwarded whole, in bytes.
  static var longestLine: Int { 1000 }
  /// The number of lines that may be forwarded at once. After that, `linesPerSecond` applies.
  static var burst: UInt64 { 200 }
  static var linesPerSecond: UInt64 { 50 }

  private let descriptor: Int32
  private let loop: EventLoop
  private let name: String
  private var watch: EventLoop.Watch?
  private var lines = LineBuffer(maximumLineBytes: StandardErrorForwarder.longestLine)
  /// How much the rate limit allowed to forward at the time `counted`, in thousandths of a line.
  private var credit = StandardErrorForwarder.burst * 1000
  private var counted = MonotonicClock.now()
  private(set) var dropped = 0

  /// The caller keeps ownership of `descriptor`, and calls `end` before closing it.
  init(_ descriptor: Int32, of name: String, loop: EventLoop) {
    self.descriptor = descriptor
    self.loop = loop
    self.name = name
    watch = loop.watch(descriptor, .read) { [unowned self] _ in _ = read() }
  }

  /// The time at which `reportDropped` can next write a line, by the system's steady clock; `nil`
  /// if no line was dropped.
  var nextSystemTime: UInt64? {
    dropped > 0 ? counted + (credit < 1000 ? (1000 - credit) / StandardErrorForwarder.linesPerSecond + 1 : 0) : nil
  }

  /// Writes how many lines were dropped, if the rate limit allows another line.
  func reportDropped() {
    guard dropped > 0, takeCredit() else { return }
    writeDroppedCount()
  }

  /// Forwards the lines that can be read without waiting, and stops forwarding.
  func end() {
    // At most this many bytes are read, more than a pipe holds, because another process may keep
    // writing to the pipe.
    var left = 1 << 20
    while left > 0, let count = read(), count > 0 { left -= count }
    if let line = lines.nextAtEnd() { forward(line) }
    if dropped > 0 { writeDroppedCount() }
    stop()
  }

  private func stop() {
    if let watch { loop.unwatch(watch) }
    watch = nil
  }

  /// Reads standard error once and forwards complete lines. Returns the number of bytes read; `nil`
  /// at the end.
  private func read() -> Int? {
    let fill = lines.fill(from: descriptor)
    while let line = lines.next() { forward(line) }
    switch fill {
    case .bytes(let count): return count
    case .wouldBlock: return 0
    case .endOfFile, .failed:
      stop()
      return nil
    }
  }

  private func forward(_ line: LineBuffer.Line) {
    guard takeCredit() else {
      dropped += 1
      return
    }
    if dropped > 0 { writeDroppedCount() }
    switch line {
    case .whole(let bytes), .unterminated(let bytes):
      if !StandardErrorForwarder.write(bytes, from: name, isCut: false) { dropped += 1 }
    case .tooLong(let prefix): if !StandardErrorForwarder.write(prefix, from: name, isCut: true) { dropped += 1 }
    }
  }

  private func writeDroppedCount() {
    let text = Array("(\(dropped) more lines were dropped)".utf8)
    if text.withUnsafeBytes({ StandardErrorForwarder.write($0, from: name, isCut: false) }) { dropped = 0 }
  }

  /// Counts one line against the rate limit. Returns whether the limit allows the line to be
  /// forwarded.
  private func takeCredit() -> Bool {
    let now = MonotonicClock.now()
    credit = min(
      StandardErrorForwarder.burst * 1000, credit + min(now - counted, 60_000) * StandardErrorForwarder.linesPerSecond)
    counted = now
    guard credit >= 1000 else { return false }
    credit -= 1000
    return true
  }

  /// Writes a line to this process's standard error. Returns false if there was no room for it.
  ///
  /// Control characters, including those from U+0080 on (ISO 6429), become `?`, because a terminal
  /// would act on them. Invalid UTF-8 becomes U+FFFD.
  private static func write(_ line: UnsafeRawBufferPointer, from name: String, isCut: Bool) -> Bool {
    var text = Array("login-engine: authenticator \(name): ".utf8)
    text.reserveCapacity(text.count + line.count + 8)
    text += String(decoding: line, as: UTF8.self).printable(keeping: ["\t"]).utf8
    if isCut { text += " …".utf8 }
    text.append(0x0A)
    // If standard error is closed, the line has no reader and does not count as dropped.
    return text.withUnsafeBytes { Descriptor.write(2, $0) } != .wouldBlock
  }
}
