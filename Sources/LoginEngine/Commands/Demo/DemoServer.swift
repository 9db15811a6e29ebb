import Glibc
import SecretMemory
import System

/// The loop of the demo authenticator: reads questions from standard input and writes each answer
/// to standard output when it is due.
final class DemoServer {
  /// A line that is written when it is due, and the attempt that the line is about.
  private struct Delayed {
    let due: UInt64
    let line: [UInt8]
    let attempt: UInt64
  }

  private let loop: EventLoop
  private var service = DemoService()
  private var lines = LineBuffer(maximumLineBytes: 1 << 20)
  private var delayed: [Delayed] = []
  private var input: EventLoop.Watch?
  private var outputHasFailed = false

  init() throws(SystemError) { loop = try EventLoop() }

  /// Runs until the end of input and the last delayed answer. Returns whether all answers could be
  /// written.
  func run() -> Bool {
    input = loop.watch(0, .read) { [unowned self] _ in readInput() }
    loop.beforeWait = { [unowned self] in prepare() }
    loop.run()
    return !outputHasFailed
  }

  /// Writes the lines that are due. Returns the time until the next line is due, in milliseconds.
  private func prepare() -> Int? {
    let now = MonotonicClock.now()
    for answer in delayed where answer.due <= now { write(answer.line) }
    delayed.removeAll { $0.due <= now }
    if input == nil, delayed.isEmpty || outputHasFailed { loop.stop() }
    return delayed.map(\.due).min().map { Int(clamping: $0 - min(now, $0)) }
  }

  private func readInput() {
    let fill = lines.fill(from: 0)
    while let line = lines.next() { handle(line) }
    switch fill {
    case .bytes, .wouldBlock: return
    case .endOfFile, .failed:
      if let input { loop.unwatch(input) }
      input = nil
    }
  }

  private func handle(_ line: LineBuffer.Line) {
    guard case .whole(let bytes) = line else { return }
    switch service.handle(bytes) {
    case .answer(let answer): write(answer)
    case .lines(let lines, let attempt):
      let now = MonotonicClock.now()
      delayed += lines.map { Delayed(due: now + $0.delay, line: $0.bytes, attempt: attempt) }
    case .forget(let attempt): delayed.removeAll { $0.attempt == attempt }
    case .nothing: break
    case .exit: exit(3)
    }
  }

  private func write(_ line: [UInt8]) {
    guard !outputHasFailed, BlockingOutput.write(line, to: 1) else {
      outputHasFailed = true
      if let input { loop.unwatch(input) }
      input = nil
      return
    }
  }
}
