import Foundation
import JSONCodec
import TestSupport
import Testing

@Suite(.waits) struct MailCommandTests {
  let directory: TemporaryDirectory
  let mails: Mails

  init() throws {
    directory = try TemporaryDirectory()
    mails = Mails(directory: directory.path)
  }

  /// Signs up `count` users and requests a reset code for each.
  private func askForCodes(_ service: Service, _ count: Int, from first: Int = 0) throws {
    for index in first..<first + count {
      let email = "u\(index)@example.com"
      let setup = ["email": email, "userName": "u\(index)", "password": "correct horse"]
      #expect(try service.ask(1, "setup", setup).outcome == "accepted")
      #expect(try service.ask(2, "forgotPassword", ["email": email]).outcome == "notice")
    }
  }

  @Test func `the mail command receives the mail and its recipient, as sendmail does`() throws {
    let command = try mails.script(
      """
      cat > '\(directory.path)/mail'
      echo "$# $1" > '\(directory.path)/words'; shift
      for word; do echo "$word" >> '\(directory.path)/words'; done
      echo noise; echo u0@example.com >&2
      """)
    let service = try Service(directory.file, command)
    try askForCodes(service, 1)
    service.closeInput()
    #expect(service.wait() == (0, ""))
    #expect(try mails.lines("words", 4) == ["4 two words", "-i", "--", "u0@example.com"])
    let text = try String(contentsOfFile: directory.path + "/mail", encoding: .utf8)
    #expect(text.hasPrefix("From: login-engine@"))
    #expect(text.contains("\nTo: u0@example.com\nSubject: Your code for a new password\nDate: "))
    #expect(text.contains("\n\nSomebody, probably you,"))
    let code = try Mails.code(text)
    let reset = ["email": "u0@example.com", "code": code, "password": "another horse"]
    #expect(try Service(directory.file).ask(1, "resetPassword", reset).outcome == "notice")
    #expect(mails.namesNow.isEmpty)
  }

  @Test func `a mail command that hangs delays no answer and is killed, and the waiting mails are then delivered`()
    throws
  {
    // The command hangs for the first four mails, which is the maximum number of concurrent runs.
    let command = try mails.script(
      """
      cat > /dev/null
      echo $$ >> '\(directory.path)/pids'
      case "$4" in u[0-3]@*) exec sleep 1000;; esac
      echo "$4" >> '\(directory.path)/mailed'
      """)
    // The time limit is long enough for a script that does not hang, on any machine.
    let service = try Service(directory.file, command + ["--mail-timeout", "6"])
    try askForCodes(service, 6)
    let pids = try mails.lines("pids", 6).compactMap { Int32($0) }
    // The hanging commands were killed. Otherwise the command for the fifth mail could not have
    // started.
    #expect(try Set(mails.lines("mailed", 2)) == ["u4@example.com", "u5@example.com"])
    #expect(try service.ask(3, "login", ["userName": "u0", "password": "correct horse"]).outcome == "accepted")
    service.closeInput()
    let (status, error) = service.wait()
    #expect(status == 0)
    let line =
      "\(Service.program): A mail could not be handed over: the command took longer than 6 s and was killed.\n"
    #expect(error == String(repeating: line, count: 4))
    for pid in pids { #expect(kill(pid, 0) != 0) }
  }

  @Test func `at the end of input, mails whose command hangs are dropped in time, and their number is reported`() throws
  {
    let command = try mails.script("echo $$ >> '\(directory.path)/pids'; exec sleep 1000")
    let service = try Service(directory.file, command + ["--mail-timeout", "2"])
    try askForCodes(service, 6)
    service.closeInput()
    let (status, error) = service.wait()
    #expect(status == 0)
    #expect(error.contains("were not handed over before the end.\n") || error.contains("took longer than 2 s"))
    #expect(!error.contains("@"))
    // Some commands may have been killed before they had written their process ids.
    for pid in try mails.lines("pids", 1).compactMap({ Int32($0) }) { #expect(kill(pid, 0) != 0) }
  }

  @Test func `the mail command has as much time after SIGTERM as after the end of input`() throws {
    let command = try mails.script(
      "cat > /dev/null; echo > '\(directory.path)/begun'; sleep 3; echo > '\(directory.path)/mailed'")
    let service = try Service(directory.file, command)
    try askForCodes(service, 1)
    _ = try mails.lines("begun", 1)
    service.signal(SIGTERM)
    #expect(service.wait() == (0, ""))
    _ = try mails.lines("mailed", 1)
  }

  @Test func `after a second SIGTERM, the service waits for no mail and reports the mails that were not sent`() throws {
    let command = try mails.script("echo $$ >> '\(directory.path)/pids'; exec sleep 1000")
    let service = try Service(directory.file, command + ["--mail-timeout", "600"])
    try askForCodes(service, 1)
    let pid = try #require(try mails.lines("pids", 1).first.flatMap { Int32($0) })
    // Two signals that arrive at the same time count as one.
    for _ in 0..<40 {
      service.signal(SIGTERM)
      usleep(50_000)
    }
    #expect(service.wait() == (0, "\(Service.program): 1 mails were not handed over before the end.\n"))
    _ = try mails.waiting {
      kill(pid, 0)
    } until: {
      $0 != 0
    }
  }

  @Test(
    arguments: [
      ("exit 75", "the command failed (exited with 75)"), ("kill -9 $$", "the command failed (killed by signal 9)"),
      ("exec 0<&-; exit 3", "the command failed (exited with 3)"),
    ])
  func `a failing mail command is reported without the address or the code`(script: String, reason: String) throws {
    let service = try Service(directory.file, try mails.script(script))
    try askForCodes(service, 1)
    service.closeInput()
    #expect(service.wait() == (0, "\(Service.program): A mail could not be handed over: \(reason).\n"))
  }

  @Test func `a missing mail command is reported, and the answers do not change`() throws {
    let service = try Service(directory.file, ["--mail-command", "/no/such/program"])
    try askForCodes(service, 1)
    service.closeInput()
    let reason = "exec /no/such/program: No such file or directory"
    #expect(service.wait() == (0, "\(Service.program): A mail could not be handed over: \(reason).\n"))
  }

  @Test(
    arguments: [
      ["--mail-command", "'open"], ["--mail-command", " "], ["--mail-timeout", "0"], ["--mail-timeout", "3601"],
      ["list", "--outbox", "x"], ["remove", "ada", "--mail-command", "x"],
      ["add", "--email", "a@b", "--user-name", "a", "--outbox", "x"],
    ])
  func `invalid mail options are reported with exit status 2`(arguments: [String]) throws {
    let service = try Service(directory.file, arguments)
    let (status, error) = service.wait()
    #expect(status == 2)
    #expect(error.contains("--help"))
  }
}

/// Tests of mails for addresses that belong to no account.
@Suite(.waits) struct RecipientlessMailTests {
  let directory: TemporaryDirectory
  let mails: Mails
  let nobody = ["email": "nobody@example.com"]

  init() throws {
    directory = try TemporaryDirectory()
    mails = Mails(directory: directory.path)
  }

  @Test
  func `a reset request for an unknown address also writes into the outbox's directory, but leaves no file there`()
    throws
  {
    let service = try Service(directory.file)
    #expect(try service.ask(1, "forgotPassword", nobody).outcome == "notice")
    _ = try mails.waiting {
      FileManager.default.fileExists(atPath: mails.outbox)
    } until: {
      $0
    }
    service.closeInput()
    #expect(service.wait() == (0, ""))
    #expect(mails.namesNow.isEmpty)
  }

  @Test func `a reset request for an unknown address starts an idle process in place of the mail command`() throws {
    let command = try mails.script("echo >> '\(directory.path)/mailed'")
    let folder = directory.file("bin")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    try "#!/bin/sh\necho $# >> '\(directory.path)/idle'\nexit 7\n".write(
      toFile: folder + "/true", atomically: true, encoding: .utf8)
    chmod(folder + "/true", 0o700)
    let service = try Service(directory.file, command, environment: ["PATH": folder])
    #expect(try service.ask(1, "forgotPassword", nobody).outcome == "notice")
    #expect(try mails.lines("idle", 1) == ["0"])
    service.closeInput()
    #expect(service.wait() == (0, ""))
    #expect(!FileManager.default.fileExists(atPath: directory.path + "/mailed"))
  }

  @Test func `reset requests for unknown addresses do not delay the end of the service`() throws {
    let service = try Service(directory.file, ["--mail-timeout", "3600"])
    for attempt in 1...20 {
      let values = ["email": "n\(attempt)@example.com"]
      #expect(try service.ask(attempt, "forgotPassword", values).outcome == "notice")
    }
    service.closeInput()
    #expect(service.wait() == (0, ""))
    #expect(mails.namesNow.isEmpty)
  }
}
