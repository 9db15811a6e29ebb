import Glibc

/// A file that neither a recording nor a trace may be written over.
public struct SparedFile: Equatable, Sendable {
  public let place: Place
  /// What the file is for, as it is said to people, e.g. `a flow definition (--flow)`.
  public let use: String

  /// Where the file is.
  public enum Place: Equatable, Sendable {
    case path(String)
    /// Open already.
    case descriptor(Int32)
  }

  public init(_ path: String, use: String) {
    place = .path(path)
    self.use = use
  }

  /// What is open as standard input and output.
  public static let standardStreams = [
    SparedFile(.descriptor(0), use: "the engine's standard input"),
    SparedFile(.descriptor(1), use: "the engine's standard output"),
  ]

  init(_ place: Place, use: String) {
    self.place = place
    self.use = use
  }

  /// The accounts' file, the files that SQLite keeps beside it, and its key file.
  public static func accounts(_ path: String) -> [SparedFile] {
    [SparedFile(path, use: "the accounts' file")]
      + ["-wal", "-shm", "-journal"].map { SparedFile(path + $0, use: "a part of the accounts' file") }
      + [SparedFile(path + ".key", use: "the accounts' key file")]
  }

  /// Whether the file is the one with this status, whatever either is called. Devices such as `/dev/null` can be shared.
  func isSame(as other: stat) -> Bool {
    var status = stat()
    guard other.st_mode & S_IFMT != S_IFCHR else { return false }
    let isKnown =
      switch place {
      case .path(let path): stat(path, &status) == 0
      case .descriptor(let descriptor): fstat(descriptor, &status) == 0
      }
    guard isKnown else { return false }
    return status.st_dev == other.st_dev && status.st_ino == other.st_ino
  }
}

/// Why a recording or a trace cannot be written.
public struct ObservationProblem: Error, Equatable, Sendable, CustomStringConvertible {
  public let description: String
}
