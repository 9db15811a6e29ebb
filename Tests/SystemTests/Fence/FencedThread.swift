import Glibc
import System
import Testing

/// Applies a fence to a thread of its own, which is all that it then holds for, and tries what that thread can still do.
enum FencedThread {
  /// What became of the tries, by their names: 0 or an errno.
  typealias Outcomes = [String: Int32]

  private final class Work {
    let fence: Fence
    let tries: [(String, () -> Int32)]
    var outcomes: Outcomes = [:]
    var problems: [String] = []

    init(_ fence: Fence, _ tries: [(String, () -> Int32)]) {
      self.fence = fence
      self.tries = tries
    }
  }

  /// - Parameter tries: each returns 0 or a positive number if it could be done, and -1 with errno if not.
  static func run(_ fence: Fence, _ tries: [(String, () -> Int32)]) -> (outcomes: Outcomes, problems: [String]) {
    let work = Work(fence, tries)
    var thread = pthread_t()
    let failure = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        let work = Unmanaged<Work>.fromOpaque(context).takeUnretainedValue()
        work.problems = work.fence.apply()
        for (name, attempt) in work.tries { work.outcomes[name] = attempt() < 0 ? errno : 0 }
        return nil
      }, Unmanaged.passUnretained(work).toOpaque())
    precondition(failure == 0)
    pthread_join(thread, nil)
    return withExtendedLifetime(work) { (work.outcomes, work.problems) }
  }
}

/// What is tried.
enum Attempt {
  /// Opens a file, and closes it again.
  static func open(_ path: String, _ flags: Int32, mode: mode_t = 0o600) -> @Sendable () -> Int32 {
    {
      let file = Glibc.open(path, flags | O_CLOEXEC, mode)
      guard file >= 0 else { return -1 }
      close(file)
      return 0
    }
  }

  /// The same with the mode that is given, which the C library passes on only where a file is made.
  static func openAsking(_ path: String, _ flags: Int32, mode: mode_t) throws -> @Sendable () -> Int32 {
    typealias Function = @convention(c) (Int, Int, UnsafePointer<CChar>, Int, Int) -> Int
    // Swift does not import it.
    let symbol = try #require(dlsym(nil, "syscall"))
    let syscall = unsafeBitCast(symbol, to: Function.self)
    #if arch(x86_64)
      let openat = 257
    #else
      let openat = 56
    #endif
    return {
      let file = syscall(openat, Int(AT_FDCWD), path, Int(flags | O_CLOEXEC), Int(mode))
      guard file >= 0 else { return -1 }
      close(Int32(file))
      return 0
    }
  }

  static func socket(_ family: Int32) -> @Sendable () -> Int32 {
    {
      let socket = Glibc.socket(family, Int32(SOCK_STREAM.rawValue), 0)
      guard socket >= 0 else { return -1 }
      close(socket)
      return 0
    }
  }

  /// Looks for the addresses of a host.
  static func addresses(of host: String) -> @Sendable () -> Int32 {
    {
      var addresses: UnsafeMutablePointer<addrinfo>?
      guard getaddrinfo(host, "5432", nil, &addresses) == 0 else { return -1 }
      freeaddrinfo(addresses)
      return 0
    }
  }

  /// Asks a device or a socket for something, of which it writes as much as fits.
  static func control(_ descriptor: Int32, _ request: some BinaryInteger) -> @Sendable () -> Int32 {
    let request = UInt(request)
    return {
      withUnsafeTemporaryAllocation(byteCount: 256, alignment: 8) { memory in
        memory.initializeMemory(as: UInt8.self, repeating: 0)
        guard let start = memory.baseAddress else { return -1 }
        return ioctl(descriptor, request, start)
      }
    }
  }

  /// Reads how much memory a process may have; 0 is this one.
  static func limits(of process: pid_t) throws -> @Sendable () -> Int32 {
    typealias Function = @convention(c) (pid_t, Int32, UnsafeRawPointer?, UnsafeMutableRawPointer?) -> Int32
    // Swift does not import it.
    let symbol = try #require(dlsym(nil, "prlimit"))
    let prlimit = unsafeBitCast(symbol, to: Function.self)
    return {
      var limit = rlimit()
      return prlimit(process, Int32(RLIMIT_AS.rawValue), nil, &limit)
    }
  }

  static func memory(_ protection: Int32) -> @Sendable () -> Int32 {
    {
      guard let memory = mmap(nil, 4_096, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), memory != MAP_FAILED else {
        return -1
      }
      munmap(memory, 4_096)
      return 0
    }
  }

  /// Starts another process, which does nothing.
  @Sendable static func process() -> Int32 {
    var child: pid_t = 0
    var words: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
    defer { free(words[0]) }
    errno = posix_spawn(&child, "/bin/true", nil, nil, &words, nil)
    guard errno == 0 else { return -1 }
    waitpid(child, nil, 0)
    return 0
  }

  /// Becomes another program. There is none of that name, so that nothing happens where it is allowed.
  @Sendable static func program() -> Int32 {
    var words: [UnsafeMutablePointer<CChar>?] = [strdup("none"), nil]
    defer { free(words[0]) }
    return execv("/nowhere/none", &words)
  }

  @Sendable static func thread() -> Int32 {
    var thread = pthread_t()
    errno = pthread_create(&thread, nil, { _ in nil }, nil)
    guard errno == 0 else { return -1 }
    pthread_join(thread, nil)
    return 0
  }
}
