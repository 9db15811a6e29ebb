import CAccountLibraries
import Foundation
import JSONCodec
import System
import TestSupport
import Testing

/// What is wrong with the accounts file is told at the session, and is over once it is put right.
@Suite(.waits) struct AccountFileTests {
  private func code(_ engine: Running, _ session: String) throws -> String? {
    try engine.send(Line.login(session))
    return try engine.update(of: session, "requestFailed").shownError
  }

  @Test("a file that is no database, until it is gone")
  func notADatabase() throws {
    let directory = try Directory()
    _ = try directory.write("not a database at all, and long enough to be sure of it", to: "accounts.sqlite3")
    let engine = try Running(in: directory)
    #expect(try code(engine, "a") == "network.accountsNotADatabase")
    #expect(try code(engine, "b") == "network.accountsNotADatabase")
    try FileManager.default.removeItem(atPath: directory.accounts)
    #expect(try code(engine, "c") == "invalidCredentials")
  }

  @Test("a directory in its place")
  func directoryInPlace() throws {
    let directory = try Directory()
    try FileManager.default.createDirectory(atPath: directory.accounts, withIntermediateDirectories: false)
    #expect(try code(try Running(in: directory), "a") == "network.accountsUnavailable")
  }

  @Test("a file that another program has locked, until it lets go")
  func locked() throws {
    let directory = try Directory()
    let engine = try Running(in: directory)
    #expect(try code(engine, "a") == "invalidCredentials")
    var connection: OpaquePointer?
    #expect(sqlite3_open(directory.accounts, &connection) == SQLITE_OK)
    defer { sqlite3_close_v2(connection) }
    #expect(sqlite3_exec(connection, "BEGIN EXCLUSIVE", nil, nil, nil) == SQLITE_OK)
    #expect(try code(engine, "b") == "network.accountsLocked")
    #expect(sqlite3_exec(connection, "ROLLBACK", nil, nil, nil) == SQLITE_OK)
    try engine.send(Line.press("b", "retry"))
    #expect(try engine.update(of: "b", "requestFailed").shownError == "invalidCredentials")
  }

  @Test(
    "a file that may only be read",
    .enabled(if: geteuid() != 0 || FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")))
  func readOnly() throws {
    let directory = try Directory()
    let first = try Running(in: directory)
    try first.send(Line.setup("a", "ada@example.com", "ada", "correct horse"))
    _ = try first.update(of: "a", "requestSucceeded")
    #expect(try first.finish().status == .exited(0))
    chmod(directory.path, 0o755)
    chmod(directory.accounts, 0o444)
    let nobody = ["--reuid=65534", "--regid=65534", "--clear-groups"]
    // Nobody may not enter the folder of the person who runs the tests.
    let program = directory.path + "/login-engine"
    // By a process of its own: a child that another test starts meanwhile would hold the copy open for writing, and it could not be run.
    let programs = [Running.executable, BuiltProgram.loginAccounts]
    try Process.run(URL(fileURLWithPath: "/bin/cp"), arguments: programs + [directory.path]).waitUntilExit()
    let flow = directory.path + "/flow.json"
    try FileManager.default.copyItem(atPath: Fixtures.path("flows/example.json"), toPath: flow)
    let options = ["--accounts", directory.accounts, "--flow", flow]
    let engine =
      geteuid() == 0
      ? try Running(
        nobody + [program] + options, in: directory, executable: "/usr/bin/setpriv", usesDefaults: false)
      : try Running(in: directory)
    #expect(try code(engine, "a") == "network.accountsReadOnly")
  }
}
