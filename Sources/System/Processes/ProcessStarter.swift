import CSystem
import Glibc
import Synchronization

/// A process that starts others for this one, which may then give up the right to do so (`Fence`).
///
/// Everything that a fenced process starts is fenced as well, and setuid programs, such as those
/// that check the system's passwords or queue mails, would have no extra rights. So the starter is
/// forked before the fence, and is not fenced. The starter runs only the commands that it was given
/// when it was forked: an attacker who controls this process cannot make it run anything else. The
/// started processes are children of this process.
public final class ProcessStarter: Sendable {
  /// A command that can be started.
  public struct Command: Sendable {
    let words: [String]
    let executable: String?
    let environment: [String: String]
    let takesArgument: Bool

    /// Defines a command.
    ///
    /// - Parameters:
    ///   - words: the first is the program's name, which is looked up in `PATH` at each start
    ///     unless it contains a slash.
    ///   - executable: the file to run instead of that program; the starter opens it once and keeps
    ///     it open.
    ///   - environment: variables to set in addition to those of this process.
    ///   - takesArgument: whether each start appends another word.
    public init(
      _ words: [String], executable: String? = nil, environment: [String: String] = [:], takesArgument: Bool = false
    ) {
      self.words = words
      self.executable = executable
      self.environment = environment
      self.takesArgument = takesArgument
    }
  }

  /// The name of a starter's process in process lists.
  public static let name = "login-starter"
  /// The longest argument, in bytes.
  private static var maximumArgument: Int { 4_096 }

  private let commands: [Command]
  private let processID: Int32
  /// The socket to the starter. The lock lets only one thread at a time use it.
  private let socket: Mutex<Int32>

  /// Forks the starter. Call it while there are no other threads. Processes that the starter starts
  /// are killed when the calling thread ends.
  public init(_ commands: [Command]) throws(SystemError) {
    var (socket, pid): (Int32, Int32) = (-1, -1)
    switch csystem_starter_begin(ProcessStarter.name, &socket, &pid) {
    case 0: ProcessStarter.serve(socket, commands)
    case 1:
      self.commands = commands
      processID = pid
      self.socket = Mutex(socket)
    default: throw .last("fork")
    }
  }

  deinit { end() }

  /// Ends the starter. Processes that it has started keep running.
  public func end() {
    socket.withLock { socket in
      guard socket >= 0 else { return }
      Descriptor.close(socket)
      socket = -1
      kill(processID, SIGKILL)
      var status: Int32 = 0
      while waitpid(processID, &status, 0) < 0, errno == EINTR {}
    }
  }

  /// Whether the starter's process has ended unexpectedly: nothing can be started any more, and no
  /// new starter can be forked. Check it whenever `ChildProcess.exitSignal` arrives, and once
  /// before the first of these signals.
  public var isLost: Bool {
    socket.withLock { socket in
      var information = siginfo_t()
      return socket >= 0 && waitid(P_PID, id_t(processID), &information, WEXITED | WNOHANG | WNOWAIT) == 0
        && information.si_signo == SIGCHLD
    }
  }

  /// The name of a command's program.
  func name(of command: Int) -> String { commands.indices.contains(command) ? commands[command].words.first ?? "" : "" }

  /// Starts a command with three descriptors as its standard streams. Returns the number of its
  /// process.
  func start(_ command: Int, argument: String?, _ descriptors: [Int32]) throws(SystemError) -> Int32 {
    if argument?.utf8.contains(0) == true { throw SystemError(call: "exec", number: EINVAL) }
    var pid: Int32 = -1
    let failure = socket.withLock { csystem_starter_ask($0, UInt32(command), argument, descriptors, &pid) }
    guard failure == 0 else { throw SystemError(call: "exec \(name(of: command))", number: failure) }
    return pid
  }

  // MARK: In the starter

  private static func serve(_ socket: Int32, _ commands: [Command]) -> Never {
    var argument = [CChar](repeating: 0, count: maximumArgument + 1)
    let programs = commands.map { $0.executable.map { ProgramFile($0) } }
    while true {
      var (command, descriptors): (UInt32, [Int32]) = (0, [-1, -1, -1])
      let kind = csystem_starter_next(socket, &command, &argument, argument.count, &descriptors)
      guard kind > 0 else { _exit(0) }
      var (pid, failure): (Int32, Int32) = (-1, EINVAL)
      let index = Int(command)
      if commands.indices.contains(index), commands[index].takesArgument == (kind == 2) {
        let last =
          kind == 2 ? [argument.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }] : []
        failure = run(commands[index], programs[index], last, descriptors, &pid)
      }
      for descriptor in descriptors { Descriptor.close(descriptor) }
      guard csystem_starter_answer(socket, pid, failure) == 0 else { _exit(0) }
    }
  }

  /// Makes the starter run a command. Returns 0, or the errno of the failure.
  private static func run(
    _ command: Command, _ program: ProgramFile?, _ last: [String], _ descriptors: [Int32], _ pid: inout Int32
  ) -> Int32 {
    var child: Int32 = -1
    defer { pid = child }
    do throws(SystemError) {
      let words = command.words + last
      let path = if let program { program.path } else { try ExecutablePath.find(words.first ?? "") }
      return try ArgumentVector.with(words) { argv throws(SystemError) in
        try ArgumentVector.with(ArgumentVector.environment(adding: command.environment)) { envp throws(SystemError) in
          csystem_spawn_sibling(path, program?.descriptor ?? -1, argv, envp, descriptors, &child)
        }
      }
    } catch {
      return error.number
    }
  }
}
