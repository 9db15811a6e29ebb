import EventLoop
import SecretMemory

/// The view that a mock plays to: what it writes, and what it is told.
final class MockView {
  private let loop: EventLoop
  private var lines = LineBuffer(maximumLineBytes: 64 << 20)
  private var watch: EventLoop.Watch?
  private let output: OutgoingBytes
  /// Its lines that were not passed on yet, with their ends if they have one.
  private(set) var waiting: [[UInt8]] = []
  /// Whether it says nothing more.
  private(set) var hasEnded = false
  /// When it has said something last.
  private(set) var lastTime = MonotonicClock.now()

  init(loop: EventLoop) {
    self.loop = loop
    output = OutgoingBytes(1, loop: loop)
    watch = loop.watch(0, .read) { [unowned self] _ in read() }
  }

  /// Tells it a line.
  func tell(_ line: [UInt8]) { output.send(line + [0x0A]) }

  /// Takes its next line.
  func takeLine() -> [UInt8] { waiting.isEmpty ? [] : waiting.removeFirst() }

  /// Neither reads nor writes any more.
  func stop() {
    if let watch { loop.unwatch(watch) }
    watch = nil
    output.stop()
  }

  private func read() {
    lastTime = MonotonicClock.now()
    let fill = lines.fill(from: 0)
    while let line = lines.next() { take(line) }
    switch fill {
    case .bytes, .wouldBlock: return
    case .endOfFile, .failed: break
    }
    if let line = lines.nextAtEnd() { take(line) }
    hasEnded = true
    if let watch { loop.unwatch(watch) }
    watch = nil
  }

  private func take(_ line: LineBuffer.Line) {
    switch line {
    case .whole(let bytes), .tooLong(let bytes): waiting.append(Array(bytes) + [0x0A])
    case .unterminated(let bytes): waiting.append(Array(bytes))
    }
  }
}
