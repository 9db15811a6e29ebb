import CSystem
import Glibc
import System

/// The programs that are measured, and functions that start them.
struct Programs {
  let processors: Processors
  /// The path of this program, which also acts as the authenticator.
  let itself: String
  let engine: String
  /// The path of a C program that does nothing, for comparison.
  let empty: String

  init() throws(Failure) {
    processors = Processors()
    itself = ExecutablePath.current()
    let folder = itself[..<(itself.lastIndex(of: "/") ?? itself.startIndex)]
    engine = "\(folder)/login-engine"
    empty = "\(folder)/empty-program"
    for program in [engine, empty] where access(program, X_OK) != 0 {
      throw Failure("there is no \(program); build it first: swift build -c release")
    }
  }

  /// Starts a program on the processor that is reserved for measured programs.
  func start(_ arguments: [String], executable: String? = nil) throws(Failure) -> ChildProcess {
    do {
      let child = try ChildProcess(arguments, executable: executable)
      processors.place(child.processID, on: processors.tested)
      return child
    } catch { throw Failure("\(error)") }
  }

  func startEngine(_ options: [String] = []) throws(Failure) -> ChildProcess {
    try start(["login-engine"] + options, executable: engine)
  }

  /// Makes reads and writes on a program's pipes block, for measurements in which nothing else
  /// happens.
  static func makeBlocking(_ child: ChildProcess) {
    for descriptor in [child.input, child.output] {
      guard let descriptor else { continue }
      let flags = csystem_status_flags(descriptor)
      if flags >= 0 { _ = csystem_set_status_flags(descriptor, flags & ~O_NONBLOCK) }
    }
  }

  /// Ends the engine's input and waits until it exits with status 0.
  static func finish(_ child: ChildProcess) throws(Failure) {
    child.closeInput()
    let limit = Clock.now() + 60_000_000_000
    while Clock.now() < limit {
      if let status = child.reap() {
        guard status == .exited(0) else { throw Failure("the engine ended with \(status)") }
        return
      }
      usleep(500)
    }
    throw Failure("the engine did not end after its input")
  }
}
