import CSystem
import Glibc

/// The program's calls to the system. They need only the C library, so that the program can be a
/// single file.
enum System {
  /// The command line arguments after the program's name.
  static var arguments: [String] {
    (0..<csystem_argument_count()).dropFirst().compactMap { csystem_argument($0).map { String(cString: $0) } }
  }

  /// The value of an environment variable; `nil` if the variable is unset or empty.
  static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Closes all descriptors except the standard streams and `kept`, and prevents child processes
  /// from inheriting `kept`. If a standard stream is closed, opens /dev/null in its place, so that
  /// no pipe gets its number.
  ///
  /// - Returns: the number that the descriptor `kept` has afterwards.
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

  /// The folder that contains this program's file, with symbolic links resolved; `nil` if unknown.
  static var folder: String? {
    guard let path = realpath("/proc/self/exe", nil) ?? csystem_started_path().flatMap({ realpath($0, nil) }) else {
      return nil
    }
    defer { free(path) }
    return String(cString: path).lastIndex(of: "/").map { String(String(cString: path)[..<$0]) }
  }

  /// The time of a monotonic clock, in milliseconds.
  static var steadyTime: Int { time(CLOCK_MONOTONIC) }

  /// The time in milliseconds since 1970 by this computer's clock, which may be wrong.
  static var wallTime: Int { time(CLOCK_REALTIME) }

  private static func time(_ clock: clockid_t) -> Int {
    var now = timespec()
    clock_gettime(clock, &now)
    return now.tv_sec * 1_000 + now.tv_nsec / 1_000_000
  }

  /// The text of a system error.
  static func errorText(_ number: Int32 = errno) -> String { String(cString: strerror(number)) }
}
