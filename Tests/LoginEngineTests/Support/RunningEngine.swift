import Foundation
import Glibc
import JSONCodec
import SecretMemory
import System
import TestSupport
import Testing

/// A running `login-engine`, with pipes or with streams that a test provides. Methods that wait for
/// it throw an error after `longestWait`.
final class RunningEngine {
  /// The target of standard input or output.
  enum Stream {
    case pipe
    /// A descriptor that the test owns.
    case descriptor(Int32)
    case none
  }

  /// The path of the built program.
  static let executable = BuiltProgram.loginEngine

  let processID: pid_t
  let directory: Directory
  private(set) var input: Int32 = -1
  let output: Int32
  private let errors: String
  private var lines = LineBuffer(maximumLineBytes: 16 << 20)
  private var status: ChildProcess.ExitStatus?
  private let written = WrittenLines.of(.engineToFrontend)

  /// Starts the engine with the accounts file of `directory`, the cheapest hashes and the example
  /// flow, unless `arguments` override them. `accounts` are options of the accounts.
  init(
    _ arguments: [String] = [], accounts: [String] = [], in directory: Directory? = nil,
    executable: String = RunningEngine.executable,
    workingDirectory: String? = nil, input: Stream = .pipe, output: Stream = .pipe, closesErrors: Bool = false,
    usesDefaults: Bool = true, blockedSignals: [Int32] = []
  ) throws {
    _ = Glibc.signal(SIGPIPE, SIG_IGN)
    let directory = try directory ?? Directory()
    self.directory = directory
    errors = directory.path + "/stderr-\(UUID().uuidString)"
    let log = open(errors, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(log) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var theirs: [Int32] = []
    defer { for end in theirs { close(end) } }
    switch input {
    case .pipe:
      let ends = try Descriptor.pipe()
      theirs.append(ends.read)
      self.input = ends.write
      try Descriptor.setNonblocking(ends.write)
      posix_spawn_file_actions_adddup2(&actions, ends.read, 0)
    case .descriptor(let descriptor): posix_spawn_file_actions_adddup2(&actions, descriptor, 0)
    case .none: posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    }
    switch output {
    case .pipe:
      let ends = try Descriptor.pipe()
      theirs.append(ends.write)
      self.output = ends.read
      posix_spawn_file_actions_adddup2(&actions, ends.write, 1)
    case .descriptor(let descriptor):
      self.output = -1
      posix_spawn_file_actions_adddup2(&actions, descriptor, 1)
    case .none:
      self.output = -1
      posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    }
    if closesErrors {
      posix_spawn_file_actions_addclose(&actions, 2)
    } else {
      posix_spawn_file_actions_adddup2(&actions, log, 2)
    }
    var defaults: [String] = []
    if usesDefaults, arguments.contains("--authenticator") {
      defaults = ["--accounts", directory.accounts]
    } else if usesDefaults {
      let words = ["login-accounts", "--file", directory.accounts, "--hash-cost", "1"] + accounts
      let quoted = words.map { "'" + $0.replacing("'", with: #"'\''"#) + "'" }
      defaults = ["--authenticator", quoted.joined(separator: " ")]
    }
    if usesDefaults, !arguments.contains("--flow") { defaults += ["--flow", Fixtures.path("flows/example.json")] }
    var words = [executable] + defaults + arguments
    // The shell replaces itself by the engine, so the process id stays the same.
    if let workingDirectory { words = ["/bin/sh", "-c", #"cd "$0" && exec "$@""#, workingDirectory] + words }
    var argv = words.map { strdup($0) } + [nil]
    defer { for word in argv { free(word) } }
    var started: pid_t = 0
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var mask = sigset_t()
    sigemptyset(&mask)
    for signal in blockedSignals { sigaddset(&mask, signal) }
    posix_spawnattr_setsigmask(&attributes, &mask)
    // The engine gets its own process group, to which a test can send signals.
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
    let failure = posix_spawn(&started, words[0], &actions, &attributes, &argv, environ)
    guard failure == 0 else { throw Failure("\(executable): \(String(cString: strerror(failure)))") }
    processID = started
  }

  deinit {
    if input >= 0 { close(input) }
    if written != nil { keepRest() }
    if output >= 0 { close(output) }
    guard status == nil else { return }
    kill(processID, SIGKILL)
    var ignored: Int32 = 0
    while waitpid(processID, &ignored, 0) < 0, errno == EINTR {}
  }

  /// Records the available output that the test has not read.
  private func keepRest() {
    while true {
      while case .whole(let bytes) = lines.next() { written?.append(bytes) }
      guard output >= 0, hasOutput(within: 0), case .bytes = lines.fill(from: output) else { return }
    }
  }

  // MARK: Input

  /// Sends lines, given without newlines.
  func send(_ lines: String...) throws { try send(bytes: Array((lines.joined(separator: "\n") + "\n").utf8)) }
  func send(_ lines: [String]) throws { try send(bytes: Array((lines.joined(separator: "\n") + "\n").utf8)) }

  func send(bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN {
        guard isWritable(input) else { throw Failure("the engine does not read") }
        continue
      }
      guard count > 0 else { throw Failure("the engine's input is closed") }
      rest = rest.dropFirst(count)
    }
  }

  func endInput() {
    if input >= 0 { close(input) }
    input = -1
  }

  // MARK: Output

  /// The bytes of the next line of output; `nil` at the end of the output.
  func rawLine() throws -> [UInt8]? {
    var line: [UInt8] = []
    return try lendLine { line = $0.withUnsafeBytes { Array($0) } } ? line : nil
  }

  /// Calls `body` with the next line of output, without copying it. Returns false at the end of the
  /// output.
  func lendLine(_ body: (RawSpan) -> Void) throws -> Bool {
    while true {
      if case .whole(let bytes) = lines.next() {
        written?.append(bytes)
        body(bytes.bytes)
        return true
      }
      guard isReadable(output) else { throw Failure("nothing came in time; stderr: \(log)") }
      switch lines.fill(from: output) {
      case .endOfFile:
        if lines.nextAtEnd() != nil { throw Failure("the last line has no end") }
        return false
      case .failed(let error): throw Failure("\(error)")
      case .bytes, .wouldBlock: continue
      }
    }
  }

  /// The next message in the output.
  func next() throws -> JSONValue {
    guard let line = try rawLine() else { throw Failure("the engine has ended; stderr: \(log)") }
    return try JSONValue(parsing: line)
  }

  /// All remaining messages, up to the end of the output.
  func rest() throws -> [JSONValue] {
    var messages: [JSONValue] = []
    while let line = try rawLine() { messages.append(try JSONValue(parsing: line)) }
    return messages
  }

  /// The next messages, up to and including the first for which `fits` returns true.
  func until(_ fits: (JSONValue) -> Bool) throws -> [JSONValue] {
    var messages: [JSONValue] = []
    while true {
      messages.append(try next())
      if fits(messages[messages.count - 1]) { return messages }
    }
  }

  /// Sends a request. Returns the messages up to and including its response.
  @discardableResult func ask(_ request: String) throws -> [JSONValue] {
    let id = try JSONValue(parsing: request)["id"]
    try send(request)
    return try until { $0["id"] == id && $0["method"] == nil }
  }

  /// Reads up to the session's next update with the given state, and returns that update.
  func update(of session: String, _ state: String) throws -> JSONValue {
    let messages = try until { $0.session == session && $0.state == state }
    return messages[messages.count - 1]
  }

  /// Whether the engine writes output within the given milliseconds.
  func hasOutput(within milliseconds: Int32) -> Bool {
    isReadable(output, within: milliseconds)
  }

  /// The text of standard error so far.
  var log: String { (try? String(contentsOfFile: errors, encoding: .utf8)) ?? "" }

  // MARK: Exit

  func signal(_ number: Int32) { _ = kill(processID, number) }

  /// Waits until the engine has exited. Returns the exit status.
  func wait() throws -> ChildProcess.ExitStatus {
    if let status { return status }
    var waited: Int32 = 0
    try Eventually.holds("the engine exits") { waitpid(processID, &waited, WNOHANG) == processID }
    let signal = waited & 0x7F
    let ended: ChildProcess.ExitStatus = signal == 0 ? .exited(waited >> 8 & 0xFF) : .killed(signal: signal)
    status = ended
    return ended
  }

  /// Ends the engine's input. Returns the rest of the output and the exit status.
  func finish() throws -> (messages: [JSONValue], status: ChildProcess.ExitStatus) {
    endInput()
    return (try rest(), try wait())
  }
}

struct Failure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

enum Eventually {
  /// Waits until a condition holds.
  static func holds(_ what: String, _ condition: () throws -> Bool) throws {
    guard try eventually(condition) else { throw Failure("not in time: \(what)") }
  }
}
