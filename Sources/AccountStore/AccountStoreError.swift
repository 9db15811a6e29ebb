import CSQLite

/// Why the accounts file could not be used. When such an error is thrown, nothing was decided.
public enum AccountStoreError: Error, Equatable, Sendable {
  /// The file is no SQLite database, or belongs to another program.
  case notADatabase
  /// The file or its file system cannot be written.
  case readOnly
  /// Another program kept it locked for longer than the busy timeout.
  case locked
  /// The file cannot be opened or made, or a newer version of this program made it.
  case unavailable
  /// Reading, writing or hashing failed. An SQLite extended result code, or a negative `errno`.
  case failed(code: Int32)

  /// One sentence for people, without anything that was typed.
  public var explanation: String {
    switch self {
    case .notADatabase: "The accounts file is not an accounts database."
    case .readOnly: "The accounts file cannot be written."
    case .locked: "The accounts file is locked by another program."
    case .unavailable: "The accounts file cannot be opened or created."
    case .failed(let code): "The accounts file could not be read or written (code \(code))."
    }
  }

  /// The error that an SQLite result code (extended or not) stands for.
  init(sqlite code: Int32) {
    if code == Int32(SQLITE_READONLY | (4 << 8)) {  // SQLITE_READONLY_DBMOVED: the file was moved or removed
      self = .unavailable
      return
    }
    switch code & 0xff {
    case SQLITE_NOTADB: self = .notADatabase
    case SQLITE_READONLY: self = .readOnly
    case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: self = .locked
    case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: self = .unavailable
    default: self = .failed(code: code)
    }
  }
}
