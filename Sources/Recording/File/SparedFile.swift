import Glibc

/// A file that neither a recording nor a trace may be written over.
public struct SparedFile: Equatable, Sendable {
  public let path: String
  /// What the file is for, as it is said to people, e.g. `a flow definition (--flow)`.
  public let use: String

  public init(_ path: String, use: String) {
    self.path = path
    self.use = use
  }

  /// The accounts' file, and the files that SQLite keeps beside it.
  public static func accounts(_ path: String) -> [SparedFile] {
    [SparedFile(path, use: "the accounts' file")]
      + ["-wal", "-shm", "-journal"].map { SparedFile(path + $0, use: "a part of the accounts' file") }
  }

  /// Whether the file is the one with this status, whatever either is called. Devices such as `/dev/null` can be shared.
  func isSame(as other: stat) -> Bool {
    var status = stat()
    guard other.st_mode & S_IFMT != S_IFCHR, stat(path, &status) == 0 else { return false }
    return status.st_dev == other.st_dev && status.st_ino == other.st_ino
  }
}

/// Why a recording or a trace cannot be written.
public struct ObservationProblem: Error, Equatable, Sendable, CustomStringConvertible {
  public let description: String
}
