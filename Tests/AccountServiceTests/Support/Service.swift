import CAccountLibraries
import Foundation
import JSONCodec
import SecretMemory
import System
import TestServer
import TestSupport
import Testing

/// A running `login-accounts`, to which a test talks over pipes.
final class Service {
  /// The program's name, which is the prefix of its error messages.
  static var program: String { TestServer.isUsed ? "login-accounts-postgres" : "login-accounts" }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let error = Pipe()
  private var lines = LineBuffer(maximumLineBytes: 1 << 20)
  private let written: WrittenLines?

  var processID: Int32 { process.processIdentifier }

  init(
    _ file: String, _ arguments: [String] = [], environment: [String: String] = [:], prefix: [String] = [],
    executable: String = BuiltProgram.loginAccounts
  ) throws {
    // What commands print for administrators is not part of the protocol.
    let isServing = arguments.first.map { $0.hasPrefix("--") && !["--help", "--version"].contains($0) } ?? true
    written = isServing ? WrittenLines.of(.authenticatorToEngine) : nil
    let accounts = try Self.command(file, executable)
    // A sanitizer's own threads do things that the fence forbids.
    let isUnfenced = isServing && ProcessInfo.processInfo.environment["LOGIN_ENGINE_TESTS_UNFENCED"] != nil
    let command = prefix + accounts + ["--hash-cost", "1"] + (isUnfenced ? ["--fence", "off"] : []) + arguments
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command.dropFirst())
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = input
    process.standardOutput = output
    process.standardError = error
    signal(SIGPIPE, SIG_IGN)
    try process.run()
  }

  /// Returns the program and the options that name its accounts.
  static func command(_ file: String, _ executable: String = BuiltProgram.loginAccounts) throws -> [String] {
    guard TestServer.isUsed else { return [executable, "--file", file] }
    return [
      BuiltProgram.directory + "/login-accounts-postgres", "--database", try TestServer.connection(for: file),
      "--key-file", file + ".key",
    ]
  }

  deinit {
    if process.isRunning { kill(processID, SIGKILL) }
    process.waitUntilExit()
  }

  func send(_ line: String) {
    send(bytes: Array((line + "\n").utf8))
  }

  func send(bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(input.fileHandleForWriting.fileDescriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Starts the dialogue as an engine does: asks for the description, and sends these settings.
  /// Returns the description.
  @discardableResult func introduce(_ settings: String) throws -> JSONValue {
    let offers = #"["clock","minimumLengths","secretValues","texts"]"#
    let description = try ask(
      #"{"jsonrpc":"2.0","id":"describe","method":"authenticator/describe","#
        + #""params":{"protocol":"1.0","engine":"login-engine","version":"0","offers":\#(offers)}}"#)
    send(#"{"jsonrpc":"2.0","method":"authenticator/configure","params":{\#(settings)}}"#)
    return description
  }

  /// Returns the next line that the service writes. Nil at the end of its output.
  func line() throws -> String? {
    let descriptor = output.fileHandleForReading.fileDescriptor
    while true {
      if case .whole(let bytes) = lines.next() {
        written?.append(bytes)
        return String(decoding: bytes, as: UTF8.self)
      }
      guard isReadable(descriptor) else { throw Failure(description: "no answer in time") }
      if case .endOfFile = lines.fill(from: descriptor) { return nil }
    }
  }

  func nextAnswer() throws -> JSONValue {
    guard let line = try line() else { throw Failure(description: "it ended without an answer") }
    return try JSONValue(parsing: line)
  }

  func ask(_ line: String) throws -> JSONValue {
    send(line)
    return try nextAnswer()
  }

  func ask(
    _ attempt: Int, _ request: String, _ values: [String: String], retryOf: Int? = nil, key: String? = nil,
    session: String? = nil
  ) throws -> JSONValue {
    try ask(Self.submit(attempt, request, values, retryOf: retryOf, key: key, session: session))
  }

  static func submit(
    _ attempt: Int, _ request: String, _ values: [String: String], retryOf: Int? = nil, key: String? = nil,
    session: String? = nil
  ) -> String {
    var params: [JSONValue.Member] = [
      .init("attempt", .number("\(attempt)")), .init("request", .string(request)),
      .init("values", .object(values.map { .init($0.key, .string($0.value)) })), .init("locale", .string("en")),
    ]
    if let session { params.append(.init("session", .string(session))) }
    if let key { params.append(.init("key", .string(key))) }
    if let retryOf { params.append(.init("retryOf", .number("\(retryOf)"))) }
    return JSONValue.object([
      .init("jsonrpc", .string("2.0")), .init("id", .number("\(attempt)")),
      .init("method", .string("authenticator/submit")), .init("params", .object(params)),
    ]).text
  }

  func closeInput() {
    try? input.fileHandleForWriting.close()
  }

  func closeOutput() {
    try? output.fileHandleForReading.close()
  }

  func signal(_ number: Int32) {
    kill(processID, number)
  }

  private func signal(_ number: Int32, _ handler: sighandler_t?) {
    _ = Foundation.signal(number, handler)
  }

  /// Waits for the service to end. Returns its exit status (or the negative signal) and its
  /// standard error.
  func wait() -> (status: Int32, error: String) {
    process.waitUntilExit()
    let text = String(decoding: error.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let isSignal = process.terminationReason == .uncaughtSignal
    return (isSignal ? -process.terminationStatus : process.terminationStatus, text)
  }
}

extension Trait where Self == ConditionTrait {
  /// A trait for tests that need an accounts file instead of a database server.
  static var onFile: Self { .disabled(if: TestServer.isUsed, "about files") }
}

extension TemporaryDirectory {
  /// Runs SQL on the accounts as another program would, and returns the first column of the last
  /// row.
  @discardableResult
  func run(_ sql: String) throws -> String {
    if TestServer.isUsed { return try TestServer.run(sql, for: file) }
    var connection: OpaquePointer?
    defer { sqlite3_close_v2(connection) }
    try #require(sqlite3_open(file, &connection) == SQLITE_OK)
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    try #require(sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK)
    var text = ""
    while sqlite3_step(statement) == SQLITE_ROW {
      text = sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? ""
    }
    return text
  }

  /// The path of the accounts file, in a directory that is created with it.
  var file: String { file("data/accounts.sqlite3") }
}

extension JSONValue {
  var outcome: String? { self["result"]?["outcome"]?.string }
  var errorCode: String? { self["error"]?["data"]?["code"]?.string }
  var errorNumber: Int? { self["error"]?["code"]?.integer }

  /// Returns the code of the first message at an item.
  func code(of item: String) -> String? {
    self["result"]?["items"]?[item]?[0]?["code"]?.string
  }
}

let ada = ["email": "ada@example.com", "userName": "ada", "password": "correct horse"]
