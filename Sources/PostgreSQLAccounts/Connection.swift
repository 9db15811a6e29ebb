import AccountStore
import CPQ
import Glibc

/// One connection to a server, closed with its last reference. No call waits longer than to its deadline, by the monotonic clock in milliseconds.
final class Connection {
  private let handle: OpaquePointer
  /// The statements that are prepared in it.
  private var prepared: Set<String> = []

  private init(_ handle: OpaquePointer) { self.handle = handle }

  deinit { PQfinish(handle) }

  /// Connects to the first server that will do.
  static func open(_ settings: ConnectionSettings, defaultTimeoutMs: UInt64) throws(ConnectionFailure) -> Connection {
    var found: ServerProblem?
    for server in settings.servers {
      do throws(ConnectionFailure) {
        return try open(server, deadline: Clock.now() + (settings.timeoutMs ?? defaultTimeoutMs))
      } catch {
        // What an administrator has to change says more than that a server is down.
        if found == nil || found == .unreachable { found = error.problem }
      }
    }
    throw .refused(found ?? .unreachable)
  }

  private static func open(_ values: [String: String], deadline: UInt64) throws(ConnectionFailure) -> Connection {
    let handle = withCStrings(values.map(\.key)) { keywords in
      withCStrings(values.map(\.value)) { texts in PQconnectStartParams(keywords, texts, 0) }
    }
    guard let handle else { throw .refused(.unreachable) }
    let connection = Connection(handle)
    // Errors have their code only, and no text that quotes anything.
    PQsetErrorVerbosity(handle, PQERRORS_SQLSTATE)
    PQsetNoticeProcessor(handle, { _, _ in }, nil)
    var status = PQstatus(handle) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING
    while status != PGRES_POLLING_OK {
      guard status != PGRES_POLLING_FAILED else { throw .refused(connection.connectionProblem) }
      let events = status == PGRES_POLLING_READING ? POLLIN : POLLOUT
      guard connection.wait(for: Int16(events), deadline: deadline) else { throw .refused(.unreachable) }
      status = PQconnectPoll(handle)
    }
    try connection.requireSuitable()
    guard PQsetnonblocking(handle, 1) == 0 else { throw .lost }
    return connection
  }

  /// Why there is no connection. The texts of libpq are read because there is no code of it; without a locale they are English.
  private var connectionProblem: ServerProblem {
    let text = PQerrorMessage(handle).map { String(cString: $0) } ?? ""
    // A server's error is "FATAL:  28P01", where the first word is in the server's language.
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    for (index, word) in words.enumerated().dropFirst(2)
    where words[index - 1].isEmpty && words[index - 2].hasSuffix(":") {
      let state = word.prefix(5)
      if state.utf8.count == 5, state.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }) {
        return ConnectionFailure.problem(String(state))
      }
    }
    if ["session is read-only", "server is in hot standby mode", "session is not read-only"].contains(where: {
      text.contains($0)
    }) {
      return .readOnly
    }
    // Such as a password that is asked for and not given, or a certificate that does not fit.
    if ["no password supplied", "certificate", "authentication", "SSL"].contains(where: { text.contains($0) }) {
      return .refused
    }
    if ["invalid ", "definition of service"].contains(where: { text.contains($0) }) { return .invalidConnection }
    return .unreachable
  }

  private func requireSuitable() throws(ConnectionFailure) {
    let version = PQserverVersion(handle)
    guard version >= 110_000 else { throw .refused(.tooOld(version)) }
    if let encoding = PQparameterStatus(handle, "server_encoding"), String(cString: encoding) != "UTF8" {
      throw .refused(.encoding)
    }
  }

  /// Runs statements without values, and discards their rows. Returns the tag of the last one.
  @discardableResult
  func run(_ sql: String, deadline: UInt64) throws(ConnectionFailure) -> String {
    guard PQsendQuery(handle, sql) == 1 else { throw .lost }
    return try result(deadline: deadline).tag
  }

  /// Runs a statement with values.
  ///
  /// - Parameter isPrepared: whether it is prepared by name, so that the server reads it once for each connection.
  func run(
    _ statement: StatementText, _ values: [SQLValue], isPrepared: Bool, deadline: UInt64
  ) throws(ConnectionFailure) -> QueryResult {
    let types = values.map(\.type)
    if isPrepared, !prepared.contains(statement.name) {
      guard PQsendPrepare(handle, statement.name, statement.text, Int32(values.count), types) == 1 else { throw .lost }
      _ = try result(deadline: deadline)
      prepared.insert(statement.name)
    }
    // libpq takes texts up to their first NUL.
    for case .text(let text) in values where text.utf8.contains(0) { throw .state("22021") }
    let sent = withCStrings(values.map(\.sqlText)) { texts in
      isPrepared
        ? PQsendQueryPrepared(handle, statement.name, Int32(values.count), texts, nil, nil, 0)
        : PQsendQueryParams(handle, statement.text, Int32(values.count), types, texts, nil, nil, 0)
    }
    guard sent == 1 else { throw .lost }
    return try result(deadline: deadline)
  }

  /// The last result of what was sent.
  private func result(deadline: UInt64) throws(ConnectionFailure) -> QueryResult {
    while true {
      let left = PQflush(handle)
      guard left >= 0 else { throw .lost }
      if left == 0 { break }
      guard wait(for: Int16(POLLIN | POLLOUT), deadline: deadline), PQconsumeInput(handle) == 1 else { throw .lost }
    }
    var last: QueryResult?
    var failure: ConnectionFailure?
    while true {
      while PQisBusy(handle) == 1 {
        guard wait(for: Int16(POLLIN), deadline: deadline), PQconsumeInput(handle) == 1 else { throw failure ?? .lost }
      }
      guard let result = PQgetResult(handle).map(QueryResult.init) else { break }
      if let error = result.failure { failure = failure ?? error }
      last = result
    }
    if let failure { throw PQstatus(handle) == CONNECTION_BAD ? .lost : failure }
    guard let last, PQstatus(handle) == CONNECTION_OK else { throw .lost }
    return last
  }

  /// Waits until the socket is ready. Returns false if the time is over.
  private func wait(for events: Int16, deadline: UInt64) -> Bool {
    while true {
      let now = Clock.now()
      guard now < deadline else { return false }
      var entry = pollfd(fd: PQsocket(handle), events: events, revents: 0)
      guard entry.fd >= 0 else { return false }
      let ready = poll(&entry, 1, Int32(clamping: deadline - now))
      if ready > 0 { return true }
      if ready < 0, errno != EINTR { return false }
    }
  }
}

/// What a statement gave, freed with its last reference.
final class QueryResult {
  private let handle: OpaquePointer

  init(_ handle: OpaquePointer) { self.handle = handle }

  deinit { PQclear(handle) }

  /// Why it failed, if it did.
  var failure: ConnectionFailure? {
    switch PQresultStatus(handle) {
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK: return nil
    default:
      // An error of libpq's own has no code: the connection is of no use.
      guard let state = PQresultErrorField(handle, Int32(UInt8(ascii: "C"))) else { return .lost }
      return ConnectionFailure(state: String(cString: state))
    }
  }

  /// Such as `COMMIT`.
  var tag: String { String(cString: PQcmdStatus(handle)) }
  var changes: Int { Int(String(cString: PQcmdTuples(handle))) ?? 0 }
  var rows: Range<Int32> { 0..<PQntuples(handle) }

  struct Row: SQLRow {
    let result: QueryResult
    let index: Int32

    func isNull(_ column: Int32) -> Bool { PQgetisnull(result.handle, index, column) == 1 }

    func text(_ column: Int32) -> String {
      guard let bytes = PQgetvalue(result.handle, index, column) else { return "" }
      let count = Int(PQgetlength(result.handle, index, column))
      return String(
        decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    func integer(_ column: Int32) -> Int64 {
      switch text(column) {
      case "t": 1
      case "f": 0
      case let digits: Int64(digits) ?? 0
      }
    }
  }
}

extension SQLValue {
  /// PostgreSQL's number of the type; 0 lets the server see from the statement.
  fileprivate var type: Oid {
    switch self {
    case .integer: 20
    case .text: 25
    case .null: 0
    }
  }

  fileprivate var sqlText: String? {
    switch self {
    case .integer(let number): String(number)
    case .text(let text): text
    case .null: nil
    }
  }
}

/// Calls `body` with the texts as C strings, and a null behind the last.
private func withCStrings<Result>(
  _ texts: [String?], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
) -> Result {
  let copies = texts.map { $0.flatMap { strdup($0) } }
  defer { for copy in copies { free(copy) } }
  let pointers: [UnsafePointer<CChar>?] = copies.map { $0.map { UnsafePointer($0) } } + [nil]
  return pointers.withUnsafeBufferPointer { buffer in
    // There is always the null.
    buffer.baseAddress.map(body) ?? withUnsafePointer(to: nil as UnsafePointer<CChar>?, body)
  }
}

enum Clock {
  /// Milliseconds since any moment. It never goes back.
  static func now() -> UInt64 {
    var time = timespec()
    _ = clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000 + UInt64(time.tv_nsec) / 1_000_000
  }
}
