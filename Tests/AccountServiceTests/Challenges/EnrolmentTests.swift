import Foundation
import TestSupport
import Testing

/// The command `login-accounts one-time-codes`.
@Suite(.waits) struct EnrolmentTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    _ = try Service(directory.file).ask(1, "setup", ada)
  }

  private func list() throws -> String { try Service.run(directory.file, ["list"]).output }

  @Test
  func `the command one-time-codes prints a secret, and logins require codes once a first code was typed into it`()
    throws
  {
    let command = try Service(directory.file, ["one-time-codes", "ADA@example.com", "--issuer", "Blue & Co"])
    let uri = try #require(try command.line())
    let secret = try #require(try command.line())
    #expect(secret.wholeMatch(of: /[A-Z2-7]{4}( [A-Z2-7]{4}){7}/) != nil)
    let app = AuthenticatorApp(secret)
    #expect(
      uri
        == "otpauth://totp/Blue%20%26%20Co:ada%40example.com?secret=\(app.text)&issuer=Blue%20%26%20Co&algorithm=SHA1&digits=6&period=30"
    )
    #expect(try list().contains("\t-\t-\t-\t"))
    #expect(try Service(directory.file).ask(2, "login", adasLogin).outcome == "accepted")
    command.send("12345")
    command.send(app.code(Int64(Date().timeIntervalSince1970 * 1_000)))
    let (status, error) = command.wait()
    #expect(status == 0)
    #expect(error == "\(Service.program): This is not the code of the time.\n")
    #expect(try list().contains("\t-\t-\ttotp\t"))
    #expect(try Service(directory.file).ask(2, "login", adasLogin).screen == "oneTimeCode")
  }

  @Test func `one-time codes are not turned on until a right code is entered`() throws {
    for (input, message) in [
      ("", "There is no code, and nothing has changed."), ("12345\n", "There is no code, and nothing has changed."),
      (String(repeating: "x\n", count: 9), "Too many codes were wrong, and nothing has changed."),
      (String(repeating: "1", count: 1_000), "There is no code, and nothing has changed."),
    ] {
      let result = try Service.run(directory.file, ["one-time-codes", "ada"], input)
      #expect(result.status == 1)
      #expect(result.error.hasSuffix("\(Service.program): " + message + "\n"))
    }
    #expect(try list().contains("\t-\t-\t-\t"))
    #expect(!FileManager.default.fileExists(atPath: directory.file + ".key"))
  }

  @Test func `one-time codes can be turned off, and on again with another secret`() throws {
    let first = try Service.enrol(directory.file)
    let second = try Service.enrol(directory.file)
    #expect(first.text != second.text)
    let off = try Service.run(directory.file, ["one-time-codes", "ada", "--off"])
    #expect(off.status == 0)
    #expect(off.output == "")
    #expect(try list().contains("\t-\t-\t-\t"))
    #expect(try Service(directory.file).ask(2, "login", adasLogin).outcome == "accepted")
  }

  @Test func `a key file that others can read is reported with its path`() throws {
    _ = try Service.enrol(directory.file)
    let key = directory.file + ".key"
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: key)
    let command = try Service(directory.file, ["one-time-codes", "ada", "--clock", "manual"])
    _ = try command.line()
    let app = AuthenticatorApp(try #require(try command.line()))
    command.send(app.code(0))
    let (status, error) = command.wait()
    #expect(status == 1)
    let reason = "The key file can be read or written by others: take that right away with chmod 600."
    #expect(error == "\(Service.program): \(reason) It is \(key).\n")
  }
}
