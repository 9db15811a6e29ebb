import Glibc
import LoginProtocol
import System

/// The file of a recording, a trace or an audit log, readable only by the user who runs the engine.
struct ObservationFile: ~Copyable {
  /// The descriptor of the file; -1 once the file is closed.
  private var descriptor: Int32
  private let path: String
  private let log: RecordingLog
  /// Whether `init` created the file.
  private let isNew: Bool
  /// Whether something could not be written, so that the file is incomplete.
  private(set) var hasFailed = false
  /// The treatment of existing content.
  private let existing: Existing
  /// Whether written bytes can be overwritten: in a regular file, not in a pipe.
  let canOverwrite: Bool
  /// Bytes that are not written yet, because the pipe has no room for them.
  private var waiting: ArraySlice<UInt8> = []

  /// The treatment of existing content.
  enum Existing {
    /// A file that is not empty is refused.
    case refused
    case replaced
    /// Existing content is kept, and lines are appended to it.
    case kept
  }

  /// The maximum number of bytes that are kept in memory while a pipe has no room for them.
  private static var maximumWaitingBytes: Int { 16 << 20 }
  /// How long `drain` waits for the reader of a pipe, in milliseconds.
  private static var finishTimeout: Int { 1000 }

  /// Opens or creates the file. Its content does not change before `begin`.
  ///
  /// - Parameters:
  ///   - option: the option that names the file, for error messages.
  ///   - existing: the treatment of existing content.
  ///   - spared: files that are refused, even if the path leads to them by a symbolic or hard link.
  init(
    _ path: String, option: String, existing: Existing, sparing spared: [ProtectedFile], log: @escaping RecordingLog
  ) throws(ObservationProblem) {
    let (descriptor, isNew) = try ObservationFile.open(path, option, existing)
    var status = stat()
    let isKnown = fstat(descriptor, &status) == 0
    if isKnown, let problem = ObservationFile.problem(status, option, existing, sparing: spared) {
      Descriptor.close(descriptor)
      if isNew { ObservationFile.remove(path) }
      throw ObservationProblem(description: "\(option): \(path) \(problem)")
    }
    canOverwrite = isKnown && status.st_mode & S_IFMT == S_IFREG
    self.descriptor = descriptor
    self.path = path
    self.log = log
    self.isNew = isNew
    self.existing = existing
  }

  deinit { if descriptor >= 0 { Descriptor.close(descriptor) } }

  private static func open(
    _ path: String, _ option: String, _ existing: Existing
  ) throws(ObservationProblem) -> (Int32, isNew: Bool) {
    // A file that is appended to may belong to another user.
    let (flags, trust) = (O_WRONLY | (existing == .kept ? O_APPEND : 0), existing == .kept ? SafePath.Trust.owner : [])
    do throws(PathProblem) {
      do throws(PathProblem) {
        return (try SafePath.open(path, flags, trusting: trust), isNew: false)
      } catch {
        guard error.number == ENOENT else { throw error }
        return (try SafePath.open(path, flags | O_CREAT, trusting: trust), isNew: true)
      }
    } catch {
      throw ObservationProblem(description: "\(option): \(error)")
    }
  }

  /// The reason why a file must not be written although it can be opened; `nil` if it may be
  /// written.
  private static func problem(
    _ status: stat, _ option: String, _ existing: Existing, sparing spared: [ProtectedFile]
  ) -> String? {
    if let file = spared.first(where: { $0.isSame(as: status) }) {
      return "is \(file.use), which would be lost; give \(option) a file of its own"
    }
    guard existing != .kept, status.st_mode & S_IFMT == S_IFREG else { return nil }
    if status.st_uid != geteuid() { return "is another user's, who could read it; give \(option) a file of its own" }
    guard existing == .refused, status.st_size > 0 else { return nil }
    return "is there already; give --overwrite to replace what is in it, or give \(option) a file of its own"
  }

  /// Removes a file that was created only to find out whether the path can be written.
  private static func remove(_ path: String) {
    // The path may be an older symbolic link, whose target was created when the file was opened.
    guard let real = realpath(path, nil) else { return }
    unlink(real)
    free(real)
  }

  /// Removes the file if `init` created it, so that nothing remains. Must not be called after
  /// `begin`.
  consuming func discard() { remove() }

  /// Removes the file if `init` created it.
  func remove() { if isNew { ObservationFile.remove(path) } }

  /// Empties the file, unless its content is kept.
  mutating func begin() {
    guard canOverwrite else {
      // A slow reader of a pipe must not block the engine.
      Descriptor.enlargePipe(descriptor)
      try? Descriptor.setNonblocking(descriptor)
      return
    }
    if existing == .kept { return }
    if ftruncate(descriptor, 0) != 0 { fail("ftruncate") }
    // Opening did not change the mode of an existing file.
    fchmod(descriptor, S_IRUSR | S_IWUSR)
  }

  /// Appends bytes. After an error, one message is logged and nothing more is written; the engine
  /// continues.
  mutating func append(_ bytes: [UInt8]) {
    guard !hasFailed else { return }
    if waiting.isEmpty {
      waiting = bytes[...]
    } else {
      waiting += bytes
    }
    writeWaiting()
    if waiting.count > ObservationFile.maximumWaitingBytes { fail(because: "it is read too slowly") }
  }

  /// Waits up to `finishTimeout` until a pipe has taken the buffered bytes.
  mutating func drain() {
    var rounds = ObservationFile.finishTimeout / 10
    while !waiting.isEmpty, rounds > 0 {
      var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      _ = poll(&request, 1, 10)
      writeWaiting()
      rounds -= 1
    }
    if !waiting.isEmpty { fail(because: "it is read too slowly") }
  }

  /// Closes the file. Some file systems report a full disk only when a file is closed.
  mutating func close() {
    guard descriptor >= 0 else { return }
    let status = Glibc.close(descriptor)
    descriptor = -1
    if status != 0, errno != EINTR { fail("close") }
  }

  /// Stops writing if this file is one of `files`, which belong to an authenticator.
  mutating func spare(_ files: [ProtectedFile]) {
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0, let file = files.first(where: { $0.isSame(as: status) })
    else { return }
    fail(because: "it is \(file.use)")
  }

  /// Overwrites bytes at an offset in the file. Call only if `canOverwrite`.
  mutating func overwrite(_ bytes: [UInt8], at offset: Int) {
    guard !hasFailed else { return }
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, offset + written) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return fail("pwrite") }
      written += count
    }
  }

  private mutating func writeWaiting() {
    while !waiting.isEmpty {
      let count = waiting.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        waiting = waiting.dropFirst(count)
      } else if errno == EAGAIN {
        return
      } else if errno != EINTR {
        return fail("write")
      }
    }
    waiting = []
  }

  /// Records the failure of the last system call.
  private mutating func fail(_ call: String) { fail(because: SystemError(call: call, number: errno).reason) }

  private mutating func fail(because reason: String) {
    waiting = []
    guard !hasFailed else { return }
    hasFailed = true
    log(.error, "\(path) cannot be written: \(reason)")
  }
}
