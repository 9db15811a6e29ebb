import Glibc
import SecretMemory
import System
import Testing

@Suite("Descriptors shared with other programs")
struct DescriptorTests {
  private func isNonblocking(_ fd: Int32) -> Bool { fcntl(fd, F_GETFL) & O_NONBLOCK != 0 }

  /// `shared` is the shell's descriptor, and `own` is this program's copy of it.
  private func check(shared: Int32) throws {
    let own = dup(shared)
    defer { close(own) }
    let mode = fcntl(shared, F_GETFL) & O_ACCMODE
    try Descriptor.makePrivateNonblocking(own)
    #expect(isNonblocking(own))
    #expect(!isNonblocking(shared))
    #expect(fcntl(own, F_GETFL) & O_ACCMODE == mode)
  }

  @Test("a pipe becomes nonblocking for this process only, and stays the same pipe")
  func pipes() throws {
    let (readEnd, writeEnd) = try Descriptor.pipe()
    defer { [readEnd, writeEnd].forEach(Descriptor.close) }
    try check(shared: readEnd)
    try check(shared: writeEnd)
    let own = dup(readEnd)
    defer { close(own) }
    try Descriptor.makePrivateNonblocking(own)
    var byte: UInt8 = 0
    #expect(read(own, &byte, 1) == -1 && errno == EAGAIN)
    #expect(write(writeEnd, "x", 1) == 1)
    #expect(read(own, &byte, 1) == 1 && byte == UInt8(ascii: "x"))
    Descriptor.enlargePipe(readEnd)
  }

  @Test("a terminal becomes nonblocking for this process only")
  func terminal() throws {
    let controller = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    var isLocked: Int32 = 0
    var number: Int32 = -1
    // TIOCSPTLCK and TIOCGPTN, macros that Swift does not import.
    let isReady = ioctl(controller, 0x4004_5431, &isLocked) == 0 && ioctl(controller, 0x8004_5430, &number) == 0
    let terminal = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    #expect(isReady && terminal >= 0)
    defer { [controller, terminal].forEach(Descriptor.close) }
    try check(shared: terminal)
  }

  @Test("regular files and /dev/null are not made nonblocking", arguments: ["/dev/null", "/proc/self/status"])
  func untouched(path: String) throws {
    let file = open(path, O_RDONLY)
    defer { close(file) }
    try Descriptor.makePrivateNonblocking(file)
    #expect(!isNonblocking(file))
  }

  @Test("a socket shared with the shell is blocking again after this process exits")
  func socket() async {
    await #expect(processExitsWith: .exitCode(42)) {
      var pair: [Int32] = [0, 0]
      guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0 else { exit(1) }
      // The number 100 is always free: a process opens fewer descriptors when it starts.
      guard dup2(pair[0], 100) == 100 else { exit(2) }
      // `exit` calls this handler after the handlers that are registered later.
      atexit { _exit(fcntl(100, F_GETFL) & O_NONBLOCK == 0 ? 42 : 43) }
      try Descriptor.makePrivateNonblocking(pair[0])
      guard fcntl(100, F_GETFL) & O_NONBLOCK != 0 else { exit(3) }
      exit(0)
    }
  }

  @Test("writing to a pipe without a reader reports an error and does not kill the process")
  func closedPipe() async {
    await #expect(processExitsWith: .exitCode(42)) {
      Hardening.applySignals()
      let (readEnd, writeEnd) = try Descriptor.pipe()
      Descriptor.close(readEnd)
      exit(writeText(writeEnd, "x") == .closed ? 42 : 1)
    }
  }

  @Test("writing to a pipe reports how many bytes fitted, and wouldBlock when the pipe is full")
  func fullPipe() throws {
    let pipe = try TestPipe()
    try Descriptor.setNonblocking(pipe.writeEnd)
    let bytes = [UInt8](repeating: 1, count: 3_000_000)
    let first = bytes.withUnsafeBytes { Descriptor.write(pipe.writeEnd, $0) }
    guard case .written(let count) = first else {
      Issue.record("\(first)")
      return
    }
    #expect(count > 0 && count < bytes.count)
    #expect(bytes.withUnsafeBytes { Descriptor.write(pipe.writeEnd, $0) } == .wouldBlock)
  }
}

@Suite("Hardening")
struct HardeningTests {
  @Test("a hardened process leaves no core file and prints nothing when it crashes")
  func crash() async {
    let result = await #expect(processExitsWith: .signal(SIGSEGV), observing: [\.standardErrorContent]) {
      guard Hardening.forbidDumps() else { exit(1) }
      Hardening.applySignals()
      var limit = rlimit(rlim_cur: 1, rlim_max: 1)
      getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
      guard limit.rlim_cur == 0, limit.rlim_max == 0 else { exit(2) }
      kill(getpid(), SIGSEGV)
      while true { pause() }
    }
    let report = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    // A backtrace begins with "*** Signal 11: Backtracing"; the test library itself writes a few
    // bytes here.
    #expect(!report.contains("Backtrac") && report.utf8.count < 100, "\(report)")
  }
}
