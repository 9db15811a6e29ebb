import Glibc
import Synchronization
import System

/// Makes the file that SQLite then opens, so that others can never read it, not even for a moment.
package enum AccountFile {
  /// Closing a descriptor drops every lock that this process holds on its file, so no other thread may open the file
  /// between its creation and the close here.
  private static let creation = Mutex<Void>(())

  /// Makes the file (mode 0600) and its parent directories (mode 0700) if they do not exist.
  ///
  /// - Parameter allowsSharedFolder: whether others may make files in its folder, as long as they cannot take this one away (the sticky bit).
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

  /// Gives a file that is complete its name, which nothing may have. When this returns, both are on disk.
  static func link(_ draft: String, to path: String) throws(AccountStoreError) {
    let descriptor = open(draft, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw .unavailable }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .failed(code: -errno) }
    guard Glibc.link(draft, path) == 0 else { throw .unavailable }
    let code = synchronise(directory: parent(of: path))
    guard code == 0 else { throw .failed(code: -code) }
  }

  /// Makes the directory of a file (mode 0700), and those above it, if they do not exist. Returns false if that is not possible.
  @discardableResult
  package static func createDirectory(of path: String) -> Bool {
    do throws(PathProblem) {
      _ = try SafePath.folder(of: path, trusting: [.owner, .madeFolders])
      return true
    } catch {
      return false
    }
  }

  /// Looks at a file and at all that leads there, so that what has to be known of the groups of this machine is known.
  package static func look(at path: String) { _ = try? requireTrusted(path) }

  /// Refuses a file that others may write, or in a folder that others may write: they could make accounts, put another file in its place, or make a log
  /// or a journal beside it, from which SQLite would take all accounts. So could whoever owns a folder or a link on the way. The owner of the file is trusted,
  /// who may write that anyway: root administers the accounts of a service that runs under another user.
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

  /// Whether everyone may read the file, and so try passwords on the hashes in it.
  package static func isReadableByEveryone(_ path: String) -> Bool {
    status(of: path).map { $0.st_mode & S_IROTH != 0 } ?? false
  }

  private static func status(of path: String) -> stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
  }

  /// Takes away a file that was made and could not be filled.
  static func remove(_ path: String) {
    for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
  }

  /// Whether anything exists at the path, readable or not.
  package static func isThere(_ path: String) -> Bool {
    access(path, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR)
  }

  /// Writes the directory to disk, without which a new name in it may be lost in a crash. Returns 0 or `errno`.
  package static func synchronise(directory: String) -> Int32 {
    let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    // Who may make files there need not have the right to read it.
    guard descriptor >= 0 else { return errno == EACCES ? 0 : errno }
    defer { close(descriptor) }
    // Some file systems cannot write a directory by itself, and say so.
    return fsync(descriptor) == 0 || errno == EINVAL ? 0 : errno
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
