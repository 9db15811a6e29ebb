import CAccountLibraries
import Foundation
import JSONCodec
import System
import TestSupport
import Testing

/// Faults of the accounts file: a session shows each fault, and logins work again once the file is
/// repaired.
@Suite(.waits) struct AccountFileTests {
  private func code(_ engine: RunningEngine, _ session: String) throws -> String? {
    try engine.send(Line.login(session))
    return try engine.update(of: session, "requestFailed").shownError
  }

  @Test("logins fail while the accounts file is no database, and work again after the file is removed")
  func notADatabase() throws {
    let directory = try Directory()
    _ = try directory.write("not a database at all, and long enough to be sure of it", to: "accounts.sqlite3")
    let engine = try RunningEngine(in: directory)
    #expect(try code(engine, "a") == "network.accountsNotADatabase")
    #expect(try code(engine, "b") == "network.accountsNotADatabase")
    try FileManager.default.removeItem(atPath: directory.accounts)
    #expect(try code(engine, "c") == "invalidCredentials")
  }

  @Test("logins fail while there is a directory in place of the accounts file")
  func directoryInPlace() throws {
    let directory = try Directory()
    try FileManager.default.createDirectory(atPath: directory.accounts, withIntermediateDirectories: false)
    #expect(try code(try RunningEngine(in: directory), "a") == "network.accountsUnavailable")
  }

  @Test("logins fail while another program has locked the accounts file, and work again after the file is unlocked")
  func locked() throws {
    let directory = try Directory()
    let engine = try RunningEngine(in: directory)
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
    "logins fail if the accounts file is read-only",
    .enabled(if: geteuid() != 0 || FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")))
  func readOnly() throws {
    let directory = try Directory()
    let first = try RunningEngine(in: directory)
    try first.send(Line.setup("a", "ada@example.com", "ada", "correct horse"))
    _ = try first.update(of: "a", "requestSucceeded")
    #expect(try first.finish().status == .exited(0))
    chmod(directory.path, 0o755)
    chmod(directory.accounts, 0o444)
    let nobody = ["--reuid=65534", "--regid=65534", "--clear-groups"]
    // The user nobody may not enter the folder of the user who runs the tests.
    let program = directory.path + "/login-engine"
    // Another process copies the program. If this process did, a child that another test starts
    // meanwhile would inherit the copy open for writing, and the copy could not be run.
    let programs = [RunningEngine.executable, BuiltProgram.loginAccounts]
    try Process.run(URL(fileURLWithPath: "/bin/cp"), arguments: programs + [directory.path]).waitUntilExit()
    let flow = directory.path + "/flow.json"
    try FileManager.default.copyItem(atPath: Fixtures.path("flows/example.json"), toPath: flow)
    let options = ["--accounts", directory.accounts, "--flow", flow]
    let engine =
      geteuid() == 0
      ? try RunningEngine(
        nobody + [program] + options, in: directory, executable: "/usr/bin/setpriv", usesDefaults: false)
      : try RunningEngine(in: directory)
    #expect(try code(engine, "a") == "network.accountsReadOnly")
  }
}
