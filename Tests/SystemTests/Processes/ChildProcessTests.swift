import Foundation
import Glibc
import SecretMemory
import System
import TestSupport
import Testing

@Suite("Child processes", .waits)
struct ChildProcessTests {
  private func wait(for child: ChildProcess) -> ChildProcess.ExitStatus? {
    _ = eventually { child.reap() != nil }
    return child.reap()
  }

  private func output(_ arguments: [String], environment: [String: String] = [:]) throws -> String {
    let child = try ChildProcess(arguments, environment: environment)
    child.closeInput()
    return readToEnd(child.output ?? -1)
  }

  @Test("a child process reads what is written to its input, and ends when its input is closed")
  func echo() throws {
    let child = try ChildProcess(["cat"])
    let sent = writeText(child.input ?? -1, "hello")
    #expect(sent == .written(5))
    child.closeInput()
    #expect(readToEnd(child.output ?? -1) == "hello")
    #expect(wait(for: child) == .exited(0))
    #expect(child.reap() == .exited(0))
  }

  @Test("the exit signal of a child wakes the event loop")
  func loop() throws {
    let loop = try EventLoop()
    let child = try ChildProcess(["sh", "-c", "exit 3"])
    var status: ChildProcess.ExitStatus?
    let look = {
      status = child.reap()
      if status != nil { loop.stop() }
    }
    loop.onSignal(SIGCHLD, look)
    // The process may have ended before the handler was installed.
    loop.beforeWait = {
      look()
      return 5_000
    }
    loop.run()
    #expect(status == .exited(3))
  }

  @Test("the exit status of a killed child names the signal")
  func killed() throws {
    let child = try ChildProcess(["sleep", "1000"])
    #expect(child.reap() == nil)
    child.kill(SIGTERM)
    #expect(wait(for: child) == .killed(signal: SIGTERM))
  }

  @Test("a child process is killed and reaped when its last reference is released")
  func dropped() throws {
    var child: ChildProcess? = try ChildProcess(["sleep", "1000"])
    let processID = child?.processID ?? 0
    child = nil
    #expect(kill(processID, 0) == -1 && errno == ESRCH)
  }

  @Test(
    "a program that cannot be started is an error with the reason",
    arguments: [
      (["no-such-program-anywhere"], ENOENT), (["/no/such/file"], ENOENT), (["/etc/passwd"], EACCES),
      (["/etc"], EACCES),
      ([""], ENOENT), ([], EINVAL), (["cat", "a\0b"], EINVAL),
    ])
  func notStarted(arguments: [String], number: Int32) {
    #expect { try ChildProcess(arguments) } throws: { ($0 as? SystemError)?.number == number }
  }

  @Test("the description of a system error has the name of the call and the system's text")
  func described() {
    #expect(SystemError(call: "open", number: ENOENT).description == "open: No such file or directory")
  }

  @Test("a child has only its three standard streams, its own process group and default signal actions")
  func clean() throws {
    Hardening.applySignals()
    let extra = open("/dev/null", O_RDONLY)
    defer { close(extra) }
    let masks = try output(["grep", "-E", "Sig(Blk|Ign)", "/proc/self/status"]).split(separator: "\n")
    #expect(masks.count == 2)
    for mask in masks {
      let bits = try #require(UInt64(mask.suffix(16), radix: 16))
      // Signals 32 and 33 are the C library's own and cannot be changed.
      #expect(bits & ~(3 << 31) == 0, "\(mask)")
    }
    let child = try ChildProcess(["sh", "-c", "echo; exec sleep 1000"])
    #expect(getpgid(child.processID) == child.processID)
    // The shell's output shows that it has closed the descriptors of its loader. The loader of
    // `sleep` may still have some open.
    #expect(isReadable(child.output ?? -1))
    var names: [String] = []
    _ = try eventually {
      names = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(child.processID)/fd").sorted()
      return names == ["0", "1", "2"]
    }
    #expect(names == ["0", "1", "2"])
  }

  @Test("reapGroup kills the processes that a child has left in its process group")
  func leftBehind() throws {
    let child = try ChildProcess(["sh", "-c", "sleep 1000 & echo $!; exit 3"])
    let output = child.output ?? -1
    #expect(isReadable(output))
    var chunk = [UInt8](repeating: 0, count: 100)
    let count = read(output, &chunk, chunk.count)
    let left = try #require(Int32(String(decoding: chunk.prefix(max(0, count)), as: UTF8.self).dropLast()))
    #expect(eventually { child.hasEnded })
    #expect(isRunning(left))
    #expect(child.reapGroup() == .exited(3))
    #expect(eventually { !isRunning(left) })
    #expect(child.hasEnded)
  }

  @Test("a child process's hasEnded is false while the child runs")
  func running() throws {
    let child = try ChildProcess(["sleep", "1000"])
    #expect(!child.hasEnded)
    #expect(child.reapGroup() == nil)
  }

  @Test("variables that are given to a child process replace inherited ones of the same name, and others are added")
  func environment() throws {
    #expect(
      try output(["sh", "-c", "echo $LOGIN_TEST; env | grep -c ^PATH="], environment: ["LOGIN_TEST": "a=b"])
        == "a=b\n1\n")
    #expect(try output(["/bin/sh", "-c", "echo $PATH"], environment: ["PATH": "/x"]) == "/x\n")
  }

  @Test("a child's standard error can be read if it is piped")
  func standardError() throws {
    let child = try ChildProcess(["sh", "-c", "echo out; echo err >&2"], standardError: .piped)
    #expect(readToEnd(child.output ?? -1) == "out\n")
    #expect(readToEnd(child.error ?? -1) == "err\n")
  }

  @Test("a child process runs the executable that is given, whatever name its first argument has")
  func executable() throws {
    #expect(ExecutablePath.current().hasPrefix("/"))
    #expect(ProcessArguments.all == CommandLine.arguments)
    // This link does not exist, as if there were no /proc.
    #expect(ExecutablePath.isExecutable(ExecutablePath.current(link: "/nothing/here")))
    let child = try ChildProcess(["another name", "-c", "echo $0"], executable: "/bin/sh")
    #expect(readToEnd(child.output ?? -1) == "another name\n")
  }

  @Test("a child process dies with its parent, even if the parent is killed")
  func diesWithParent() async throws {
    let result = await #expect(processExitsWith: .signal(SIGKILL), observing: [\.standardOutputContent]) {
      let child = try ChildProcess(["sleep", "1000"])
      print("child", child.processID, "end")
      fflush(nil)
      kill(getpid(), SIGKILL)
      withExtendedLifetime(child) {}
    }
    let words = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self).split(
      whereSeparator: \.isWhitespace)
    let index = try #require(words.firstIndex(of: "child"))
    let processID = try #require(Int32(words[index + 1]))
    #expect(eventually { !isRunning(processID) })
  }

  /// Whether a process runs. A zombie does not count as running, because the process that adopted
  /// it may never reap it.
  private func isRunning(_ processID: Int32) -> Bool {
    let file = open("/proc/\(processID)/stat", O_RDONLY)
    guard file >= 0 else { return false }
    defer { close(file) }
    let text = readToEnd(file)
    return !text.contains(") Z ") && !text.contains(") X ") && !text.isEmpty
  }
}
