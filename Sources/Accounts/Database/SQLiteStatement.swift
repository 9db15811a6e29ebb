import CAccountLibraries

/// A compiled SQL statement. It is finalised when its last reference is released.
final class SQLiteStatement {
  private let handle: OpaquePointer

  /// Compiles a statement. The SQL is a `StaticString`, so values can only be bound, never
  /// interpolated.
  init(_ sql: StaticString, on connection: OpaquePointer) throws(AccountStoreError) {
    var handle: OpaquePointer?
    let code = sql.withUTF8Buffer { bytes in
      bytes.withMemoryRebound(to: CChar.self) { text in
        sqlite3_prepare_v3(
          connection, text.baseAddress, Int32(truncatingIfNeeded: text.count), UInt32(SQLITE_PREPARE_PERSISTENT),
          &handle, nil)
      }
    }
    guard code == SQLITE_OK, let handle else { throw AccountStoreError(sqlite: code) }
    self.handle = handle
  }

  deinit {
    sqlite3_finalize(handle)
  }

  func bind(_ values: [SQLValue]) throws(AccountStoreError) {
    var index: Int32 = 0
    for value in values {
      index += 1
      let code =
        switch value {
        case .integer(let number): sqlite3_bind_int64(handle, index, number)
        case .text(let text): Self.bind(text, at: index, on: handle)
        case .null: sqlite3_bind_null(handle, index)
        }
      guard code == SQLITE_OK else { throw AccountStoreError(sqlite: code) }
    }
  }

  private static func bind(_ text: String, at index: Int32, on handle: OpaquePointer) -> Int32 {
    // SQLITE_TRANSIENT: SQLite makes its own copy before the call returns.
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    var text = text
    return text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { text in
        sqlite3_bind_text(handle, index, text.baseAddress, Int32(truncatingIfNeeded: text.count), transient)
      }
    }
  }

  /// Moves to the next result row. Returns false if there is none.
  func step() throws(AccountStoreError) -> Bool {
    let code = sqlite3_step(handle)
    switch code {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw AccountStoreError(sqlite: code)
    }
  }

  /// Resets the statement and clears its bound values. It then holds no lock.
  func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  /// The current row.
  var row: Row { Row(handle: handle) }

  struct Row: SQLRow {
    fileprivate let handle: OpaquePointer

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    func text(_ column: Int32) -> String {
      guard let bytes = sqlite3_column_text(handle, column) else { return "" }
      let count = Int(sqlite3_column_bytes(handle, column))
      return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }
  }
}
