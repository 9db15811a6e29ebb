import CSystem
import Glibc

/// A child process, with pipes to its standard input and output.
///
/// A child is in a process group of its own, so that Ctrl-C in the terminal does not reach it. It
/// is killed when the thread that started it ends, for whatever reason. All its signals have their
/// default actions, and it has no descriptors but its standard streams. Starting it copies no
/// memory.
public final class ChildProcess {
  public enum StandardError: Sendable {
    /// The standard error of this process.
    case inherited
    case piped
  }

  /// The signal that reports that a child may have ended.
  public static var exitSignal: Int32 { SIGCHLD }

  public let processID: Int32
  /// The write end of the child's standard input; nonblocking. `nil` after `closeInput`.
  public private(set) var input: Int32?
  /// The read end of the child's standard output; nonblocking. `nil` after `closeOutput`.
  public private(set) var output: Int32?
  /// The read end of the child's standard error, if it is piped; nonblocking.
  public private(set) var error: Int32?
  private var status: ExitStatus?

  /// Starts a program as a child process.
  ///
  /// - Parameters:
  ///   - arguments: the first is the program's name, which is looked up in `PATH` unless it
  ///     contains a slash.
  ///   - executable: the file to run instead of looking up `arguments[0]`.
  ///   - program: the file to run, if it is already open.
  ///   - environment: variables to set in addition to those of this process.
  /// - Throws: the system's error, such as "No such file or directory" or "Permission denied".
  public init(
    _ arguments: [String], executable: String? = nil, program: ProgramFile? = nil, environment: [String: String] = [:],
    standardError: StandardError = .inherited
  ) throws(SystemError) {
    guard let name = arguments.first else { throw SystemError(call: "exec", number: EINVAL) }
    let path: String
    if let known = program?.path ?? executable { path = known } else { path = try ExecutablePath.find(name) }
    let pipes = try ChildPipes(standardError)
    processID = try ArgumentVector.with(arguments) { argv throws(SystemError) in
      try ArgumentVector.with(ArgumentVector.environment(adding: environment)) { envp throws(SystemError) in
        var child: Int32 = 0
        let descriptors = [pipes.input.read, pipes.output.write, pipes.errorWrite]
        let failure = csystem_spawn(path, program?.descriptor ?? -1, argv, envp, descriptors, &child)
        guard failure == 0 else { throw SystemError(call: "exec \(name)", number: failure) }
        return child
      }
    }
    (input, output, error) = pipes.takeOwnEnds()
  }

  /// Starts one of a starter's commands, with pipes to all three standard streams.
  ///
  /// - Parameters:
  ///   - command: the index of the command in the starter.
  ///   - argument: the last word, for a command that takes one.
  public init(_ command: Int, of starter: ProcessStarter, argument: String? = nil) throws(SystemError) {
    let pipes = try ChildPipes(.piped)
    processID = try starter.start(
      command, argument: argument, [pipes.input.read, pipes.output.write, pipes.errorWrite])
    (input, output, error) = pipes.takeOwnEnds()
  }

  /// Kills the process if it is still running, and waits for its end.
  deinit {
    closeInput()
    closeOutput()
    closeError()
    guard status == nil else { return }
    kill(SIGKILL)
    var ignored: Int32 = 0
    while waitpid(processID, &ignored, 0) < 0, errno == EINTR {}
  }

  /// The exit status, or `nil` while the process runs. Call after SIGCHLD. `.exited(-1)` if the
  /// system no longer knows the process, because other code has waited for it.
  public func reap() -> ExitStatus? {
    if let status { return status }
    var waited: Int32 = 0
    let result = waitpid(processID, &waited, WNOHANG)
    if result == processID { status = ExitStatus(waitStatus: waited) }
    if result < 0, errno == ECHILD { status = .exited(-1) }
    return status
  }

  /// Whether the process has ended. This does not reap it: until it is reaped, no other process or
  /// group gets its number.
  public var hasEnded: Bool {
    guard status == nil else { return true }
    var information = siginfo_t()
    return waitid(P_PID, id_t(processID), &information, WEXITED | WNOHANG | WNOWAIT) == 0
      && information.si_signo == SIGCHLD
  }

  /// Kills the process, if it is still running, and its process group. Does nothing after the
  /// process was reaped.
  public func killGroup() { kill(SIGKILL) }

  /// Like `reap`. But if the process has ended, first kills all processes that are left in its
  /// process group.
  public func reapGroup() -> ExitStatus? {
    if status == nil, hasEnded { killGroup() }
    return reap()
  }

  /// Sends a signal to the process group. Does nothing after the process was reaped, since its
  /// number may belong to another process.
  public func kill(_ signal: Int32) {
    guard status == nil else { return }
    if Glibc.kill(-processID, signal) != 0 { _ = Glibc.kill(processID, signal) }
  }

  /// Closes the process's input. The descriptor must not be watched any more.
  public func closeInput() { Self.close(&input) }
  public func closeOutput() { Self.close(&output) }
  func closeError() { Self.close(&error) }

  private static func close(_ fd: inout Int32?) {
    if let open = fd { Descriptor.close(open) }
    fd = nil
  }
}
