import Glibc
import Synchronization

extension AccountFile {
  /// Descriptors that are never closed, because closing one releases every lock that this process
  /// holds on its file.
  private static let kept = Mutex<[Int32]>([])

  /// Refuses a file whose write-ahead log was removed while another program has it open. SQLite
  /// would start a new log, and everything that either program writes from then on would be lost.
  ///
  /// While a program has the file open, it holds a lock on the file, and the log exists. A program
  /// that is just opening or closing the file briefly holds the lock while there is no log, so this
  /// function waits for the log for up to `timeoutMs`.
  static func requireLog(of path: String, timeoutMs: Int32) throws(AccountStoreError) {
    guard let file = realPath(path) else { throw .unavailable }
    let pauseMs: Int32 = 10
    var left = timeoutMs
    var descriptor: Int32 = -1
    while access(file + "-wal", F_OK) != 0, errno == ENOENT {
      if descriptor < 0 { descriptor = keptDescriptor(of: file) }
      guard descriptor >= 0, hasLog(descriptor), isLocked(descriptor) else { return }
      guard left > 0 else { throw .moved }
      left -= pauseMs
      usleep(UInt32(pauseMs) * 1_000)
    }
  }

  /// Whether the file uses a write-ahead log (sqlite.org/fileformat2.html, section 1.3.3).
  private static func hasLog(_ descriptor: Int32) -> Bool {
    var version: UInt8 = 0
    return pread(descriptor, &version, 1, 18) == 1 && version == 2
  }

  /// Whether another process has locked SQLite's range of shared locks (`SHARED_FIRST` and
  /// `SHARED_SIZE` in SQLite's os.h).
  private static func isLocked(_ descriptor: Int32) -> Bool {
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = 0x4000_0002
    lock.l_len = 510
    return fcntl(descriptor, F_GETLK, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
  }

  private static func keptDescriptor(of file: String) -> Int32 {
    kept.withLock { kept in
      if let identity = FileIdentity(path: file),
        let known = kept.first(where: { FileIdentity(descriptor: $0) == identity })
      {
        return known
      }
      var status = stat()
      // A newly created file has no log yet.
      guard stat(file, &status) == 0, status.st_size > 0 else { return -1 }
      let descriptor = open(file, O_RDWR | O_CLOEXEC)
      if descriptor >= 0 { kept.append(descriptor) }
      return descriptor
    }
  }

  static func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
