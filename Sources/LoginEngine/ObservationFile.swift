import EventLoop
import Glibc

/// A file that a recording or a trace is written to, readable only by who runs the engine.
struct ObservationFile: ~Copyable {
  private let descriptor: Int32
  private let path: String
  private let log: Log
  private(set) var hasFailed = false
  /// Whether what was written can be written over: in a file that has places, not in a pipe.
  let canOverwrite: Bool
  /// What the reader of a pipe has no room for.
  private var waiting: ArraySlice<UInt8> = []

  /// Makes the file, or empties it.
  init(_ path: String, _ log: Log) throws(SystemError) {
    var descriptor: Int32
    repeat {
      descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR)
    } while descriptor < 0 && errno == EINTR
    guard descriptor >= 0 else { throw SystemError(call: path, number: errno) }
    // A file that was there keeps its mode otherwise.
    var status = stat()
    canOverwrite = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    if canOverwrite {
      fchmod(descriptor, S_IRUSR | S_IWUSR)
    } else {
      // Whoever reads a pipe slowly must not keep the engine.
      Descriptor.enlargePipe(descriptor)
      try? Descriptor.setNonblocking(descriptor)
    }
    self.descriptor = descriptor
    self.path = path
    self.log = log
  }

  deinit { Descriptor.close(descriptor) }

  /// Appends bytes. If that is not possible, it is said once and nothing more is written: the engine goes on.
  mutating func append(_ bytes: [UInt8]) {
    guard !hasFailed else { return }
    if waiting.isEmpty {
      waiting = bytes[...]
    } else {
      waiting += bytes
    }
    writeWaiting()
    if waiting.count > ObservationFile.mostWaiting { fail("it is read too slowly") }
  }

  /// Waits for a slow reader for a moment, at the end.
  mutating func finish() {
    var rounds = ObservationFile.patience / 10
    while !waiting.isEmpty, rounds > 0 {
      var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      _ = poll(&request, 1, 10)
      writeWaiting()
      rounds -= 1
    }
    if !waiting.isEmpty { fail("it is read too slowly") }
  }

  /// In bytes.
  private static var mostWaiting: Int { 16 << 20 }
  /// In milliseconds.
  private static var patience: Int { 1000 }

  private mutating func writeWaiting() {
    while !waiting.isEmpty {
      let count = waiting.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        waiting = waiting.dropFirst(count)
      } else if errno == EAGAIN {
        return
      } else if errno != EINTR {
        return fail(SystemError(call: "write", number: errno).reason)
      }
    }
    waiting = []
  }

  private mutating func fail(_ reason: String) {
    hasFailed = true
    waiting = []
    log.write(.error, "\(path) cannot be written: \(reason)")
  }

  /// Writes bytes over those at a place. Only where that is possible.
  func overwrite(_ bytes: [UInt8], at offset: Int) {
    _ = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, offset) }
  }
}
