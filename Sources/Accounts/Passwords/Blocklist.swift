import CCrypto
import Glibc
import Synchronization
public import System

/// A file of forbidden passwords, of any size: sorted lines, searched on disk.
///
/// The first line determines the kind of all lines. The lines of one kind are SHA-1 digests in
/// hexadecimal digits, each optionally followed by `:` and a count, as in Have I Been Pwned's list
/// ordered by hash. The lines of the other kind are the passwords in UTF-8, in the byte order of
/// `LC_ALL=C sort`.
///
/// If the file is replaced by renaming another to its name, the new one is opened.
public final class Blocklist: Sendable {
  private let path: String
  private let current: Mutex<BlocklistFile>

  /// Opens a list and checks its lines: all of them if the file has at most 64 MiB, otherwise
  /// samples.
  public init(path: String) throws(BlocklistError) {
    self.path = path
    let file = try BlocklistFile(path: path)
    try file.requireUsable(thoroughly: file.count <= Self.mostBytesToCheck)
    current = Mutex(file)
  }

  private static let mostBytesToCheck = 64 << 20

  /// Checks all lines of a list. Returns the number of lines.
  @discardableResult
  public static func check(path: String) throws(BlocklistError) -> Int {
    try BlocklistFile(path: path).requireUsable(thoroughly: true)
  }

  /// Whether the list contains the password.
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
  /// The file cannot be read. The code is an `errno`.
  case unreadable(code: Int32)
  /// Another user could write the file or replace it.
  case untrusted(PathProblem)
  case empty
  /// The first line has as many hexadecimal digits as a digest of another kind than SHA-1, such as
  /// NTLM, MD5 or SHA-256. Such lists are not supported.
  case otherDigests
  /// A line is a digest although the first line is not. Digests would be read as passwords, and
  /// match nothing.
  case mixed(line: Int)
  /// A line is not of the kind of the first line, is empty, or is longer than 1,024 bytes. Lines
  /// count from 1.
  case malformed(line: Int)
  /// A line should come before the one above it.
  case unsorted(line: Int)

  /// One sentence for users.
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
