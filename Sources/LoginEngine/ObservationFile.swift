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
    if canOverwrite { fchmod(descriptor, S_IRUSR | S_IWUSR) }
    self.descriptor = descriptor
    self.path = path
    self.log = log
  }

  deinit { Descriptor.close(descriptor) }

  /// Appends bytes. If that is not possible, it is said once and nothing more is written: the engine goes on.
  mutating func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { append($0) }
  }

  private mutating func append(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes
    while !rest.isEmpty, !hasFailed {
      let count = write(descriptor, rest.baseAddress, rest.count)
      if count >= 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      } else if errno != EINTR {
        hasFailed = true
        log.write(.error, "\(path) cannot be written: \(SystemError(call: "write", number: errno).reason)")
      }
    }
  }

  /// Writes bytes over those at a place. Only where that is possible.
  func overwrite(_ bytes: [UInt8], at offset: Int) {
    _ = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, offset) }
  }
}
