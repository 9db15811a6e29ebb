import AccountService
import Foundation
import JSONCodec
import TestSupport
import Testing

@Suite(.waits) struct OutboxTests {
  let directory: TemporaryDirectory
  let mails: Mails
  let forgot = ["email": "ada@example.com"]

  init() throws {
    directory = try TemporaryDirectory()
    mails = Mails(directory: directory.path)
  }

  @Test func `without a mail command, each mail is a separate file next to the accounts, for its owner only`() throws {
    let service = try Service.withAda(directory.file)
    for attempt in 2...3 { _ = try service.ask(attempt, "forgotPassword", forgot) }
    service.closeInput()
    // Pending mails are delivered before the process ends.
    #expect(service.wait() == (0, ""))
    #expect(mails.namesNow.count == 2)
    #expect(mails.namesNow.allSatisfy { $0.wholeMatch(of: /\d{8}T\d{6}Z-[0-9a-f]+\.eml/) != nil })
    #expect(try mode(mails.outbox) == 0o700)
    for name in mails.namesNow { #expect(try mode(mails.outbox + "/" + name) == 0o600) }
  }

  private func mode(_ path: String) throws -> Int {
    try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
  }

  @Test func `a mail has a header and the text in the language of the session`() throws {
    let service = try Service.withAda(directory.file, ["--clock", "manual"])
    service.send(Service.submit(2, "forgotPassword", forgot).replacingOccurrences(of: #""en""#, with: #""de-AT-x-a""#))
    let text = try mails.text()
    let parts = text.components(separatedBy: "\n\n")
    let header = parts[0].components(separatedBy: "\n")
    #expect(
      header.map { String($0.prefix { $0 != ":" }) } == [
        "From", "To", "Subject", "Date", "Message-ID", "MIME-Version", "Content-Type", "Content-Transfer-Encoding",
        "Auto-Submitted",
      ])
    #expect(header[1] == "To: ada@example.com")
    #expect(header[2] == "Subject: =?UTF-8?B?SWhyIENvZGUgZsO8ciBlaW4gbmV1ZXMgUGFzc3dvcnQ=?=")
    #expect(header[3] == "Date: Thu, 01 Jan 1970 00:00:00 +0000")
    #expect(header[6] == "Content-Type: text/plain; charset=utf-8")
    #expect(text.contains("Er gilt 15 Minuten lang"))
    #expect(!text.contains("{"))
  }

  @Test func `mails go into the configured directory`() throws {
    let folder = directory.path + "/mails"
    let service = try Service.withAda(directory.file, ["--outbox", folder])
    _ = try service.ask(2, "forgotPassword", forgot)
    service.closeInput()
    #expect(service.wait() == (0, ""))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
    #expect(mails.namesNow.isEmpty)
  }

  @Test func `if the outbox cannot be created, the answer is still sent, and the report does not give the address`()
    throws
  {
    try Data().write(to: URL(filePath: directory.path + "/not"))
    let service = try Service.withAda(directory.file, ["--outbox", directory.path + "/not/there"])
    #expect(try service.ask(2, "forgotPassword", forgot).outcome == "notice")
    service.closeInput()
    let (status, error) = service.wait()
    #expect(status == 0)
    #expect(error.hasPrefix("\(Service.program): A mail could not be handed over: the outbox: "), "\(error)")
    #expect(error.hasSuffix("Not a directory.\n") && !error.contains("@"), "\(error)")
  }

  @Test(arguments: ["eve@example.com\nBcc: all@example.com", "eve@example.com,all@example.com", "<eve>@example.com"])
  func `no mail is sent to an address that would change the header`(address: String) throws {
    let service = try Service.withAda(directory.file)
    // No request can store such an address, so another program must have written it.
    try directory.run("UPDATE accounts SET email = '\(address)'")
    #expect(try service.ask(2, "forgotPassword", forgot).outcome == "notice")
    service.closeInput()
    let error = "A mail could not be handed over: the address cannot stand in a mail's header."
    #expect(service.wait() == (0, "\(Service.program): \(error)\n"))
    #expect(mails.namesNow.isEmpty)
  }

  @Test(
    arguments: [
      ("Your code", "Your code"), ("für", "=?UTF-8?B?ZsO8cg==?="), ("a\nBcc: b", "=?UTF-8?B?YSBCY2M6IGI=?="),
      ("=?UTF-8?Q?x?=", "=?UTF-8?B?PT9VVEYtOD9RP3g/PQ==?="), ("a\0b", "=?UTF-8?B?YSBi?="),
    ])
  func `no text in a mail's subject can end the header field`(subject: String, field: String) {
    #expect(MailHeader.text(subject) == field)
  }

  @Test func `a long subject is folded into encoded words of at most 75 bytes, each of whole characters`() throws {
    let subject = String(repeating: "für €uro 𝄞 ", count: 20)
    let lines = MailHeader.text(subject).components(separatedBy: "\n ")
    #expect(lines.count > 1)
    #expect(lines.allSatisfy { $0.utf8.count <= 75 && $0.hasPrefix("=?UTF-8?B?") && $0.hasSuffix("?=") })
    let decoded = try lines.map { line in
      let data = try #require(Data(base64Encoded: String(line.dropFirst(10).dropLast(2))))
      return try #require(String(data: data, encoding: .utf8))
    }
    #expect(decoded.joined() == subject)
  }
}
