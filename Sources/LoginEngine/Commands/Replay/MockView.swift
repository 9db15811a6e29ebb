import SecretMemory
import System

/// The connection to the view under test: its lines, and the lines that are sent to it.
final class MockView {
  private let loop: EventLoop
  private var lines = LineBuffer(maximumLineBytes: 64 << 20)
  private var watch: EventLoop.Watch?
  private let output: OutgoingBytes
  /// The view's lines that have not been forwarded, each with its newline if it has one.
  private(set) var waiting: [[UInt8]] = []
  /// Whether the view has closed its output.
  private(set) var hasEnded = false
  /// When the view last sent something.
  private(set) var lastTime = MonotonicClock.now()

  init(loop: EventLoop) {
    self.loop = loop
    output = OutgoingBytes(1, loop: loop)
    watch = loop.watch(0, .read) { [unowned self] _ in readLines() }
  }

  /// Sends a line to the view.
  func sendLine(_ line: [UInt8]) { output.send(line + [0x0A]) }

  /// Takes the view's next line.
  func takeLine() -> [UInt8] { waiting.isEmpty ? [] : waiting.removeFirst() }

  /// Stops reading and writing.
  func stop() {
    if let watch { loop.unwatch(watch) }
    watch = nil
    output.stop()
  }

  private func readLines() {
    lastTime = MonotonicClock.now()
    let fill = lines.fill(from: 0)
    while let line = lines.next() { collectLine(line) }
    switch fill {
    case .bytes, .wouldBlock: return
    case .endOfFile, .failed: break
    }
    if let line = lines.nextAtEnd() { collectLine(line) }
    hasEnded = true
    if let watch { loop.unwatch(watch) }
    watch = nil
  }

  private func collectLine(_ line: LineBuffer.Line) {
    switch line {
    case .whole(let bytes), .tooLong(let bytes): waiting.append(Array(bytes) + [0x0A])
    case .unterminated(let bytes): waiting.append(Array(bytes))
    }
  }
}
