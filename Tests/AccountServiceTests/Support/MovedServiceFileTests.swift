import CAccountLibraries
import Foundation
import JSONCodec
import TestSupport
import Testing

/// Tests in which an operator moves the files of a running service. Acknowledged changes in these
/// files must not be lost.
@Suite(.waits, .onFile) struct MovedServiceFileTests {
  let directory: TemporaryDirectory
  let login = ["userName": "ada", "password": "correct horse"]

  init() throws { directory = try TemporaryDirectory() }

  private func person(_ name: String) -> [String: String] {
    ["email": name + "@example.com", "userName": name, "password": "correct horse"]
  }

  @Test func `if the accounts file is renamed, requests fail until it is back, and no other file is created`() throws {
    let service = try Service(directory.file)
    #expect(try service.ask(1, "setup", ada).outcome == "accepted")
    let elsewhere = directory.path + "/elsewhere.sqlite3"
    try FileManager.default.moveItem(atPath: directory.file, toPath: elsewhere)
    for attempt in 2...4 {
      let answer = try service.ask(attempt, "setup", person("bob"))
      #expect(answer.errorCode == "accountsUnavailable")
      #expect(answer["error"]?["message"]?.string?.contains("was moved, removed or replaced") == true)
    }
    #expect(!FileManager.default.fileExists(atPath: directory.file))
    try FileManager.default.moveItem(atPath: elsewhere, toPath: directory.file)
    #expect(try service.ask(5, "setup", person("bob")).outcome == "accepted")
    #expect(try service.ask(6, "login", login).outcome == "accepted")
    service.closeInput()
    let told = service.wait().error
    #expect(told.split(separator: "\n").count == 1)
    #expect(!told.contains("bob"))
  }

  @Test func `a running service refuses a file that replaced its accounts file, but a new process may use it`() throws {
    let service = try Service(directory.file)
    #expect(try service.ask(1, "setup", ada).outcome == "accepted")
    let backup = directory.path + "/backup.sqlite3"
    #expect(try Service.run(directory.file, ["backup", backup], "").status == 0)
    #expect(rename(backup, directory.file) == 0)
    for attempt in 2...3 { #expect(try service.ask(attempt, "login", login).errorCode == "accountsUnavailable") }
    service.closeInput()
    _ = service.wait()
    #expect(try Service(directory.file).ask(1, "login", login).outcome == "accepted")
  }

  @Test func `if the directory of the accounts file is removed, a running service does not create it again`() throws {
    let service = try Service(directory.file)
    #expect(try service.ask(1, "setup", ada).outcome == "accepted")
    try FileManager.default.removeItem(atPath: directory.path + "/data")
    #expect(try service.ask(2, "setup", person("bob")).errorCode == "accountsUnavailable")
    #expect(!FileManager.default.fileExists(atPath: directory.path + "/data"))
  }

  @Test(arguments: [["-wal"], ["-shm"], ["-wal", "-shm"]])
  func `if SQLite's log or index is removed, no change that was acknowledged before or after that is lost`(
    suffixes: [String]
  ) throws {
    let service = try Service(directory.file)
    var acknowledged: [String] = []
    func signUp(_ range: ClosedRange<Int>) throws {
      for attempt in range where try service.ask(attempt, "setup", person("n\(attempt)")).outcome == "accepted" {
        acknowledged.append("n\(attempt)")
      }
    }
    try signUp(1...3)
    for suffix in suffixes { try FileManager.default.removeItem(atPath: directory.file + suffix) }
    let refused = try service.ask(4, "setup", person("refused"))
    #expect(refused.errorCode == "accountsUnavailable")
    try signUp(5...7)
    #expect(acknowledged.count == 6)
    service.signal(SIGKILL)
    _ = service.wait()
    let after = try Service(directory.file)
    for (index, name) in acknowledged.enumerated() {
      let login = ["userName": name, "password": "correct horse"]
      #expect(try after.ask(index, "login", login).outcome == "accepted", "\(name)")
    }
    #expect(try Service.run(directory.file, ["check"], "").status == 0)
  }

  @Test func `while a process has SQLite's removed log open, no other process creates a new log`() throws {
    let service = try Service(directory.file)
    #expect(try service.ask(1, "setup", ada).outcome == "accepted")
    for suffix in ["-wal", "-shm"] { try FileManager.default.removeItem(atPath: directory.file + suffix) }
    let list = try Service.run(directory.file, ["list"], "")
    #expect(list.status == 1)
    #expect(list.error.contains("was moved, removed or replaced"))
    #expect(try Service(directory.file).ask(1, "setup", person("bob")).errorCode == "accountsUnavailable")
    #expect(!FileManager.default.fileExists(atPath: directory.file + "-wal"))
    // The first process notices that its log was removed, saves its changes, and continues.
    #expect(try service.ask(2, "setup", person("bob")).errorCode == "accountsUnavailable")
    #expect(try service.ask(3, "setup", person("bob")).outcome == "accepted")
    #expect(try Service.run(directory.file, ["list"], "").output.split(separator: "\n").count == 2)
  }
}

/// Tests in which files are moved while the service processes a request.
@Suite(.waits, .onFile) struct MovedDuringRequestTests {
  /// The first request may open the files before or after they are removed. The test expects the
  /// same in both cases.
  @Test func `while a thread has SQLite's removed log open, no other thread of the process creates a new log`() throws {
    let directory = try TemporaryDirectory()
    let first = try Service(directory.file)
    #expect(try first.ask(1, "setup", ada).outcome == "accepted")
    first.closeInput()
    _ = first.wait()
    // Hashing takes so long that the second request arrives meanwhile.
    _ = try Service.run(directory.file, ["passwd", "ada", "--hash-cost", "8"], "correct horse\n")
    let service = try Service(directory.file)
    let bob = ["email": "bob@example.com", "userName": "bob", "password": "correct horse"]
    #expect(try service.ask(2, "setup", bob).outcome == "accepted")
    service.send(Service.submit(3, "login", ["userName": "ada", "password": "correct horse"]))
    usleep(60_000)
    for suffix in ["-wal", "-shm"] { try FileManager.default.removeItem(atPath: directory.file + suffix) }
    let eve = ["email": "eve@example.com", "userName": "eve", "password": "correct horse"]
    service.send(Service.submit(4, "setup", eve))
    let answers = try [service.nextAnswer(), service.nextAnswer()]
    #expect(answers.first { $0["id"]?.integer == 4 }?.errorCode == "accountsUnavailable", "\(answers.map(\.text))")
    // Acknowledged changes are saved, and the service continues.
    let again = eventually {
      (try? service.ask(5, "login", ["userName": "bob", "password": "correct horse"]))?.outcome == "accepted"
    }
    #expect(again)
    #expect(try Service.run(directory.file, ["check"], "").status == 0)
  }
}

/// Tests with files that are damaged or not safe when the service opens them.
@Suite(.waits, .onFile) struct UnsoundFileTests {
  let directory: TemporaryDirectory
  let login = ["userName": "ada", "password": "correct horse"]

  init() throws {
    directory = try TemporaryDirectory()
    let service = try Service(directory.file)
    #expect(try service.ask(1, "setup", ada).outcome == "accepted")
    service.closeInput()
    _ = service.wait()
  }

  private func sql(_ text: String) {
    var connection: OpaquePointer?
    defer { sqlite3_close_v2(connection) }
    #expect(sqlite3_open(directory.file, &connection) == SQLITE_OK)
    #expect(sqlite3_exec(connection, text, nil, nil, nil) == SQLITE_OK)
  }

  @Test func `an accounts file writable by everyone is refused, and one readable by everyone is reported`() throws {
    chmod(directory.file, 0o666)
    let service = try Service(directory.file)
    #expect(try service.ask(1, "login", login).errorCode == "accountsUnavailable")
    chmod(directory.file, 0o644)
    #expect(try service.ask(2, "login", login).outcome == "accepted")
    service.closeInput()
    #expect(
      service.wait().error == """
        login-accounts: The accounts file can be read by everyone. Take that right away with chmod o-r.
        login-accounts: The accounts file is not used, as others could replace it: \(directory.file) can be written by everyone: take that right away with chmod o-w \(directory.file), or use a folder of your own.

        """)
  }

  @Test func `an accounts file of a newer version is reported, with its version and that of the program`() throws {
    sql("PRAGMA user_version = 77")
    let answer = try Service(directory.file).ask(1, "login", login)
    #expect(answer.errorCode == "accountsUnavailable")
    #expect(
      answer["error"]?["message"]?.string
        == "A newer version of this program made the accounts file: its tables have version 77, this one knows 1.")
  }

  @Test func `an accounts file with damaged tables or pages accepts no sign-ups`() throws {
    sql("DROP INDEX tries_by_age")
    let service = try Service(directory.file)
    for attempt in 1...2 {
      let person = ["email": "b@example.com", "userName": "b", "password": "correct horse"]
      let answer = try service.ask(attempt, "setup", person)
      #expect(answer.errorCode == "accountsFailed")
      #expect(answer["error"]?["message"]?.string?.contains("are damaged") == true)
    }
    #expect(try Service.run(directory.file, ["check"], "").output == "The tables are not those of version 1.\n")
  }

  @Test func `a table that an administrator adds to the accounts file does no harm, and the command check reports it`()
    throws
  {
    sql("CREATE TABLE notes (text); CREATE INDEX by_time ON accounts (created_ms); ANALYZE")
    #expect(try Service(directory.file).ask(1, "login", login).outcome == "accepted")
    #expect(try Service.run(directory.file, ["check"], "").output == "The tables are not those of version 1.\n")
  }
}
