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
      let code = make(path)
      guard code == ENOENT else { return code }
      let made = makeDirectory(parent(of: path))
      return made == 0 ? make(path) : made
    }
    switch code {
    case 0, EEXIST: return
    case EROFS: throw .readOnly
    case ENOSPC, EDQUOT: throw .full
    case EIO: throw .failed(code: -code)
    default: throw .unavailable
    }
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

  /// Makes the directory of a file (mode 0700), and those above it, if they do not exist.
  package static func createDirectory(of path: String) -> Bool { makeDirectory(parent(of: path)) == 0 }

  /// Refuses a file that everyone may write, or in a folder that everyone may write: they could make accounts, put another file in its place, or make a log
  /// or a journal beside it, from which SQLite would take all accounts. So could the owner of a folder, who is trusted only where the file is the owner's as
  /// well. So it is where the file really is, if the path is a link.
  static func requireUnexposed(_ path: String) throws(AccountStoreError) {
    guard let file = status(of: path), file.st_mode & S_IFMT == S_IFREG, let real = realPath(path) else {
      throw .unavailable
    }
    if file.st_mode & S_IWOTH != 0 { throw .exposed }
    for path in [path, real] {
      guard let folder = realPath(parent(of: path)) else { throw .unavailable }
      try requireUnexposed(folder: folder)
      try requireOwn(folder: folder, fileOwner: file.st_uid)
    }
  }

  /// Refuses a folder that belongs, or is in one that belongs, to somebody else than this user, root and the owner of the file, who may write that anyway: root
  /// administers the accounts of a service that runs under another user.
  private static func requireOwn(folder path: String, fileOwner: uid_t) throws(AccountStoreError) {
    var known: Set<uid_t> = [geteuid(), 0, fileOwner]
    var path = path
    while true {
      guard let folder = status(of: path) else { throw .unavailable }
      guard known.contains(folder.st_uid) else { throw .foreignFolder }
      if path == "/" { return }
      path = parent(of: path)
      // As this user a namespace shows all owners that it does not know, among them the system's root, to whom the outermost folders belong.
      known.insert(65_534)
    }
  }

  /// Refuses a folder in which others can put a new file in the place of one that was just made there.
  static func requireSteady(folderOf path: String) throws(AccountStoreError) {
    guard let folder = realPath(parent(of: path)) else { throw .unavailable }
    try requireUnexposed(folder: folder, takesSticky: true)
  }

  /// Refuses a folder that everyone may write, or that others can put another in the place of.
  ///
  /// - Parameters:
  ///   - path: without links.
  ///   - takesSticky: whether everyone may write it where only the owner of what is in it can move that.
  private static func requireUnexposed(folder path: String, takesSticky: Bool = false) throws(AccountStoreError) {
    guard var inner = status(of: path) else { throw .unavailable }
    if inner.st_mode & S_IWOTH != 0, !takesSticky || inner.st_mode & S_ISVTX == 0 { throw .exposed }
    var path = path
    while path != "/" {
      path = parent(of: path)
      guard let outer = status(of: path) else { throw .unavailable }
      // In a folder with this bit only the owner of what is in it can move it.
      let isMovable = outer.st_mode & S_ISVTX == 0 || (inner.st_uid != geteuid() && inner.st_uid != 0)
      if outer.st_mode & S_IWOTH != 0, isMovable { throw .exposed }
      inner = outer
    }
  }

  /// Whether somebody else than this user and root owns a file in a folder that everyone may write, and may have made it to wait for who uses it.
  static func isForeign(owner: uid_t, at path: String) -> Bool {
    guard owner != geteuid(), owner != 0 else { return false }
    return status(of: parent(of: path)).map { $0.st_mode & S_IWOTH != 0 } ?? true
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

  /// Returns 0 or `errno`.
  private static func make(_ path: String) -> Int32 {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return errno }
    close(descriptor)
    return synchronise(directory: parent(of: path))
  }

  /// Returns 0 or `errno`.
  private static func makeDirectory(_ path: String) -> Int32 {
    if mkdir(path, 0o700) == 0 { return synchronise(directory: parent(of: path)) }
    if errno == EEXIST { return 0 }
    guard errno == ENOENT else { return errno }
    let parent = parent(of: path)
    guard parent != path else { return ENOENT }
    let made = makeDirectory(parent)
    guard made == 0 else { return made }
    if mkdir(path, 0o700) == 0 { return synchronise(directory: parent) }
    return errno == EEXIST ? 0 : errno
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
