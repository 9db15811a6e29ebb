import Glibc
import SecretMemory
import System

/// The process of an engine under replay: its input, its output lines and its exit.
final class EngineUnderReplay {
  private let loop: EventLoop
  private let process: ChildProcess
  private let input: OutgoingBytes
  private var lines = LineBuffer(maximumLineBytes: 256 << 20)
  private var outputWatch: EventLoop.Watch?
  private var errorWatch: EventLoop.Watch?
  private var output: [[UInt8]] = []
  private var outputHasEnded = false
  /// The last bytes of the engine's standard error.
  private var errors: [UInt8] = []
  private var inputIsEnding = false
  private var advances = ReplayAdvances()

  /// Starts the engine with the options of a transcript.
  /// - Parameter command: the program and arguments of the engine; `nil` for this program.
  init(
    _ transcript: Transcript, command: [String]?, _ authenticators: ScriptedAuthenticators, loop: EventLoop
  ) throws(SystemError) {
    self.loop = loop
    process = try ChildProcess(
      (command ?? ["login-engine"]) + transcript.arguments(for: authenticators),
      executable: command == nil ? ExecutablePath.current() : nil, standardError: .piped)
    input = OutgoingBytes(process.input ?? -1, loop: loop)
    if let descriptor = process.output {
      outputWatch = loop.watch(descriptor, .read) { [unowned self] _ in readOutput(descriptor) }
    }
    if let descriptor = process.error {
      errorWatch = loop.watch(descriptor, .read) { [unowned self] _ in readErrors(descriptor) }
    }
  }

  deinit {
    input.stop()
    if let outputWatch { loop.unwatch(outputWatch) }
    if let errorWatch { loop.unwatch(errorWatch) }
  }

  // MARK: Input

  func send(_ bytes: [UInt8]) { input.send(bytes) }

  func endInput() {
    guard !inputIsEnding else { return }
    inputIsEnding = true
    input.finish { [process] in process.closeInput() }
  }

  /// Asks the engine to advance its clock. The response is not part of the transcript.
  func advance(_ milliseconds: UInt64) { send(advances.begin(milliseconds)) }

  /// The number of child processes that the engine has, not counting its process starter; 0 if the
  /// number is unknown.
  var children: Int {
    guard let list = try? TextFile.read("/proc/\(process.processID)/task/\(process.processID)/children") else {
      return 0
    }
    return list.split(separator: " ").count { (try? TextFile.read("/proc/\($0)/comm")) != "\(ProcessStarter.name)\n" }
  }

  /// Kills the engine.
  func kill() { process.kill(SIGKILL) }

  /// Sends the engine SIGTERM.
  func terminate() { process.kill(SIGTERM) }

  /// Whether the engine has not yet answered a request to advance its clock.
  var isAdvancing: Bool { advances.isPending }

  /// What was wrong with the response to a request to advance the clock; `nil` if nothing was.
  var advanceProblem: String? { advances.problem }

  // MARK: Output

  /// Takes the engine's next line of output; `nil` if none has arrived.
  func takeLine() -> [UInt8]? { output.isEmpty ? nil : output.removeFirst() }

  /// The exit status. `nil` until the engine has exited and all of its output has been taken.
  var end: ChildProcess.ExitStatus? { outputHasEnded && output.isEmpty ? process.reap() : nil }

  private func readOutput(_ descriptor: Int32) {
    let fill = lines.fill(from: descriptor)
    while let line = lines.next() { collectLine(line) }
    switch fill {
    case .bytes, .wouldBlock: return
    case .endOfFile, .failed: break
    }
    if let line = lines.nextAtEnd() { collectLine(line) }
    outputHasEnded = true
    if let outputWatch { loop.unwatch(outputWatch) }
    outputWatch = nil
  }

  private func collectLine(_ line: LineBuffer.Line) {
    switch line {
    case .whole(let bytes), .tooLong(let bytes), .unterminated(let bytes):
      if !advances.takes(bytes) { output.append(Array(bytes)) }
    }
  }

  // MARK: Standard error

  private static var keptErrorBytes: Int { 4096 }

  /// The last bytes that the engine wrote to standard error.
  func takeErrors() -> String {
    if let descriptor = process.error, errorWatch != nil { readErrors(descriptor) }
    return String(decoding: errors, as: UTF8.self)
  }

  private func readErrors(_ descriptor: Int32) {
    var buffer = LineBuffer(maximumLineBytes: Self.keptErrorBytes)
    let fill = buffer.fill(from: descriptor)
    while let line = buffer.next() ?? buffer.nextAtEnd() {
      switch line {
      case .whole(let bytes), .tooLong(let bytes), .unterminated(let bytes): errors += bytes + [0x0A]
      }
    }
    if errors.count > Self.keptErrorBytes { errors.removeFirst(errors.count - Self.keptErrorBytes) }
    if fill == .endOfFile, let errorWatch {
      loop.unwatch(errorWatch)
      self.errorWatch = nil
    }
  }
}
