import AuthenticatorKit
import Glibc
import JSONCodec
import SecretMemory
import System

/// An authenticator of a transcript. When the engine starts a process for this authenticator, the
/// process hands its pipes to the replayer. So bytes that the replayer writes are in the engine's
/// pipe before the next step is played.
///
/// If the engine starts another process, everything that it sent to the previous process is read
/// first.
final class ScriptedAuthenticator {
  /// The name of the socket to which the processes connect.
  let name: String
  private let loop: EventLoop
  private let listening: Int32
  private var watch: EventLoop.Watch?
  /// The connections to processes of this authenticator. Lines are read from the first one; the
  /// others become active in order, each when the one before it has ended.
  private var connections: [Connection] = []
  private var lines: [[UInt8]] = []
  private let executable: RemovableExecutable?

  /// - Parameter canBeMissing: whether the transcript makes the authenticator unavailable, so that
  ///   its executable must be removable.
  init(_ name: String, canBeMissing: Bool, loop: EventLoop) throws(SystemError) {
    self.name = name
    self.loop = loop
    executable = canBeMissing ? try RemovableExecutable(name) : nil
    listening = try LocalSocket.listen(name)
    watch = loop.watch(listening, .read) { [unowned self] _ in accept() }
  }

  deinit {
    if let watch { loop.unwatch(watch) }
    Descriptor.close(listening)
  }

  /// Takes the next line from the engine. Skips a request for the authenticator's description
  /// (`authenticator/describe`) unless `isExpected` is true.
  func takeLine(description isExpected: Bool = false) -> [UInt8]? {
    if lines.isEmpty { connections.first?.readInput() }
    while !lines.isEmpty {
      let line = lines.removeFirst()
      if isExpected || !Self.isDescribe(line) { return line }
    }
    return nil
  }

  private static func isDescribe(_ line: [UInt8]) -> Bool {
    isDescribe((try? JSONValue(parsing: line)) ?? .null)
  }

  /// Whether a line requests the description of an authenticator.
  static func isDescribe(_ message: JSONValue) -> Bool {
    if case .describe = EngineCall(message) { true } else { false }
  }

  /// Whether all processes of this authenticator have ended.
  var hasEnded: Bool {
    accept()
    return connections.isEmpty
  }

  /// The number of processes of this authenticator that have connected and not ended.
  var count: Int {
    accept()
    return connections.count { $0.isOpen }
  }

  /// Sends bytes to the engine. Returns false if no process can send them.
  func sendAnswer(_ bytes: [UInt8]) -> Bool {
    connections.first?.sendAnswer(bytes) ?? false
  }

  /// Applies a fault to the authenticator. Returns false if that is not possible, for example
  /// because no process is running.
  func applyFault(_ fault: Transcript.Fault) -> Bool {
    switch fault {
    case .exit:
      guard let first = connections.first, first.isOpen else { return false }
      first.finish()
      return true
    case .closeInput: return connections.first?.closeInput() ?? false
    case .stopReading: return connections.first?.stopReading() ?? false
    case .resumeReading: return connections.first?.resumeReading() ?? false
    case .unavailable: return executable?.remove() ?? false
    case .available: return executable?.make() ?? false
    }
  }

  /// Ends those processes that do not read their input. Such a process would not notice the end of
  /// its input, and the engine would wait for its exit.
  func releaseUnresponsive() { for connection in connections where connection.isUnresponsive { connection.finish() } }

  /// The command that starts a process of this authenticator.
  var command: [String] {
    [executable?.path ?? ExecutablePath.current(), AuthenticatorRelay.command, name]
  }

  /// Whether the engine may not have read everything that this authenticator has sent.
  var isBusy: Bool { connections.first?.isEnding ?? false }

  private func accept() {
    while let descriptor = LocalSocket.accept(listening) {
      connections.append(Connection(descriptor, loop: loop))
      if connections.count == 1 { activateFirst() }
    }
  }

  private func activateFirst() {
    connections.first?.readLines { [unowned self] line in
      if let line {
        lines.append(line)
      } else {
        connections.removeFirst()
        activateFirst()
      }
    }
  }
}

/// The connection to one process that the engine started.
private final class Connection {
  private let socket: Int32
  private let loop: EventLoop
  private var input: Int32?
  private var output: Int32?
  private var outgoing: OutgoingBytes?
  private var lines = LineBuffer(maximumLineBytes: 16 << 20)
  private var socketWatch: EventLoop.Watch?
  private var inputWatch: EventLoop.Watch?
  private var body: (([UInt8]?) -> Void)?
  private(set) var isEnding = false
  /// Whether the pipe was filled to keep the engine from writing.
  private var isStopped = false
  private var isGone = false

  init(_ socket: Int32, loop: EventLoop) {
    self.socket = socket
    self.loop = loop
  }

  deinit { close() }

  var isOpen: Bool { outgoing != nil && !isEnding }

  /// Whether the process does not notice that the engine closes its input.
  var isUnresponsive: Bool { isOpen && (isStopped || input == nil) }

  /// Calls `body` with each line, then with `nil` at the end.
  func readLines(_ body: @escaping ([UInt8]?) -> Void) {
    self.body = body
    socketWatch = loop.watch(socket, .read) { [unowned self] _ in receive() }
  }

  /// Receives from the process: first its pipes, then a byte when it has closed its own
  /// descriptors, then the end of the stream when it exits.
  private func receive() {
    switch LocalSocket.receive(from: socket) {
    case .nothingYet: break
    case .closed:
      // Reads what the engine had written before the process was killed.
      isGone = true
      readInput()
      endConnection()
    case .descriptors(let input, let output):
      self.input = input
      self.output = output
      for descriptor in [input, output] { try? Descriptor.setNonblocking(descriptor) }
    case .byte:
      guard let input, let output, outgoing == nil else { return }
      outgoing = OutgoingBytes(output, loop: loop)
      inputWatch = loop.watch(input, .read) { [unowned self] _ in readInput() }
    }
  }

  /// Reads what the engine has written.
  func readInput() {
    guard let input, (outgoing != nil && !isStopped) || isGone else { return }
    while true {
      let fill = lines.fill(from: input)
      while let line = lines.next() {
        switch line {
        case .whole(let bytes) where bytes.isEmpty: break
        case .whole(let bytes), .tooLong(let bytes), .unterminated(let bytes): body?(Array(bytes))
        }
      }
      switch fill {
      case .bytes: continue
      case .wouldBlock: return
      // The engine has closed its end, so the process exits, as any authenticator does.
      case .endOfFile, .failed: return endConnection()
      }
    }
  }

  private func endConnection() {
    guard body != nil else { return }
    close()
    let body = body
    self.body = nil
    body?(nil)
  }

  func sendAnswer(_ bytes: [UInt8]) -> Bool {
    guard isOpen, let outgoing else { return false }
    outgoing.send(bytes)
    return true
  }

  func closeInput() -> Bool {
    guard isOpen else { return false }
    if let inputWatch { loop.unwatch(inputWatch) }
    inputWatch = nil
    if let input { Descriptor.close(input) }
    input = nil
    return true
  }

  /// Reads what the engine has written so far, then fills the pipe with blank lines, so that the
  /// engine cannot write.
  func stopReading() -> Bool {
    guard isOpen, !isStopped, let input else { return false }
    readInput()
    guard isOpen else { return false }
    // The other end of a pipe can be opened through /proc.
    let other = open("/proc/self/fd/\(input)", O_WRONLY | O_NONBLOCK | O_CLOEXEC)
    guard other >= 0 else { return false }
    defer { Descriptor.close(other) }
    if let inputWatch { loop.unwatch(inputWatch) }
    inputWatch = nil
    isStopped = true
    let blanks = [UInt8](repeating: 0x0A, count: 4096)
    for count in [blanks.count, 1] {
      while write(other, blanks, count) > 0 || errno == EINTR {}
    }
    return true
  }

  func resumeReading() -> Bool {
    guard isOpen, isStopped, let input else { return false }
    isStopped = false
    inputWatch = loop.watch(input, .read) { [unowned self] _ in readInput() }
    readInput()
    return true
  }

  /// Makes the process exit as soon as everything was written to the engine.
  func finish() {
    isEnding = true
    outgoing?.finish { [unowned self] in endConnection() }
  }

  private func close() {
    outgoing?.stop()
    outgoing = nil
    for watch in [inputWatch, socketWatch] { if let watch { loop.unwatch(watch) } }
    (inputWatch, socketWatch) = (nil, nil)
    for descriptor in [input, output] { if let descriptor { Descriptor.close(descriptor) } }
    (input, output) = (nil, nil)
    if !isClosed { Descriptor.close(socket) }
    isClosed = true
  }

  private var isClosed = false
}
