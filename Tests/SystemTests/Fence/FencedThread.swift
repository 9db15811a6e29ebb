import Glibc
import System
import Testing

/// Starts a thread, applies a fence to it, and runs attempts on that thread.
enum FencedThread {
  /// The result of each attempt, 0 or an errno, keyed by the attempt's name.
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

  /// - Parameter tries: the attempts. Each returns 0 or a positive number on success, and -1 with
  ///   errno on failure.
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

/// Attempts to do something that a fence may deny.
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

  /// Opens a file with a mode even if none is created, by a direct system call: the C library
  /// passes the mode on only if a file is created.
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

  /// Looks up the addresses of a host.
  static func addresses(of host: String) -> @Sendable () -> Int32 {
    {
      var addresses: UnsafeMutablePointer<addrinfo>?
      guard getaddrinfo(host, "5432", nil, &addresses) == 0 else { return -1 }
      freeaddrinfo(addresses)
      return 0
    }
  }

  /// Makes a request to a device or a socket, with room for the result.
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

  /// Reads the memory limit of a process; 0 stands for this process.
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

  /// Executes a program that does not exist, so that nothing happens if executing is allowed.
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
