import Foundation
import TestServer
import TestSupport
import Testing

@Suite(.waits) struct ServiceAdministrationTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test func `accounts are added, listed, given a new password and removed`() throws {
    #expect(try run(["add", "--email", "ada@example.com", "--user-name", "ada"], "correct horse\n").output == "1\n")
    #expect(try run(["add", "--email=bob@example.com", "--user-name=bob"], "correct horse").output == "2\n")
    let list = try run(["list"]).output
    let format =
      #"^1\tada@example\.com\tada\t20\d\d-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-6]\dZ\t-\t-\t-\t-\t-\n2\tbob@example\.com\tbob\t.*Z\t-\t-\t-\t-\t-\n$"#
    #expect(list.range(of: format, options: .regularExpression) != nil, "\(list)")
    #expect(try run(["passwd", "ADA"], "another horse\r\n").status == 0)
    let login = ["userName": "ada", "password": "another horse"]
    #expect(try Service(directory.file).ask(1, "login", login).outcome == "accepted")
    #expect(try run(["remove", "bob@example.com"]).status == 0)
    #expect(try run(["list"]).output.hasPrefix("1\t"))
    #expect(try run(["list"]).output.split(separator: "\n").count == 1)
  }

  @Test func `control characters in stored accounts never reach the administrator's terminal`() throws {
    let service = try Service(directory.file)
    let person = [
      "email": "ada@example.com", "userName": "ada", "password": "correct horse", "team": "a\u{9B}2J\u{7F}",
    ]
    #expect(try service.ask(1, "setup", person).outcome == "accepted")
    #expect(try run(["show", "ada"]).output.contains("\nattributes: {\"team\":\"a?2J?\"}\n"))
    _ = try directory.run(
      "UPDATE accounts SET email = 'ada' || chr(27) || ']0;' || chr(10) || '@example.com'".replacingOccurrences(
        of: "chr", with: TestServer.isUsed ? "chr" : "char"))
    #expect(try run(["list"]).output.hasPrefix("1\tada?]0;?@example.com\tada\t"))
    #expect(try run(["show", "ada"]).output.contains("\nemail: ada?]0;?@example.com\n"))
  }

  @Test(
    arguments: [
      (["remove", "nobody"], "", "There is no such account."), (["expire", "nobody"], "", "There is no such account."),
      (["show", "nobody"], "", "There is no such account."), (["unlock", "nobody"], "", "There is no such account."),
      (["disable", "nobody"], "", "There is no such account."),
      (["enable", "nobody"], "", "There is no such account."),
      (["recovery-codes", "nobody"], "", "There is no such account."),
      (["recovery-codes", "nobody", "--off"], "", "There is no such account."),
      (["one-time-codes", "nobody"], "123456", "There is no such account."),
      (["one-time-codes", "nobody", "--off"], "", "There is no such account."),
      (["passwd", "nobody"], "x", "There is no such account."),
      (["add", "--email", "a@b", "--user-name", "a"], "", "There is no password"),
      (["add", "--email", "a@b", "--user-name", "a"], "short", "at least 9 characters"),
      (["add", "--email", "a", "--user-name", "a@"], "correct horse", "no email address"),
    ])
  func `a command that fails reports the reason and exits with status 1`(
    arguments: [String], input: String, error: String
  ) throws {
    // This creates the accounts file.
    _ = try Service(directory.file).ask(1, "setup", ada)
    let result = try run(arguments, input)
    #expect(result.status == 1)
    #expect(result.error.contains(error))
    #expect(result.output == "")
  }

  @Test func `a byte order mark is ignored at the start of a password, and is part of the password elsewhere`() throws {
    let add = ["add", "--email", "ada@example.com", "--user-name", "ada"]
    #expect(try run(add, "\u{FEFF}correct horse\n").status == 0)
    #expect(
      try Service(directory.file).ask(1, "login", ["userName": "ada", "password": "correct horse"]).outcome
        == "accepted")
    #expect(try run(["passwd", "ada"], "\u{FEFF}another horse").status == 0)
    #expect(
      try Service(directory.file).ask(1, "login", ["userName": "ada", "password": "another horse"]).outcome
        == "accepted")
    #expect(try run(["passwd", "ada"], "\u{FEFF}").error.contains("There is no password"))
  }

  @Test(
    arguments: [
      ["dance"], ["remove"], ["passwd", "a", "b"], ["add"], ["list", "x"], ["--hash-cost", "12"], ["--hash-cost"],
      ["--clock", "broken"], ["--clock=broken"], ["--frob"], ["--file="], ["list", "--off=yes"],
      ["list", "--email", "x"], ["--hardening", "maybe"], ["recovery-codes"],
      ["expire"], ["expire", "a", "b"], ["backup"], ["backup", "a", "b"], ["check", "x"], ["show"], ["unlock"],
      ["disable", "a", "b"], ["enable"], ["export", "x"],
      ["import", "x"], ["check", "--count", "3"],
      ["recovery-codes", "a", "--count", "0"], ["recovery-codes", "a", "--count", "101"],
      ["recovery-codes", "a", "--count", "3", "--off"], ["list", "--off"], ["expire", "a", "--count", "3"],
      ["one-time-codes"], ["one-time-codes", "a", "b"], ["one-time-codes", "a", "--count", "3"],
      ["one-time-codes", "a", "--off", "--issuer", "x"], ["list", "--issuer", "x"],
    ])
  func `wrong arguments are reported with exit status 2`(arguments: [String]) throws {
    let result = try run(arguments)
    #expect(result.status == 2)
    #expect(result.error.contains("--help"))
    #expect(result.output == "")
  }

  @Test(.onFile) func `help lists commands and options`() throws {
    let result = try run(["--help"])
    #expect(result.status == 0)
    for word in [
      "add", "list", "remove", "passwd", "recovery-codes", "--count", "--off", "one-time-codes", "--issuer", "expire",
      "--file", "--hash-cost", "--clock", "--hardening", "backup", "check", "show", "unlock", "disable", "enable",
      "export",
      "import", "--settings",
    ] {
      #expect(result.output.contains(word))
    }
  }

  @Test func `login-accounts --version prints the version in the same format as login-engine --version`() throws {
    let result = try run(["--version"])
    #expect(result.status == 0)
    let versions = try #require(result.output.wholeMatch(of: #/(.+) \d+\.\d+\.\d+, protocol \d+\.\d+(, build \S+)?\n/#))
    #expect(versions.1 == Service.program)
  }

  @Test
  func `administrators can create, replace and turn off recovery codes, and the list shows how many are left`() throws {
    _ = try Service(directory.file).ask(1, "setup", ada)
    let printed = try run(["recovery-codes", "ADA@example.com"])
    #expect(printed.status == 0)
    #expect(printed.error == "")
    #expect(printed.output.wholeMatch(of: /([0-9A-Z]{4}(-[0-9A-Z]{4}){3}\n){10}/) != nil)
    #expect(try run(["list"]).output.contains("Z\t10\t-\t-\t"))
    #expect(try run(["recovery-codes", "ada", "--count=2"]).output.split(separator: "\n").count == 2)
    #expect(try run(["expire", "ada"]).output == "")
    #expect(try run(["list"]).output.contains("Z\t2\texpired\t-\t"))
    let off = try run(["recovery-codes", "ada", "--off"])
    #expect(off.status == 0)
    #expect(off.output == "")
    #expect(try run(["passwd", "ada"], "another horse\n").status == 0)
    #expect(try run(["list"]).output.contains("Z\t-\t-\t-\t"))
  }

  @Test(
    .onFile,
    arguments: [
      ["list"], ["show", "ada"], ["unlock", "ada"], ["disable", "ada"], ["enable", "ada"], ["export"],
      ["remove", "ada"], ["passwd", "ada"], ["expire", "ada"], ["recovery-codes", "ada"],
      ["recovery-codes", "ada", "--off"], ["one-time-codes", "ada"], ["one-time-codes", "ada", "--off"],
      ["check"], ["backup", "/tmp/never-made.sqlite3"],
    ])
  func `an administrator's command reports a missing accounts file and does not create it`(arguments: [String]) throws {
    let result = try run(arguments, "correct horse\n")
    #expect(result.status == 1)
    #expect(result.error == "login-accounts: There is no accounts file \(directory.file).\n")
    #expect(result.output == "")
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
  }

  @Test(.onFile) func `the accounts of a running service can be backed up, but never over an existing file`() throws {
    let service = try Service.withAda(directory.file)
    let copy = directory.file("copy.sqlite3")
    let made = try run(["backup", copy])
    #expect(made.status == 0)
    #expect(made.output + made.error == "")
    let again = try run(["backup", copy])
    #expect(again.status == 1)
    #expect(again.error == "login-accounts: There is a file \(copy) already.\n")
    let nowhere = try run(["backup", directory.file("no/such/folder") + "/\0"])
    #expect(nowhere.status == 1)
    let login = ["userName": "ada", "password": "correct horse"]
    #expect(try Service(copy).ask(1, "login", login).outcome == "accepted")
    #expect(try service.ask(2, "login", login).outcome == "accepted")
  }

  @Test(.onFile) func `the check command prints one line per problem, and nothing for a sound accounts file`() throws {
    _ = try Service.withAda(directory.file)
    let right = try run(["check"])
    #expect(right.status == 0)
    #expect(right.output + right.error == "")
    chmod(directory.file, 0o644)
    chmod(directory.path + "/data", 0o707)
    let open = try run(["check"])
    #expect(open.status == 1)
    let folder = directory.path + "/data"
    let help = "take that right away with chmod o-w \(folder), or use a folder of your own."
    #expect(
      open.output
        == "Others could replace the file: \(folder) can be written by everyone: \(help)\nThe file can be read by everyone.\n"
    )
    try Data("not a database at all".utf8).write(to: URL(fileURLWithPath: directory.path + "/other"))
    let other = try Service.run(directory.path + "/other", ["check"], "")
    #expect(other.status == 1)
    #expect(other.output.contains("The file is not an accounts database.\n"))
  }

  @Test(
    .onFile,
    arguments: [
      "recovery-codes ada", "one-time-codes ada", "list", "show ada", "export",
      "add --email b@example.com --user-name bob --minimum-password-length 9",
    ])
  func `output that cannot be written is reported with exit status 1`(command: String) throws {
    _ = try Service(directory.file).ask(1, "setup", ada)
    let full = try run(
      [
        "-c",
        "echo correct horse | exec \"$0\" --file \"$1\" --hash-cost 1 \(command) > /dev/full",
        BuiltProgram.loginAccounts,
      ],
      of: "/bin/sh")
    #expect(full.status == 1)
    #expect(full.error.contains("could not be written"))
  }

  private func run(_ arguments: [String], of program: String) throws -> (status: Int32, error: String) {
    let process = Process()
    let error = Pipe()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments + [directory.file]
    process.standardError = error
    try process.run()
    process.waitUntilExit()
    return (
      process.terminationStatus, String(decoding: error.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    )
  }

  private func run(_ arguments: [String], _ input: String = "") throws -> (status: Int32, output: String, error: String)
  {
    try Service.run(directory.file, arguments, input)
  }
}
