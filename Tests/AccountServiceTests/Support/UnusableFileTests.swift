import CAccountLibraries
import Foundation
import JSONCodec
import TestSupport
import Testing

@Suite(.waits, .onFile) struct UnusableFileTests {
  let directory: TemporaryDirectory
  let login = ["userName": "ada", "password": "correct horse"]

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test func `requests fail as long as the accounts file is not a database`() throws {
    try FileManager.default.createDirectory(atPath: directory.path + "/data", withIntermediateDirectories: true)
    try Data("not a database at all".utf8).write(to: URL(fileURLWithPath: directory.file))
    chmod(directory.file, 0o600)
    let service = try Service(directory.file)
    for attempt in 1...2 {
      #expect(try service.ask(attempt, "login", login).errorCode == "accountsNotADatabase")
    }
    try FileManager.default.removeItem(atPath: directory.file)
    #expect(try service.ask(3, "setup", ada).outcome == "accepted")
    service.closeInput()
    // The problem is reported once, with the reason and without typed values.
    #expect(service.wait().error == "login-accounts: This is not an accounts database.\n")
  }

  @Test func `requests fail if there is a directory in the place of the accounts file`() throws {
    let service = try Service(directory.path)
    #expect(try service.ask(1, "login", login).errorCode == "accountsUnavailable")
  }

  @Test func `requests fail as long as another program has locked the accounts file`() throws {
    let service = try Service.withAda(directory.file)
    var connection: OpaquePointer?
    #expect(sqlite3_open(directory.file, &connection) == SQLITE_OK)
    defer { sqlite3_close_v2(connection) }
    #expect(sqlite3_exec(connection, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK)
    #expect(try service.ask(2, "login", login).errorCode == "accountsLocked")
    #expect(sqlite3_exec(connection, "ROLLBACK", nil, nil, nil) == SQLITE_OK)
    #expect(try service.ask(3, "login", login).outcome == "accepted")
  }

  @Test func `a lack of memory for a hash is reported as an error and does not end the service`() throws {
    // A hash of this cost takes a gibibyte.
    let limited = ["/bin/sh", "-c", "ulimit -v 900000; exec \"$@\"", "sh"]
    let service = try Service(directory.file, ["--hash-cost", "11"], prefix: limited)
    for attempt in 1...2 { #expect(try service.ask(attempt, "setup", ada).errorCode == "accountsFailed") }
    service.closeInput()
    let end = service.wait()
    #expect(end.status == 0 && end.error == "login-accounts: There is not enough memory.\n")
    #expect(try directory.run("SELECT count(*) FROM accounts") == "0")
  }

  @Test(.enabled(if: geteuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")))
  func `requests fail if the accounts file is read-only`() throws {
    _ = try Service(directory.file).ask(1, "setup", ada)
    for path in [directory.path, directory.path + "/data"] { chmod(path, 0o755) }
    chmod(directory.file, 0o444)
    // The user "nobody" may have no access to the folder of the user who runs the tests.
    let program = directory.path + "/login-accounts"
    // By a separate process: a child started by another test would keep the copy open for writing,
    // and it could not be executed.
    try Process.run(URL(fileURLWithPath: "/bin/cp"), arguments: [BuiltProgram.loginAccounts, program]).waitUntilExit()
    let prefix = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    let service = try Service(directory.file, prefix: prefix, executable: program)
    #expect(try service.ask(1, "login", login).errorCode == "accountsReadOnly")
    chmod(directory.path + "/data", 0o700)
    #expect(try service.ask(2, "login", login).errorCode == "accountsUnavailable")
  }

  @Test func `two processes can use one accounts file at the same time`() throws {
    let services = try (0..<2).map { _ in try Service(directory.file) }
    for attempt in 0..<40 {
      let values = ["email": "a\(attempt)@example.com", "userName": "a\(attempt)", "password": "correct horse"]
      for service in services { service.send(Service.submit(attempt, "setup", values)) }
    }
    var accepted: [Int: Int] = [:]
    for service in services {
      for _ in 0..<40 {
        let answer = try service.nextAnswer()
        if answer.outcome == "accepted" { accepted[answer["id"]?.integer ?? -1, default: 0] += 1 }
        #expect(answer["error"] == nil)
      }
    }
    #expect(accepted.values.allSatisfy { $0 == 1 })
  }
}
