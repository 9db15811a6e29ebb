import Accounts
import CAccountLibraries
import Foundation
import PostgreSQLAccounts
import SecretMemory
import TestServer
import TestSupport
import Testing

/// A path in its own directory, which is removed after the test.
final class TemporaryFile {
  private let folder: TemporaryDirectory
  var directory: String { folder.path }
  var path: String { folder.file("accounts.sqlite3") }

  init() throws { folder = try TemporaryDirectory() }

  deinit { TestServer.drop(path) }

  /// A store at a path that other stores may have opened as well.
  static func store(at path: String) throws -> AccountStore {
    var options = AccountStore.Options()
    options.hashCost = 1
    options.passwordRules.minimumLength = 9
    return try open(path, options)
  }

  /// When the tests run on a database server, a path stands for a database on that server.
  private static func open(_ path: String, _ options: AccountStore.Options) throws -> AccountStore {
    guard TestServer.isUsed else { return try AccountStore(path: path, options: options) }
    let server = try DatabaseServer(TestServer.connection(for: path))
    return try AccountStore(on: server, keyFile: AccountStore.keyFile(of: path), options: options)
  }

  func store(_ change: (inout AccountStore.Options) -> Void = { _ in }) throws -> AccountStore {
    var options = AccountStore.Options()
    options.hashCost = 1
    options.passwordRules.minimumLength = 9
    options.busyTimeoutMs = TestServer.isUsed ? 30_000 : 100
    change(&options)
    return try Self.open(path, options)
  }

  func write(_ bytes: [UInt8]) {
    _ = FileManager.default.createFile(atPath: path, contents: Data(bytes))
  }

  /// Lends a connection to the accounts as another program would have it.
  func other(_ body: (OtherProgram) throws -> Void) throws {
    if TestServer.isUsed { return try body(.server(path)) }
    var connection: OpaquePointer?
    guard sqlite3_open(path, &connection) == SQLITE_OK, let connection else { throw POSIXError(.EIO) }
    defer { sqlite3_close_v2(connection) }
    try body(.file(connection))
  }
}

/// A connection that does not belong to a store.
enum OtherProgram {
  case file(OpaquePointer)
  case server(String)
}

extension Trait where Self == ConditionTrait {
  /// Disables a test that needs an accounts file when the tests run on a database server.
  static var onFile: Self { .disabled(if: TestServer.isUsed, "about files") }
}

/// Runs statements and returns the first column of the last row.
@discardableResult
func run(_ sql: String, on program: OtherProgram) throws -> String {
  switch program {
  case .file(let connection): try run(sql, on: connection)
  case .server(let path): try TestServer.run(sql, for: path)
  }
}

@discardableResult
private func run(_ sql: String, on connection: OpaquePointer) throws -> String {
  var result = ""
  var statement: OpaquePointer?
  guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else { throw POSIXError(.EINVAL) }
  defer { sqlite3_finalize(statement) }
  while true {
    switch sqlite3_step(statement) {
    case SQLITE_ROW: result = sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? ""
    case SQLITE_DONE: return result
    default: throw POSIXError(.EIO)
    }
  }
}

extension AccountStore {
  func accounts() throws -> [Account] { try accountStatuses().map(\.account) }

  func register(
    _ email: String, _ userName: String, _ password: String = "correct horse", key: String? = nil,
    client: ClientAddress? = nil, now: Int64 = 1_000
  ) throws -> RegistrationOutcome {
    try Array(password.utf8).withUnsafeBytes {
      try register(email: email, userName: userName, password: $0, key: key, client: client, now: now)
    }
  }

  func login(_ identifier: String, _ password: String = "correct horse", now: Int64 = 1_000) throws -> LoginOutcome {
    try Array(password.utf8).withUnsafeBytes { try login(identifier: identifier, password: $0, now: now) }
  }

  func setPassword(_ identifier: String, _ password: String) throws -> PasswordChange {
    try Array(password.utf8).withUnsafeBytes { try setPassword(identifier: identifier, password: $0) }
  }
}

extension RegistrationOutcome {
  var isAccepted: Bool { if case .accepted = self { true } else { false } }
}

extension LoginOutcome {
  var isAccepted: Bool { if case .accepted = self { true } else { false } }
}

extension AccountStore {
  /// Requests a reset code and returns the code to be mailed. Nil if there is none.
  func code(for email: String, requester: String? = nil, now: Int64 = 1_000) throws -> String? {
    guard case .taken(let issued) = try requestReset(email: email, requester: requester, now: now) else { return nil }
    return issued.map { $0.code.withBytes { String(decoding: $0, as: UTF8.self) } }
  }

  func reset(
    _ email: String, _ code: String, _ password: String = "another horse", key: String? = nil,
    requester: String? = nil, now: Int64 = 1_000
  ) throws -> ResetOutcome {
    try Array(code.utf8).withUnsafeBytes { code in
      try Array(password.utf8).withUnsafeBytes { password in
        try resetPassword(email: email, code: code, password: password, key: key, requester: requester, now: now)
      }
    }
  }
}

extension ResetRequestOutcome {
  /// How long the request has to wait if it was throttled, in milliseconds. Nil if it was not.
  var wait: Int64? { if case .throttled(let milliseconds) = self { milliseconds } else { nil } }
}
