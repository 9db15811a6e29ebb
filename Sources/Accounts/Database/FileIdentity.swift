import Glibc

/// Which file a name leads to.
public struct FileIdentity: Equatable, Sendable {
  private let device: UInt
  private let inode: UInt

  /// Nil if the name leads nowhere.
  public init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    device = UInt(status.st_dev)
    inode = UInt(status.st_ino)
  }
}

/// What the names of a database and of the files beside it lead to: its write-ahead log and that log's index. SQLite keeps both
/// as long as any program has the database open.
package struct DatabaseFiles: Equatable, Sendable {
  let database, log, index: FileIdentity?

  /// - Parameters:
  ///   - path: as the operator gave it, which may be a link.
  ///   - name: the name that SQLite has for it, without links. The others are beside that.
  init(path: String, name: String) {
    database = FileIdentity(path: path)
    log = FileIdentity(path: name + "-wal")
    index = FileIdentity(path: name + "-shm")
  }

  /// Whether this program can still write from the log, which has lost its name, to the database: as long as there is no other
  /// log, whose places in the database and in the index the lost one's would take.
  func allowsRescue(of opened: DatabaseFiles) -> Bool {
    log == nil && opened.log != nil && (index == opened.index || index == nil)
  }
}

/// The files that a store has open, and their names.
package struct OpenFiles: Equatable, Sendable {
  let path, name: String
  let files: DatabaseFiles

  /// Whether the names still lead there.
  package var areCurrent: Bool { DatabaseFiles(path: path, name: name) == files }
}
