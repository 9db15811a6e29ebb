import Glibc
import Synchronization

/// Makes the file that SQLite then opens, so that others can never read it, not even for a moment.
package enum AccountFile {
  /// Closing a descriptor drops every lock that this process holds on its file, so no other thread may open the file
  /// between its creation and the close here.
  private static let creation = Mutex<Void>(())

  /// Makes the file (mode 0600) and its parent directories (mode 0700) if they do not exist.
  static func create(_ path: String) throws(AccountStoreError) {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw .unavailable }
    let code = creation.withLock { _ -> Int32 in
      var code = make(path)
      if code == ENOENT, makeDirectory(parent(of: path)) { code = make(path) }
      return code
    }
    switch code {
    case 0, EEXIST: return
    case EROFS: throw .readOnly
    default: throw .unavailable
    }
  }

  /// Whether anything exists at the path, readable or not.
  package static func isThere(_ path: String) -> Bool {
    access(path, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR)
  }

  private static func make(_ path: String) -> Int32 {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return errno }
    close(descriptor)
    synchronise(directory: parent(of: path))
    return 0
  }

  private static func makeDirectory(_ path: String) -> Bool {
    if mkdir(path, 0o700) == 0 {
      synchronise(directory: parent(of: path))
      return true
    }
    if errno == EEXIST { return true }
    guard errno == ENOENT else { return false }
    let parent = parent(of: path)
    guard parent != path, makeDirectory(parent) else { return false }
    return mkdir(path, 0o700) == 0 || errno == EEXIST
  }

  /// Writes the directory to disk, without which a new name in it may be lost in a crash.
  private static func synchronise(directory: String) {
    let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  /// The directory that contains the path's last name.
  package static func parent(of path: String) -> String {
    let bytes = Array(path.utf8)
    var end = bytes.count
    while end > 1, bytes[end - 1] == UInt8(ascii: "/") { end -= 1 }
    guard let slash = bytes[..<end].lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == 0 ? "/" : String(decoding: bytes[..<slash], as: UTF8.self)
  }
}
