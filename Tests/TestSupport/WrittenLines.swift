import Glibc

/// Keeps the lines that a program under test writes, so that `protocol/check` can check them. They
/// are kept in files in the folder that the environment variable `LOGIN_ENGINE_LINES` names.
/// Without that variable, nothing is kept.
public final class WrittenLines: Sendable {
  /// The direction of the lines. The name of the file begins with the direction, like the name of
  /// the schema for these lines.
  public enum Kind: String {
    case engineToFrontend = "engine-to-frontend"
    case authenticatorToEngine = "authenticator-to-engine"
  }

  // All tests of a process share one file for each direction, since creating and removing a file
  // for each of a hundred thousand short runs takes minutes.
  private static let frontend = WrittenLines(at: newPath(.engineToFrontend))
  private static let authenticator = WrittenLines(at: newPath(.authenticatorToEngine))

  private let file: Int32

  private init?(at path: String?) {
    guard let path else { return nil }
    file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600)
    guard file >= 0 else { return nil }
  }

  deinit { close(file) }

  /// The file for lines of this kind; `nil` if nothing is kept, or if the file cannot be opened.
  public static func of(_ kind: Kind) -> WrittenLines? {
    switch kind {
    case .engineToFrontend: frontend
    case .authenticatorToEngine: authenticator
    }
  }

  /// The path of a file for another program to write to.
  public static func newPath(_ kind: Kind) -> String? {
    guard let folder = getenv("LOGIN_ENGINE_LINES"), folder.pointee != 0 else { return nil }
    let name = String(UInt64.random(in: .min ... .max), radix: 36)
    return "\(String(cString: folder))/\(kind.rawValue)-\(name).jsonl"
  }

  /// Appends a line with its terminator. Other threads may append lines at the same time. Lines are
  /// not mixed, because the file is opened for appending.
  public func append(_ line: UnsafeRawBufferPointer) {
    var parts = [
      iovec(iov_base: UnsafeMutableRawPointer(mutating: line.baseAddress), iov_len: line.count),
      iovec(iov_base: nil, iov_len: 0),
    ]
    var end: UInt8 = 0x0A
    withUnsafeMutablePointer(to: &end) { end in
      parts[1] = iovec(iov_base: end, iov_len: 1)
      _ = writev(file, parts, 2)
    }
  }
}
