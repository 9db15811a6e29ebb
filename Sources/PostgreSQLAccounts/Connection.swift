import Accounts
import CPQ
import Glibc

/// One connection to a database server. It is closed when the last reference is released. Each call
/// has a deadline, by the monotonic clock in milliseconds.
final class Connection {
  private let handle: OpaquePointer
  /// The names of the statements that are prepared on this connection.
  private var prepared: Set<String> = []
  /// Whether the server has stopped waiting for a standby server to confirm a commit.
  private var isMissingStandby = false
  /// When the connection was last used.
  private var usedMs = Clock.now()

  private init(_ handle: OpaquePointer) { self.handle = handle }

  deinit { PQfinish(handle) }

  /// Connects to the first suitable server in the settings.
  static func open(_ settings: ConnectionSettings, defaultTimeoutMs: UInt64) throws(ConnectionFailure) -> Connection {
    var found: ServerProblem?
    for server in settings.servers {
      do throws(ConnectionFailure) {
        return try open(server, deadline: Clock.now() + (settings.timeoutMs ?? defaultTimeoutMs))
      } catch {
        // A problem that an administrator must fix is more useful to report than a server that is
        // down.
        if found.map({ $0.isTransient }) ?? true { found = error.problem }
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
    // The error messages of the connection then contain only the SQLSTATE code, and no text that
    // could quote a value.
    PQsetErrorVerbosity(handle, PQERRORS_SQLSTATE)
    // libpq frees the notice. The connection lives as long as the handle, so it need not be
    // retained.
    PQsetNoticeReceiver(
      handle,
      { connection, notice in
        // The warning about a standby has neither a code nor a text of its own, so it is recognised
        // by the server function that raises it.
        let function = PQresultErrorField(notice, Int32(UInt8(ascii: "R"))).map { String(cString: $0) }
        guard let connection, function == "SyncRepWaitForLSN" else { return }
        Unmanaged<Connection>.fromOpaque(connection).takeUnretainedValue().isMissingStandby = true
      }, Unmanaged.passUnretained(connection).toOpaque())
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

  /// Why the connection failed. libpq has no error codes for this, so the problem is recognised by
  /// words in its messages. The messages are English as long as this program sets no locale.
  private var connectionProblem: ServerProblem {
    let text = PQerrorMessage(handle).map { String(cString: $0) } ?? ""
    // A server's error reads "FATAL: 28P01", where the first word is in the server's language.
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    for (index, word) in words.enumerated().dropFirst(2)
    where words[index - 1].isEmpty && words[index - 2].hasSuffix(":") {
      let state = word.prefix(5)
      if state.utf8.count == 5, state.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }) {
        return ConnectionFailure.problem(String(state))
      }
    }
    for (part, problem) in Self.problems where text.contains(part) { return problem }
    return .unreachable
  }

  /// Parts of libpq's messages and their meaning. The order matters, because some messages contain
  /// the words of others.
  private static let problems: [(part: String, problem: ServerProblem)] = [
    ("session is read-only", .readOnly), ("server is in hot standby mode", .readOnly),
    ("session is not read-only", .readOnly),
    ("server does not support SSL", .noTLS),
    ("could not translate host name", .unknownHost), ("could not parse network address", .unknownHost),
    ("no password supplied", .noPassword), ("password retrieved from file", .wrongPassword),
    ("certificate present, but not private key", .clientCertificate), ("private key file", .clientCertificate),
    ("could not load private key", .clientCertificate), ("certificate does not match private key", .clientCertificate),
    ("could not read certificate file", .clientCertificate), ("could not open certificate file", .clientCertificate),
    ("definition of service", .noService), ("service file", .noService),
    ("root certificate", .certificate), ("certificate verify failed", .certificate),
    ("does not match host name", .certificate),
    ("host name must be specified for a verified", .certificate), ("server's certificate", .certificate),
    ("server certificate", .certificate),
    ("channel binding", .refused), ("SASL", .refused), ("SCRAM", .refused), ("authentication", .refused),
    ("GSSAPI", .refused),
    ("alert unknown ca", .clientCertificate), ("alert bad certificate", .clientCertificate),
    ("alert certificate", .clientCertificate), ("certificate required", .clientCertificate),
    ("SSL", .tlsFailed), ("TLS", .tlsFailed), ("certificate", .tlsFailed),
    ("invalid ", .invalidConnection),
    ("Connection refused", .connectionRefused), ("No such file or directory", .connectionRefused),
  ]

  private func requireSuitable() throws(ConnectionFailure) {
    let version = PQserverVersion(handle)
    guard version >= 110_000 else { throw .refused(.tooOld(version)) }
    if let encoding = PQparameterStatus(handle, "server_encoding"), String(cString: encoding) != "UTF8" {
      throw .refused(.encoding)
    }
  }

  /// Runs statements without values and discards their rows. Returns the command tag of the last
  /// one.
  @discardableResult
  func run(_ sql: String, deadline: UInt64) throws(ConnectionFailure) -> String {
    guard PQsendQuery(handle, sql) == 1 else { throw .lost }
    return try result(deadline: deadline).tag
  }

  /// Commits the transaction. If the server stops waiting for a standby, it sends a warning instead
  /// of an error, and this method throws `.unreplicated`.
  ///
  /// - Parameter deadline: Must be later than the server's own timeout, so that the server reports
  ///   the timeout.
  func commit(deadline: UInt64) throws(ConnectionFailure) {
    isMissingStandby = false
    guard try run("COMMIT", deadline: deadline) == "COMMIT" else { throw .lost }
    if isMissingStandby { throw .unreplicated }
  }

  /// Whether the server still answers. The server is asked only if the connection was idle for so
  /// long that a device on the network may have dropped it.
  func isAlive() -> Bool {
    guard Clock.now() >= usedMs + Self.idleMs else { return true }
    do throws(ConnectionFailure) {
      try run("SELECT 1", deadline: Clock.now() + Self.answerMs)
      return true
    } catch {
      return false
    }
  }

  /// The idle time in milliseconds after which a connection is checked, and the maximum time for
  /// the check.
  private static let (idleMs, answerMs): (UInt64, UInt64) = (10_000, 1_000)

  /// Runs a statement with values.
  ///
  /// - Parameter isPrepared: Whether to prepare it by name, so that the server parses it once per
  ///   connection.
  func run(
    _ statement: StatementText, _ values: [SQLValue], isPrepared: Bool, deadline: UInt64
  ) throws(ConnectionFailure) -> QueryResult {
    let types = values.map(\.type)
    if isPrepared, !prepared.contains(statement.name) {
      guard PQsendPrepare(handle, statement.name, statement.text, Int32(values.count), types) == 1 else { throw .lost }
      _ = try result(deadline: deadline)
      prepared.insert(statement.name)
    }
    // libpq reads a text only up to its first NUL, so a text with a NUL is refused.
    for case .text(let text) in values where text.utf8.contains(0) { throw .state("22021") }
    let sent = withCStrings(values.map(\.sqlText)) { texts in
      isPrepared
        ? PQsendQueryPrepared(handle, statement.name, Int32(values.count), texts, nil, nil, 0)
        : PQsendQueryParams(handle, statement.text, Int32(values.count), types, texts, nil, nil, 0)
    }
    guard sent == 1 else { throw .lost }
    return try result(deadline: deadline)
  }

  /// Returns the last result of the statements sent.
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
      if let error = result.failure {
        // No further results follow.
        if error == .lost { throw .lost }
        failure = failure ?? error
      }
      last = result
    }
    if let failure { throw PQstatus(handle) == CONNECTION_BAD ? .lost : failure }
    guard let last, PQstatus(handle) == CONNECTION_OK else { throw .lost }
    usedMs = Clock.now()
    return last
  }

  /// Waits until the socket is ready. Returns false after the deadline.
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

/// The result of a statement. It is freed when the last reference is released.
final class QueryResult {
  private let handle: OpaquePointer

  init(_ handle: OpaquePointer) { self.handle = handle }

  deinit { PQclear(handle) }

  /// Why the statement failed, or nil.
  var failure: ConnectionFailure? {
    switch PQresultStatus(handle) {
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK: return nil
    default:
      // An error of libpq has no code: the connection is unusable. After a fatal error the server
      // has ended the connection, whatever the code says.
      guard let state = field("C"), let severity = field("V") ?? field("S"), severity != "FATAL", severity != "PANIC"
      else { return .lost }
      return ConnectionFailure(state: state)
    }
  }

  private func field(_ name: Unicode.Scalar) -> String? {
    PQresultErrorField(handle, Int32(name.value)).map { String(cString: $0) }
  }

  /// The command tag, such as `COMMIT`.
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
  /// The number by which PostgreSQL identifies the value's type. 0 lets the server infer the type
  /// from the statement.
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

/// Calls `body` with the texts as C strings, terminated by a null pointer.
private func withCStrings<Result>(
  _ texts: [String?], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
) -> Result {
  let copies = texts.map { $0.flatMap { strdup($0) } }
  defer { for copy in copies { free(copy) } }
  let pointers: [UnsafePointer<CChar>?] = copies.map { $0.map { UnsafePointer($0) } } + [nil]
  return pointers.withUnsafeBufferPointer { buffer in
    // The buffer is never empty, because of the null pointer.
    buffer.baseAddress.map(body) ?? withUnsafePointer(to: nil as UnsafePointer<CChar>?, body)
  }
}

enum Clock {
  /// The monotonic time in milliseconds since an arbitrary moment.
  static func now() -> UInt64 {
    var time = timespec()
    _ = clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000 + UInt64(time.tv_nsec) / 1_000_000
  }
}
