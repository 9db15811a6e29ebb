import Foundation
import JSONCodec
import TestServer
import TestSupport
import Testing

/// Tests that the service has given up rights.
@Suite(.waits) struct FencedServiceTests {
  let directory: TemporaryDirectory
  let mails: Mails

  init() throws {
    directory = try TemporaryDirectory()
    mails = Mails(directory: directory.path)
  }

  /// Returns the system's view of a process: whether it can gain rights by executing programs, and
  /// how its system calls are restricted.
  private static func fence(of process: Int32) throws -> [String] {
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    return status.split(separator: "\n").filter { $0.hasPrefix("NoNewPrivs:") || $0.hasPrefix("Seccomp:") }
      .map { String($0.split(separator: "\t")[1]) }
  }

  private func setup(_ name: String, _ password: String) -> [String: String] {
    ["email": "\(name)@example.com", "userName": name, "password": password]
  }

  @Test("a fenced service creates its directories, and opens nothing outside of them")
  func files() throws {
    let elsewhere = try TemporaryDirectory()
    let (lists, outside) = (directory.path + "/lists", elsewhere.path + "/outside")
    try FileManager.default.createDirectory(atPath: lists, withIntermediateDirectories: false)
    let list = lists + "/list"
    try "a bad password\n".write(toFile: list, atomically: true, encoding: .utf8)
    try "another bad password\n".write(toFile: outside, atomically: true, encoding: .utf8)
    let outbox = elsewhere.path + "/outbox"
    let service = try Service(
      directory.path + "/deep/down/accounts.sqlite3",
      [
        "--blocklist", list, "--outbox", outbox, "--pepper", directory.path + "/pepper", "--minimum-password-length",
        "8",
      ])
    #expect(try service.ask(1, "setup", setup("ada", "correct horse")).outcome == "accepted")
    #expect(try service.ask(2, "forgotPassword", ["email": "ada@example.com"]).outcome == "notice")
    let mail = eventually { (try? FileManager.default.contentsOfDirectory(atPath: outbox))?.isEmpty == false }
    #expect(mail)
    #expect(try Self.fence(of: service.processID) == ["1", "2"])
    // A file that replaces the blocklist is read, and a file elsewhere is not. A service with a
    // database server may read every file.
    try "another horse\n".write(toFile: list, atomically: true, encoding: .utf8)
    #expect(try service.ask(3, "setup", setup("eve", "another horse")).outcome == "rejected")
    try FileManager.default.removeItem(atPath: list)
    try FileManager.default.createSymbolicLink(atPath: list, withDestinationPath: outside)
    let answer = try service.ask(4, "setup", setup("bob", "a third horse"))
    service.closeInput()
    let (status, errors) = service.wait()
    #expect(status == 0)
    if TestServer.isUsed {
      #expect(answer.outcome == "accepted")
    } else {
      #expect(answer.outcome != "accepted")
      #expect(errors == "\(Service.program): The blocklist cannot be read: Permission denied.\n")
    }
  }

  @Test("without a fence, the service gives up no rights")
  func off() throws {
    let service = try Service(directory.file("accounts.sqlite3"), ["--fence", "off"])
    #expect(try service.ask(1, "setup", setup("ada", "correct horse")).outcome == "accepted")
    #expect(try Self.fence(of: service.processID) == ["0", "0"])
  }

  @Test(
    "the mail command has all rights of its user, while the fenced service that runs it does not",
    arguments: ["on", "off"])
  func mailCommand(fence: String) throws {
    let command = try mails.script(
      """
      cat > '\(directory.path)/mail'
      grep -E '^(NoNewPrivs|Seccomp):' /proc/self/status > '\(directory.path)/status'
      """)
    let service = try Service(directory.file("accounts.sqlite3"), command + ["--fence", fence])
    #expect(try service.ask(1, "setup", setup("ada", "correct horse")).outcome == "accepted")
    #expect(try service.ask(2, "forgotPassword", ["email": "ada@example.com"]).outcome == "notice")
    #expect(try mails.lines("status", 2) == ["NoNewPrivs:\t0", "Seccomp:\t0"])
    #expect(try Self.fence(of: service.processID) == (fence == "on" ? ["1", "2"] : ["0", "0"]))
    service.closeInput()
    #expect(service.wait() == (0, ""))
  }

  @Test("a service that has lost the process that starts the mail command reports it and ends with status 1")
  func starterGone() throws {
    let service = try Service(directory.file("accounts.sqlite3"), ["--mail-command", "true"])
    #expect(try service.ask(1, "setup", setup("ada", "correct horse")).outcome == "accepted")
    let children = try String(
      contentsOfFile: "/proc/\(service.processID)/task/\(service.processID)/children", encoding: .utf8)
    let starter = try #require(children.split(separator: " ").first.flatMap { Int32($0) })
    kill(starter, SIGKILL)
    let (status, errors) = service.wait()
    #expect(status == 1)
    #expect(errors.contains("The process login-starter, which starts the command for mails, has ended"))
  }
}
