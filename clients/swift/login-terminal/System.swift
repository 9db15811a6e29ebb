import CSystem
import Glibc

/// What the program asks of the system it runs on. Nothing here needs more than the C library, so that the program can be one file without any other.
enum System {
  /// The words of the command line behind the program's name.
  static var arguments: [String] {
    (0..<csystem_argument_count()).dropFirst().compactMap { csystem_argument($0).map { String(cString: $0) } }
  }

  /// A variable of the environment; `nil` where it is not set or empty.
  static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Leaves this program standard input, output and error, and one descriptor more that no other program gets. A stream that is closed leads to nothing from
  /// then on, so that no pipe takes its place; what else the program was started with is closed.
  ///
  /// - Returns: the number that the descriptor has now.
  static func dropDescriptors(except kept: Int32?) -> Int32? {
    for stream: Int32 in 0...2 where fcntl(stream, F_GETFD) < 0 { _ = open("/dev/null", O_RDWR) }
    guard let kept, kept > 2 else {
      closefrom(3)
      return kept
    }
    dup2(kept, 3)
    _ = fcntl(3, F_SETFD, FD_CLOEXEC)
    closefrom(4)
    return 3
  }

  /// The folder that this program stands in, its name followed to the file itself; `nil` where the system does not say.
  static var folder: String? {
    guard let path = realpath("/proc/self/exe", nil) ?? csystem_started_path().flatMap({ realpath($0, nil) }) else {
      return nil
    }
    defer { free(path) }
    return String(cString: path).lastIndex(of: "/").map { String(String(cString: path)[..<$0]) }
  }

  /// Milliseconds of a clock that nobody sets: for how long something takes.
  static var steadyTime: Int { time(CLOCK_MONOTONIC) }

  /// Milliseconds since 1970 by the clock of this machine, which may be wrong.
  static var wallTime: Int { time(CLOCK_REALTIME) }

  private static func time(_ clock: clockid_t) -> Int {
    var now = timespec()
    clock_gettime(clock, &now)
    return now.tv_sec * 1_000 + now.tv_nsec / 1_000_000
  }

  /// What the last call failed of, in words.
  static func errorText(_ number: Int32 = errno) -> String { String(cString: strerror(number)) }
}
