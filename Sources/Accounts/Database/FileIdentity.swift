import Glibc

/// The identity of the file that a path leads to: device and inode.
public struct FileIdentity: Equatable, Sendable {
  private let device: UInt
  private let inode: UInt

  /// Nil if the path leads to no file.
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

/// The identities of a database file, its write-ahead log and the log's index. SQLite keeps the log
/// and its index as long as any program has the database open.
package struct DatabaseFiles: Equatable, Sendable {
  let database, log, index: FileIdentity?

  /// - Parameters:
  ///   - path: The path as the operator gave it, which may be a link.
  ///   - name: SQLite's name of the file, without links. The log and the index are next to it.
  init(path: String, name: String) {
    database = FileIdentity(path: path)
    log = FileIdentity(path: name + "-wal")
    index = FileIdentity(path: name + "-shm")
  }

  /// Whether this program can still copy changes from its log to the database although the log's
  /// name was removed. That is safe only if no other log has the name now, because otherwise the
  /// copy would overwrite data of that log in the database and in the index.
  func allowsRescue(of opened: DatabaseFiles) -> Bool {
    log == nil && opened.log != nil && (index == opened.index || index == nil)
  }
}

/// The files that a store has open, and their names.
package struct OpenFiles: Equatable, Sendable {
  let path, name: String
  let files: DatabaseFiles

  /// Whether the names still lead to the files that are open.
  package var areCurrent: Bool { DatabaseFiles(path: path, name: name) == files }
}
