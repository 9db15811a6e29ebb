import CAccountLibraries
import Glibc
public import System

/// Why the accounts could not be used. An operation that throws has neither accepted nor refused
/// the request.
public enum AccountStoreError: Error, Equatable, Sendable {
  /// The file is not an SQLite database, or belongs to another program.
  case notADatabase
  /// The file or its file system is read-only.
  case readOnly
  /// Another program kept the database locked for longer than the busy timeout.
  case locked
  /// The file cannot be opened or created.
  case unavailable
  /// A newer version of this program created the file. The value is the version of its tables.
  case newer(Int64)
  /// The file, or SQLite's log or index, was moved, removed or replaced while in use.
  case moved
  /// Another user could write the file or replace it.
  case untrusted(PathProblem)
  /// The file contains data that neither this program nor SQLite has written.
  case damaged
  /// The disk is full.
  case full
  case outOfMemory
  /// Reading, writing or hashing failed. The code is an SQLite extended result code or a negative
  /// `errno`.
  case failed(code: Int32)
  /// The key file is needed and cannot be used.
  case keyUnusable(KeyProblem)
  case blocklistUnusable(BlocklistError)
  /// Passwords are hashed with a pepper, which is missing or cannot be used.
  case pepperUnusable(KeyProblem)
  /// The database server with the accounts cannot be used.
  case server(ServerProblem)

  /// One or two sentences for users, without any typed value. Messages that also apply to accounts
  /// on a database server do not mention a file.
  public var explanation: String {
    switch self {
    case .notADatabase: "This is not an accounts database."
    case .readOnly: "The accounts file cannot be written."
    case .locked: "The accounts are locked by another program."
    case .unavailable: "The accounts file cannot be opened or created."
    case .newer(let version):
      "A newer version of this program made the accounts file: its tables have version \(version), this one knows \(SQLiteSchema.version)."
    case .moved:
      "The accounts file, or its -wal or -shm, was moved, removed or replaced while in use. Put it back, or start the accounts again."
    case .untrusted(let problem): "The accounts file is not used, as others could replace it: \(problem)."
    case .damaged: "The accounts are damaged: see the command check."
    case .full: "There is no room left on the disk of the accounts."
    case .outOfMemory: "There is not enough memory."
    case .failed(let code): "The accounts could not be read or written (code \(code))."
    case .blocklistUnusable(let error): error.explanation
    case .server(let problem): problem.explanation
    case .pepperUnusable(.missing): "The pepper is missing, without which no password can be checked: see --pepper."
    case .pepperUnusable(.failed(let code)): "The pepper could not be read or made (code \(code))."
    case .pepperUnusable(.untrusted(let problem)): "The pepper is not used, as others could replace it: \(problem)."
    case .pepperUnusable(.exposed): "The pepper can be read or written by others: take that right away with chmod 600."
    case .pepperUnusable(.invalid): "The pepper is no key, or another one than that of the passwords."
    case .keyUnusable(.missing):
      "The key file is missing, without which no one-time code can be checked. Copy it from another host that has these accounts, or from its backup."
    case .keyUnusable(.failed(let code)): "The key file could not be read or made (code \(code))."
    case .keyUnusable(.untrusted(let problem)): "The key file is not used, as others could replace it: \(problem)."
    case .keyUnusable(.exposed): "The key file can be read or written by others: take that right away with chmod 600."
    case .keyUnusable(.invalid):
      "The key file has no key, or another than these accounts. Copy it from another host that has these accounts, or from its backup."
    }
  }

  /// The file that the error concerns: the key file or the accounts file at `path`.
  public func file(_ path: String) -> String {
    if case .keyUnusable = self { AccountStore.keyFile(of: path) } else { path }
  }

  /// Creates the error for an SQLite result code, extended or not.
  init(sqlite code: Int32) {
    switch code {
    case Int32(SQLITE_READONLY | (4 << 8)):  // SQLITE_READONLY_DBMOVED
      self = .moved
      return
    case Int32(SQLITE_IOERR | (19 << 8)):  // SQLITE_IOERR_SHMSIZE: no room for the file of shared memory
      self = .full
      return
    case Int32(SQLITE_IOERR | (12 << 8)):  // SQLITE_IOERR_NOMEM
      self = .outOfMemory
      return
    default: break
    }
    switch code & 0xff {
    case SQLITE_NOTADB: self = .notADatabase
    case SQLITE_READONLY: self = .readOnly
    case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: self = .locked
    case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: self = .unavailable
    case SQLITE_CORRUPT: self = .damaged
    case SQLITE_FULL: self = .full
    case SQLITE_NOMEM: self = .outOfMemory
    default: self = .failed(code: code)
    }
  }
}
