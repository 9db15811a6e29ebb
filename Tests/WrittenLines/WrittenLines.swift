import Glibc

/// Keeps what a program under test wrote, for `protocol/check` to look at: lines, in a file of their own in the folder that the environment variable
/// `LOGIN_ENGINE_LINES` names. Without that variable nothing is kept.
public final class WrittenLines: Sendable {
  /// Who wrote to whom; the file's name begins with it, as that of the schema.
  public enum Kind: String {
    case engineToFrontend = "engine-to-frontend"
    case authenticatorToEngine = "authenticator-to-engine"
  }

  private let file: Int32

  /// `nil` if nothing is to be kept, or nothing can be.
  public init?(_ kind: Kind) {
    guard let path = WrittenLines.newPath(kind) else { return nil }
    file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600)
    guard file >= 0 else { return nil }
  }

  deinit { close(file) }

  /// The path of a file for another program to write to.
  public static func newPath(_ kind: Kind) -> String? {
    guard let folder = getenv("LOGIN_ENGINE_LINES"), folder.pointee != 0 else { return nil }
    let name = String(UInt64.random(in: .min ... .max), radix: 36)
    return "\(String(cString: folder))/\(kind.rawValue)-\(name).jsonl"
  }

  /// Adds a line, which is given its end.
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
