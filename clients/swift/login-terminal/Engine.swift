import CSystem
import Glibc

/// The engine's process and its pipes.
final class Engine {
  private let process: pid_t
  let output: Int32
  /// The pipe from which the engine's log can be read; `nil` if the log goes to this program's
  /// standard error.
  private(set) var errors: Int32?
  var input: Outlet
  private var partialLine: [UInt8] = []
  private var log: [UInt8] = []
  private var isInputOpen = true

  /// Starts the engine.
  ///
  /// - Parameter capturesErrors: whether the engine's standard error is captured. It is then shown
  ///   only if the engine fails.
  init(path: String, arguments: [String], capturesErrors: Bool) throws(Failure) {
    let toEngine = try Engine.pipe()
    let fromEngine = try Engine.pipe()
    let logPipe = capturesErrors ? try Engine.pipe() : nil
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, toEngine.read, 0)
    posix_spawn_file_actions_adddup2(&actions, fromEngine.write, 1)
    if let logPipe { posix_spawn_file_actions_adddup2(&actions, logPipe.write, 2) }

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)  // ignored here, but the engine decides for itself
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))

    var process: pid_t = 0
    let failure = Engine.withPointers([path] + arguments) { argv in
      posix_spawnp(&process, path, &actions, &attributes, argv, csystem_environment())
    }
    for end in [toEngine.read, fromEngine.write] + (logPipe.map { [$0.write] } ?? []) { close(end) }
    guard failure == 0 else { throw Failure(text: "cannot start \(path): \(System.errorText(failure))") }

    self.process = process
    input = Outlet(descriptor: toEngine.write)
    output = fromEngine.read
    errors = logPipe?.read
    for end in [toEngine.write, fromEngine.read] + (errors.map { [$0] } ?? []) {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
  }

  /// The complete lines that the engine has written since the last call; `nil` if it has closed its
  /// output and all lines were returned.
  func readLines() -> [[UInt8]]? {
    guard let bytes = readAvailable(output) else { return nil }
    partialLine += bytes
    var lines = partialLine.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
    partialLine = lines.popLast() ?? []
    return lines.filter { !$0.isEmpty }
  }

  /// Parses a line that the engine has written.
  static func message(_ line: [UInt8]) throws(Failure) -> JSON {
    if let message = JSON(line: line) { return message }
    throw Failure(text: "the engine wrote a line that is not JSON: \(printable(String(decoding: line, as: UTF8.self)))")
  }

  /// Reads the engine's log and keeps the last part of it. Returns `false` if the engine has closed
  /// its standard error.
  func readLog() -> Bool {
    guard let errors, let bytes = readAvailable(errors) else { return false }
    log = (log + bytes).suffix(2_000)
    return true
  }

  func closeLog() {
    if let errors { close(errors) }
    errors = nil
  }

  /// Ends the engine's input.
  func closeInput() {
    if isInputOpen { close(input.descriptor) }
    isInputOpen = false
  }

  /// Says how the engine ended, as text for the user; `nil` if it ended as expected. Call it after
  /// the engine's output was closed.
  func obituary() -> Failure? {
    while readLog(), errors.map({ Engine.isReady($0, within: 50) }) == true {}
    var text = "the engine has stopped"
    if let status = waitForEnd(milliseconds: 2_000) {
      if status == 0 && !isInputOpen { return nil }
      let signal = status & 0x7f
      text += signal == 0 ? " with status \((status >> 8) & 0xff)" : ": killed by signal \(signal)"
    }
    let lines = String(decoding: log, as: UTF8.self).split(separator: "\n").suffix(5)
    return Failure(text: ([text] + lines.map { "  " + printable(String($0)) }).joined(separator: "\n"))
  }

  /// Continues the engine, which may have been stopped together with this program (Ctrl-Z).
  func resume() { kill(process, SIGCONT) }

  /// Ends the engine's input and waits for it to exit. Sends signals if it does not exit within a
  /// second each.
  func stop() {
    let deadline = System.steadyTime + 500
    while input.isWaiting, System.steadyTime < deadline, Engine.isReady(input.descriptor, POLLOUT, within: 100) {
      input.flush()
    }
    closeInput()
    while System.steadyTime < deadline, !Engine.isReady(output, within: 0) || readLines() != nil { usleep(1_000) }
    close(output)
    if waitForEnd(milliseconds: 1_000) == nil {
      kill(process, SIGTERM)
      if waitForEnd(milliseconds: 1_000) == nil { kill(process, SIGKILL) }
    }
  }

  private func waitForEnd(milliseconds: Int) -> Int32? {
    var status: Int32 = 0
    for _ in 0..<max(1, milliseconds / 5) {
      if waitpid(process, &status, WNOHANG) != 0 { return status }
      usleep(5_000)
    }
    return nil
  }

  private static func isReady(_ descriptor: Int32, _ event: Int32 = POLLIN, within milliseconds: Int32) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(event), revents: 0)
    return poll(&request, 1, milliseconds) > 0
  }

  private static func pipe() throws(Failure) -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { throw Failure(text: "cannot make a pipe: \(System.errorText())") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  private static func withPointers<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let pointers = strings.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers)
  }
}
