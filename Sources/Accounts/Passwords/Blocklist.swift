import CCrypto
import Glibc
import Synchronization
public import System

/// A file of passwords that nobody may choose, of any size: a sorted line for each, which is looked up where it is on disk.
///
/// The first line tells the kind, and all others have to be of that: SHA-1 digests in hexadecimal digits, each perhaps followed by `:` and a count, as Have I Been Pwned
/// orders them by hash; or else the passwords themselves in UTF-8, in the order of their bytes, as `LC_ALL=C sort` puts them.
/// A file that was replaced (by renaming another to its name) is opened anew.
public final class Blocklist: Sendable {
  private let path: String
  private let current: Mutex<BlocklistFile>

  /// Opens a file, and looks through it: all of it up to 64 MiB, or else lines all over it.
  public init(path: String) throws(BlocklistError) {
    self.path = path
    let file = try BlocklistFile(path: path)
    try file.requireUsable(thoroughly: file.count <= Self.mostBytesToCheck)
    current = Mutex(file)
  }

  private static let mostBytesToCheck = 64 << 20

  /// Looks through all of a file. Returns how many lines there are.
  @discardableResult
  public static func check(path: String) throws(BlocklistError) -> Int {
    try BlocklistFile(path: path).requireUsable(thoroughly: true)
  }

  /// Whether the list has the password.
  func contains(_ password: UnsafeRawBufferPointer) throws(AccountStoreError) -> Bool {
    do throws(BlocklistError) {
      return try file().contains(password)
    } catch {
      throw .blocklistUnusable(error)
    }
  }

  private func file() throws(BlocklistError) -> BlocklistFile {
    let open = current.withLock { $0 }
    if open.isCurrent(at: path) { return open }
    let file = try BlocklistFile(path: path)
    try file.requireUsable(thoroughly: file.count <= Self.mostBytesToCheck)
    current.withLock { $0 = file }
    return file
  }
}

/// Why a blocklist cannot be used.
public enum BlocklistError: Error, Equatable, Sendable {
  /// The system does not let it be read: an `errno`.
  case unreadable(code: Int32)
  /// Somebody else could write it, or lead its path to another file.
  case untrusted(PathProblem)
  case empty
  /// The first line has as many hexadecimal digits as an NTLM, MD5 or SHA-256 digest, which no password is looked up by.
  case otherDigests
  /// A line that is a digest, where the first line is none: digests would be taken for passwords, which nobody chooses.
  case mixed(line: Int)
  /// Not what the first line promises, an empty line, or one of more than 1,024 bytes. Lines count from 1.
  case malformed(line: Int)
  /// A line that belongs before the one above it.
  case unsorted(line: Int)

  /// One sentence for people.
  public var explanation: String {
    switch self {
    case .unreadable(let code): "The blocklist cannot be read: \(String(cString: strerror(code)))."
    case .untrusted(let problem): "The blocklist is not used, as others could replace it: \(problem)."
    case .empty: "The blocklist is empty: give one with a line for each password, or leave it out."
    case .otherDigests:
      "Line 1 of the blocklist is a digest of another kind: give a list of SHA-1 digests, of 40 digits, or one of passwords."
    case .mixed(let line):
      "Line \(line) of the blocklist is a digest, and line 1 is none: take away what is no digest, such as a comment, or else the digests."
    case .malformed(let line):
      "Line \(line) of the blocklist is none of its kind, which is that of line 1: take it away. No line may be empty, a comment or over 1024 bytes long."
    case .unsorted(let line):
      "Line \(line) of the blocklist belongs before the line above it: put the lines in order with LC_ALL=C sort."
    }
  }
}
