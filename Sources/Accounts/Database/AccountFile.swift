import Glibc
import Synchronization
import System

/// Creates the accounts file before SQLite opens it, with a mode that never lets other users read
/// it, not even briefly.
package enum AccountFile {
  /// Serialises creation. Closing a descriptor releases every lock that this process holds on its
  /// file, so no other thread may open the file between its creation and the close in `create`.
  private static let creation = Mutex<Void>(())

  /// Creates the file (mode 0600) and its parent directories (mode 0700) if they do not exist.
  ///
  /// - Parameter allowsSharedFolder: Whether other users may create files in the directory, as long
  ///   as they cannot replace this one (sticky bit).
  static func create(_ path: String, allowsSharedFolder: Bool = false) throws(AccountStoreError) {
    let trust: SafePath.Trust = allowsSharedFolder ? [.folderOwner, .madeFolders] : [.owner, .ownFolder, .madeFolders]
    let problem = creation.withLock { _ -> PathProblem? in
      do throws(PathProblem) {
        close(try SafePath.open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, trusting: trust))
        return nil
      } catch {
        return error
      }
    }
    switch problem?.number {
    case nil: if let problem { throw .untrusted(problem) }
    case EEXIST?: return
    case EROFS?: throw .readOnly
    case ENOSPC?, EDQUOT?: throw .full
    case EIO?: throw .failed(code: -EIO)
    default: throw .unavailable
    }
    let code = synchronise(directory: parent(of: path))
    guard code == 0 else { throw code == EIO ? .failed(code: -code) : .unavailable }
  }

  /// Gives a complete file its final path by a hard link. Nothing may exist at that path. When this
  /// returns, the file and its new name are on disk.
  static func link(_ draft: String, to path: String) throws(AccountStoreError) {
    let descriptor = open(draft, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw .unavailable }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .failed(code: -errno) }
    guard Glibc.link(draft, path) == 0 else { throw .unavailable }
    let code = synchronise(directory: parent(of: path))
    guard code == 0 else { throw .failed(code: -code) }
  }

  /// Creates the parent directories of a file (mode 0700) if they do not exist. Returns false if
  /// that is not possible.
  @discardableResult
  package static func createDirectory(of path: String) -> Bool {
    do throws(PathProblem) {
      _ = try SafePath.folder(of: path, trusting: [.owner, .madeFolders])
      return true
    } catch {
      return false
    }
  }

  /// Checks the file at `path` and ignores the result. The check reads the members of groups and
  /// caches the verdicts for later checks, when this process may no longer read /etc/group.
  package static func look(at path: String) { _ = try? requireTrusted(path) }

  /// Refuses a file that other users can write, or whose directory others can write: they could
  /// create accounts, replace the file, or place next to it a log or journal, which SQLite would
  /// apply. Also refuses a path if a directory or symbolic link on it belongs to another user, who
  /// could do the same.
  ///
  /// The owner of the file is trusted, because the owner can write it anyway. This lets root
  /// administer the accounts of a service that runs as another user.
  static func requireTrusted(_ path: String) throws(AccountStoreError) {
    let descriptor: Int32
    do throws(PathProblem) {
      descriptor = try SafePath.look(at: path, trusting: [.owner, .ownFolder, .checkedFile])
    } catch {
      throw error.number == nil ? .untrusted(error) : .unavailable
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw .unavailable }
  }

  /// Whether every user of the system can read the file. The file contains password hashes, so a
  /// user who can read it can guess passwords offline.
  package static func isReadableByEveryone(_ path: String) -> Bool {
    status(of: path).map { $0.st_mode & S_IROTH != 0 } ?? false
  }

  private static func status(of path: String) -> stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
  }

  /// Removes an accounts file and the files that SQLite keeps next to it.
  static func remove(_ path: String) {
    for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
  }

  /// Whether anything exists at the path, readable or not.
  package static func isThere(_ path: String) -> Bool {
    access(path, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR)
  }

  /// Syncs a directory to disk; otherwise a crash could lose a new name in it. Returns 0 or
  /// `errno`.
  package static func synchronise(directory: String) -> Int32 {
    let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    // The right to create files in a directory does not imply the right to read it.
    guard descriptor >= 0 else { return errno == EACCES ? 0 : errno }
    defer { close(descriptor) }
    // Some file systems cannot sync a directory and return EINVAL.
    return fsync(descriptor) == 0 || errno == EINVAL ? 0 : errno
  }

  /// The directory part of a path.
  package static func parent(of path: String) -> String {
    let bytes = Array(path.utf8)
    var end = bytes.count
    while end > 1, bytes[end - 1] == UInt8(ascii: "/") { end -= 1 }
    guard let slash = bytes[..<end].lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == 0 ? "/" : String(decoding: bytes[..<slash], as: UTF8.self)
  }
}
