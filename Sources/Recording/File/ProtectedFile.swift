import Glibc

/// A file that no recording, trace or audit log may overwrite.
public struct ProtectedFile: Equatable, Sendable {
  public let place: Place
  /// The purpose of the file for error messages, e.g. `a flow definition (--flow)`.
  public let use: String

  /// How the file is identified: by its path or by an open descriptor.
  public enum Place: Equatable, Sendable {
    case path(String)
    /// An open descriptor.
    case descriptor(Int32)
  }

  public init(_ path: String, use: String) {
    place = .path(path)
    self.use = use
  }

  /// Standard input and standard output.
  public static let standardStreams = [
    ProtectedFile(.descriptor(0), use: "the engine's standard input"),
    ProtectedFile(.descriptor(1), use: "the engine's standard output"),
  ]

  init(_ place: Place, use: String) {
    self.place = place
    self.use = use
  }

  /// The accounts' file, the files that SQLite creates next to it, and its key file.
  public static func accounts(_ path: String) -> [ProtectedFile] {
    [ProtectedFile(path, use: "the accounts' file")]
      + ["-wal", "-shm", "-journal"].map { ProtectedFile(path + $0, use: "a part of the accounts' file") }
      + [ProtectedFile(path + ".key", use: "the accounts' key file")]
  }

  /// Whether `other` is the status of this file, which may be reached by another path. Always false
  /// for character devices such as `/dev/null`: nothing is lost if they are shared.
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

/// The reason why a recording, a trace or an audit log cannot be written.
public struct ObservationProblem: Error, Equatable, Sendable, CustomStringConvertible {
  public let description: String
}
