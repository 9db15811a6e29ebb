/// The text of a statement in PostgreSQL's syntax, and the name under which it is prepared.
struct StatementText {
  /// The text of the statement, with `$1` where the store's SQL has `?1`.
  let text: String
  /// The name of the prepared statement. It is derived from the text, so that a name always stands
  /// for the same statement, whichever client has prepared it.
  let name: String

  init(_ sql: StaticString) {
    text = sql.withUTF8Buffer { utf8 in
      // The program's SQL uses question marks only for parameters.
      String(decoding: utf8.map { $0 == UInt8(ascii: "?") ? UInt8(ascii: "$") : $0 }, as: UTF8.self)
    }
    // FNV-1a (draft-eastlake-fnv), 64 bits, and the length.
    let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    name = "accounts_\(String(hash, radix: 36))_\(text.utf8.count)"
  }
}
