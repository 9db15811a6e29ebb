import SecretMemory
import System

/// Passes what an authenticator writes on its standard error on to the engine's, line by line, each behind the authenticator's name. However much
/// that is, it costs neither memory nor anybody's time: beyond so many lines a second they are only counted.
final class StandardErrorForwarder {
  /// The longest line that is passed on whole, in bytes.
  static var longestLine: Int { 1000 }
  /// How many lines are passed on at once, and how many a second after that.
  static var burst: UInt64 { 200 }
  static var linesPerSecond: UInt64 { 50 }

  private let descriptor: Int32
  private let loop: EventLoop
  private let name: String
  private var watch: EventLoop.Watch?
  private var lines = LineBuffer(maximumLineBytes: StandardErrorForwarder.longestLine)
  /// Thousandths of lines that may be passed on now, since `counted`.
  private var credit = StandardErrorForwarder.burst * 1000
  private var counted = MonotonicClock.now()
  private(set) var dropped = 0

  /// `descriptor` stays whose it is; call `end` before it is closed.
  init(_ descriptor: Int32, of name: String, loop: EventLoop) {
    self.descriptor = descriptor
    self.loop = loop
    self.name = name
    watch = loop.watch(descriptor, .read) { [unowned self] _ in _ = read() }
  }

  /// When `tellDropped` has something to tell, by the system's clock.
  var nextSystemTime: UInt64? {
    dropped > 0 ? counted + (credit < 1000 ? (1000 - credit) / StandardErrorForwarder.linesPerSecond + 1 : 0) : nil
  }

  /// Says how many lines were dropped, if there is room for another line.
  func tellDropped() {
    guard dropped > 0, mayWrite() else { return }
    sayDropped()
  }

  /// Passes on what is left, as far as it can be had at once.
  func end() {
    // A pipe holds no more, and whatever holds its other end may go on writing.
    var left = 1 << 20
    while left > 0, let count = read(), count > 0 { left -= count }
    if let line = lines.nextAtEnd() { forward(line) }
    if dropped > 0 { sayDropped() }
    stop()
  }

  private func stop() {
    if let watch { loop.unwatch(watch) }
    watch = nil
  }

  /// Reads once. Returns how much, nil at the end.
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
    guard mayWrite() else {
      dropped += 1
      return
    }
    if dropped > 0 { sayDropped() }
    switch line {
    case .whole(let bytes), .unterminated(let bytes):
      if !StandardErrorForwarder.write(bytes, from: name, isCut: false) { dropped += 1 }
    case .tooLong(let prefix): if !StandardErrorForwarder.write(prefix, from: name, isCut: true) { dropped += 1 }
    }
  }

  private func sayDropped() {
    let text = Array("(\(dropped) more lines were dropped)".utf8)
    if text.withUnsafeBytes({ StandardErrorForwarder.write($0, from: name, isCut: false) }) { dropped = 0 }
  }

  /// Whether another line may be passed on.
  private func mayWrite() -> Bool {
    let now = MonotonicClock.now()
    credit = min(
      StandardErrorForwarder.burst * 1000, credit + min(now - counted, 60_000) * StandardErrorForwarder.linesPerSecond)
    counted = now
    guard credit >= 1000 else { return false }
    credit -= 1000
    return true
  }

  /// Writes a line on this process's standard error. Control characters, which could do anything to a terminal, become `?`, those of ISO 6429 from U+0080 on
  /// as well, and what is not UTF-8 becomes U+FFFD. Returns false if there was no room for it.
  private static func write(_ line: UnsafeRawBufferPointer, from name: String, isCut: Bool) -> Bool {
    var text = Array("login-engine: authenticator \(name): ".utf8)
    text.reserveCapacity(text.count + line.count + 8)
    text += String(decoding: line, as: UTF8.self).printable(keeping: ["\t"]).utf8
    if isCut { text += " …".utf8 }
    text.append(0x0A)
    // Nobody reads a log that is closed; that is nothing to count.
    return text.withUnsafeBytes { Descriptor.write(2, $0) } != .wouldBlock
  }
}
