import Glibc
import Synchronization
import System
import Testing

@Suite("Blocking output")
struct BlockingOutputTests {
  /// Reads a pipe on a separate thread, in small pieces with pauses. Closes the pipe at its end or
  /// after `limit` bytes.
  private final class SlowReader: Sendable {
    private let bytes = Mutex<[UInt8]>([])
    private let descriptor: Int32
    private let limit: Int
    nonisolated(unsafe) private var thread = pthread_t()

    init(_ descriptor: Int32, limit: Int = .max) {
      self.descriptor = descriptor
      self.limit = limit
      let context = Unmanaged.passRetained(self)
      pthread_create(
        &thread, nil,
        { context in
          guard let context else { return nil }
          Unmanaged<SlowReader>.fromOpaque(context).takeRetainedValue().readAll()
          return nil
        }, context.toOpaque())
    }

    private func readAll() {
      var piece = [UInt8](repeating: 0, count: 20_000)
      defer { close(descriptor) }
      while bytes.withLock({ $0.count }) < limit {
        usleep(1_000)
        let count = read(descriptor, &piece, piece.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return }
        bytes.withLock { $0.append(contentsOf: piece[..<count]) }
      }
    }

    /// Waits until reading is finished, and returns all bytes that were read.
    func wait() -> [UInt8] {
      pthread_join(thread, nil)
      return bytes.withLock { $0 }
    }
  }

  @Test("a slow reader gets all bytes, whether or not the descriptor is nonblocking", arguments: [false, true])
  func slowReader(isNonblocking: Bool) throws {
    let (readEnd, writeEnd) = try Descriptor.pipe()
    if isNonblocking { try Descriptor.setNonblocking(writeEnd) }
    let text = (0..<40_000).map { "line \($0)\n" }.joined()
    let reader = SlowReader(readEnd)
    #expect(BlockingOutput.write(text, to: writeEnd))
    Descriptor.close(writeEnd)
    #expect(reader.wait() == Array(text.utf8))
  }

  @Test("blocking output writes all bytes even if a signal interrupts its wait for the reader")
  func interrupted() async {
    await #expect(processExitsWith: .exitCode(42)) {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { _ in }
      sigaction(SIGALRM, &action, nil)
      var often = itimerval(
        it_interval: timeval(tv_sec: 0, tv_usec: 500), it_value: timeval(tv_sec: 0, tv_usec: 500))
      setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &often, nil)
      let (readEnd, writeEnd) = try Descriptor.pipe()
      try Descriptor.setNonblocking(writeEnd)
      let bytes = [UInt8](repeating: 0x61, count: 400_000)
      let reader = SlowReader(readEnd)
      guard BlockingOutput.write(bytes, to: writeEnd) else { exit(1) }
      Descriptor.close(writeEnd)
      exit(reader.wait() == bytes ? 42 : 2)
    }
  }

  @Test(
    "blocking output reports that its reader is gone, before the first byte and in the middle", arguments: [0, 30_000])
  func closedReader(after limit: Int) throws {
    signal(SIGPIPE, SIG_IGN)
    let (readEnd, writeEnd) = try Descriptor.pipe()
    defer { Descriptor.close(writeEnd) }
    try Descriptor.setNonblocking(writeEnd)
    let reader = SlowReader(readEnd, limit: limit)
    if limit == 0 { _ = reader.wait() }
    let bytes = [UInt8](repeating: 0x61, count: 400_000)
    let error = bytes.withUnsafeBytes { BlockingOutput.failure(writing: $0, to: writeEnd) }
    #expect(error == SystemError(call: "write", number: EPIPE))
    if limit > 0 { #expect(reader.wait().count >= limit) }
  }

  @Test("blocking output reports a full device and an invalid descriptor")
  func failures() {
    let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
    defer { close(full) }
    let byte: [UInt8] = [0x61]
    func error(_ fd: Int32) -> SystemError? {
      byte.withUnsafeBytes { BlockingOutput.failure(writing: $0, to: fd) }
    }
    #expect(error(full) == SystemError(call: "write", number: ENOSPC))
    #expect(error(-1) == SystemError(call: "write", number: EBADF))
    #expect(!BlockingOutput.write("x", to: full))
    #expect(BlockingOutput.write("", to: full))
  }
}
