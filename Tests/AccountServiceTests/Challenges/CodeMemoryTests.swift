import Foundation
import JSONCodec
import TestSupport
import Testing

/// Checks that the service wipes codes from memory once they are used. Other suites check
/// passwords, reset codes and the secrets of one-time codes.
@Suite struct CodeMemoryTests {
  private let directory: TemporaryDirectory
  private let mails: Mails

  init() throws {
    directory = try TemporaryDirectory()
    mails = Mails(directory: directory.path)
  }

  private func service(_ options: [String] = []) throws -> Service {
    try Service.withAda(directory.file, ["--hardening", "off", "--clock", "manual"] + options)
  }

  /// Counts the occurrences of a secret in memory, as stored and as typed. Only its last bytes are
  /// searched for, because freed memory may have lost its first bytes.
  private func count(_ secret: String, _ service: Service) throws -> Int {
    let memory = try Memory(processID: service.processID)
    #expect(memory.count(of: Array("ada@example.com".utf8)) > 0)
    let plain = secret.filter { $0 != "-" }
    return [plain, secret, plain.lowercased()].map { memory.count(of: Array($0.utf8.suffix(9))) }.reduce(0, +)
  }

  @Test func `a used recovery code is nowhere in memory`() throws {
    let service = try service()
    let codes = try Service.codes(directory.file)
    #expect(try service.ask(10, "login", adasLogin).screen == "recoveryCode")
    #expect(try service.proceed(11, 10, ["code": codes[1]]).outcome == "accepted")
    #expect(try count(codes[1], service) == 0)
  }

  @Test func `shown recovery codes are nowhere in memory once they are saved or skipped`() throws {
    let service = try service()
    let codes = try Service.codes(directory.file, count: 1)
    _ = try service.ask(10, "login", adasLogin)
    #expect(try service.proceed(11, 10, ["code": codes[0]]).screen == "newRecoveryCodes")
    let shown = try service.proceed(12, 10, [:])
    let items = shown["result"]?["screen"]?["sections"]?[0]?["items"]?.array ?? []
    let texts = items.compactMap { $0["text"]?.string }
    let code = try #require(texts.last)
    #expect(code.filter { $0 != "-" }.count == 16)
    #expect(try service.proceed(13, 10, [:]).outcome == "accepted")
    #expect(try count(code, service) == 0)
  }

  @Test(arguments: ["another horse at sea", "wide-ünïcödé-passphrase-€uro", "kX7#mQ2!vR9$wZ4pL"])
  func `a new password is nowhere in memory while the service waits for a code, and is valid after the code`(
    new: String
  ) throws {
    let service = try service()
    let codes = try Service.codes(directory.file)
    let change =
      #"{"jsonrpc":"2.0","id":10,"method":"authenticator/submit","params":{"attempt":10,"request":"changePassword","values":{"password":"correct horse","new_password":"\#(new)"},"key":"k","principal":"ada"}}"#
    #expect(try service.ask(change).screen == "recoveryCode")
    let memory = try Memory(processID: service.processID)
    #expect(memory.count(of: Array(new.utf8.suffix(9))) == 0)
    #expect(memory.count(of: Array("correct horse".utf8.suffix(9))) == 0)
    // After a wrong code, the service asks for the code again.
    #expect(try service.proceed(11, 10, ["code": "0000-0000-0000-0000"]).challengeError == "recoveryCode.invalid")
    #expect(try service.proceed(12, 10, ["code": codes[1]]).outcome == "notice")
    #expect(try service.ask(20, "login", ["userName": "ada", "password": new]).screen == "recoveryCode")
    #expect(try count(new, service) == 0)
  }

  @Test(arguments: ["short", "correct horse", "ada"])
  func `a new password that breaks a rule is refused before a code is asked for`(new: String) throws {
    let service = try service()
    _ = try Service.codes(directory.file)
    let change =
      #"{"jsonrpc":"2.0","id":10,"method":"authenticator/submit","params":{"attempt":10,"request":"changePassword","values":{"password":"correct horse","new_password":"\#(new)"},"key":"k","principal":"ada"}}"#
    let answer = try service.ask(change)
    #expect(answer.outcome == "rejected" && answer.code(of: "new_password") != nil)
  }

  @Test func `a sign-up's mailed code stays in memory only as long as a retry of the code can get the same answer`()
    throws
  {
    let service = try service(["--confirm-email"])
    let bob = ["email": "bob@example.com", "userName": "bob", "password": "correct horse"]
    if try service.ask(10, "setup", bob).screen != "emailCode" { Issue.record("no code is asked for") }
    let texts = try mails.files(2).map { try String(contentsOfFile: mails.outbox + "/" + $0, encoding: .utf8) }
    let code = try Mails.code(try #require(texts.first { $0.contains("To: bob@example.com") }))
    #expect(try count(code, service) > 0)
    #expect(try service.proceed(11, 10, ["code": code]).outcome == "accepted")
    try service.advance(900_000)
    #expect(try count(code, service) == 0)
  }
}
