import Foundation
import JSONCodec
import TestServer
import TestSupport
import Testing

/// Tests that typed names are read as the user means them, through the service's pipes and on the
/// command line.
@Suite(.waits) struct ServiceTypedNameTests {
  let directory: TemporaryDirectory
  let mails: Mails

  init() throws {
    directory = try TemporaryDirectory()
    mails = Mails(directory: directory.path)
  }

  @Test func `an account is found under every spelling of its names, which are stored without invisible characters`()
    throws
  {
    let service = try Service(directory.file)
    let setup = [
      "email": " user@b\u{FC}cher.example\n", "userName": "\u{FEFF}ada ", "password": "correct horse",
    ]
    let made = try service.ask(1, "setup", setup)
    #expect(made["result"]?["principal"]?.string == "ada")
    #expect(made["result"]?["data"]?["email"]?.string == "user@b\u{FC}cher.example")
    let spellings = [
      "user@xn--bcher-kva.example", "user@BÜCHER.example\t", "ｕｓｅｒ＠bücher。example", "\u{200B}ada", "ada\r\n",
    ]
    for (number, spelling) in spellings.enumerated() {
      for field in ["email", "userName"] {
        let login = try service.ask(2 + number, "login", [field: spelling, "password": "correct horse"])
        #expect(login["result"]?["principal"]?.string == "ada", "\(field) \(spelling)")
      }
      #expect(try Service.run(directory.file, ["show", spelling], "").output.contains("\nuser name: ada\n"))
    }
    let again = ["email": "user@xn--bcher-kva.example", "userName": "ada\u{2060}", "password": "correct horse"]
    let taken = try service.ask(20, "setup", again)
    #expect(taken.code(of: "email") == "email.taken")
    #expect(taken.code(of: "userName") == "userName.taken")
  }

  @Test func `the recipient's domain is given in A-labels, in a mail's header and to the mail command`() throws {
    let command = try mails.script(
      """
      cat > '\(directory.path)/mail'
      for word; do echo "$word" >> '\(directory.path)/words'; done
      """)
    let service = try Service(directory.file, command)
    let setup = ["email": "user@bücher.example", "userName": "ada", "password": "correct horse"]
    #expect(try service.ask(1, "setup", setup).outcome == "accepted")
    #expect(try service.ask(2, "forgotPassword", ["email": "user@bu\u{308}cher.example "]).outcome == "notice")
    service.closeInput()
    #expect(service.wait() == (0, ""))
    #expect(try mails.lines("words", 4).last == "user@xn--bcher-kva.example")
    let text = try String(contentsOfFile: directory.path + "/mail", encoding: .utf8)
    #expect(text.contains("\nTo: user@xn--bcher-kva.example\n"))
    // The code in another spelling is accepted.
    let code = try Mails.code(text).replacingOccurrences(of: "-", with: "\u{A0}\u{2014}")
    let wide = String(
      String.UnicodeScalarView(
        code.unicodeScalars.map { scalar in
          ("0"..."Z").contains(scalar) ? Unicode.Scalar(scalar.value + 0xFEE0) ?? scalar : scalar
        }))
    let reset = ["email": "user@xn--bcher-kva.example", "code": wide + "\n", "password": "another horse"]
    #expect(try Service(directory.file).ask(1, "resetPassword", reset).outcome == "notice")
  }

  @Test(arguments: ["correct horse\n", "correct horse\u{1}", "\u{1B}[Acorrect horse", "correct\u{2028}horse"])
  func
    `a new password with a control character is refused everywhere, and an existing one stays valid`(
      password: String
    ) throws
  {
    let service = try Service.withAda(directory.file)
    let bob = ["email": "bob@example.com", "userName": "bob", "password": password]
    #expect(try service.ask(2, "setup", bob).code(of: "password") == "value.unusable")
    let check = Service.submit(3, "setup", ["password": password])
      .replacing("authenticator/submit", with: "authenticator/check")
      .replacing(#""request""#, with: #""item":"password","request""#)
    #expect(try service.ask(check)["result"]?["message"]?["code"]?.string == "value.unusable")
    let reset = ["email": "ada@example.com", "code": "00000-00000", "password": password]
    #expect(try service.ask(4, "resetPassword", reset).code(of: "password") == "value.unusable")
    if !password.contains("\n") {
      for command in [["add", "--email", "bob@example.com", "--user-name", "bob"], ["passwd", "ada"]] {
        let refused = try Service.run(directory.file, command, password + "\n")
        #expect(refused.status == 1)
        #expect(refused.error.contains("contains characters that cannot be used"))
      }
    }
    #expect(try service.ask(5, "login", ["userName": "ada", "password": "correct horse"]).outcome == "accepted")
  }

  @Test func `the control sequences of a bracketed paste at a terminal are not part of a password`() throws {
    let marks = ("\u{1B}[200~", "\u{1B}[201~")
    #expect(
      try add("ada", first: marks.0 + "correct horse" + marks.1 + "\n", second: marks.0 + "correct horse\n" + marks.1))
    // If a whole line is pasted, the control sequence at the end of the paste arrives with the
    // following input.
    #expect(try add("bob", first: marks.0 + "correct horse\n", second: marks.1 + "correct horse\n"))
    #expect(try add("eve", first: "correct " + marks.0 + "horse" + marks.1 + "\n", second: "correct horse\n"))
    // Other keys produce control characters, which no password has.
    #expect(try !add("mallory", first: "correct horse\u{1B}[A\n", second: "correct horse\u{1B}[A\n"))
    let service = try Service(directory.file)
    for name in ["ada", "bob", "eve"] {
      #expect(try service.ask(1, "login", ["userName": name, "password": "correct horse"]).outcome == "accepted")
    }
  }

  /// Whether `accounts add` at a terminal adds an account. The password is typed twice.
  private func add(_ name: String, first: String, second: String) throws -> Bool {
    var (ours, theirs): (Int32, Int32) = (-1, -1)
    try #require(openpty(&ours, &theirs, nil, nil, nil) == 0)
    defer { close(ours) }
    let (process, error) = (Process(), Pipe())
    let command = try Service.command(directory.file)
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments =
      command.dropFirst() + ["--hash-cost", "1", "--minimum-password-length", "9", "add"]
      + ["--email", name + "@example.com", "--user-name", name]
    process.standardInput = FileHandle(fileDescriptor: theirs)
    process.standardOutput = FileHandle.nullDevice
    process.standardError = error
    try process.run()
    close(theirs)
    var asked = ""
    for (question, answer) in [("Password: ", first), ("The same again: ", second)] {
      while !asked.hasSuffix(question) {
        let data = error.fileHandleForReading.availableData
        guard !data.isEmpty else { break }
        asked += String(decoding: data, as: UTF8.self)
      }
      _ = Array(answer.utf8).withUnsafeBytes { write(ours, $0.baseAddress, $0.count) }
    }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
