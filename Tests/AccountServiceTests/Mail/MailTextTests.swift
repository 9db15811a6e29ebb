import AccountService
import Foundation
import TestSupport
import Testing

/// Tests of the texts that mails take from a flow definition.
@Suite(.waits) struct MailTextTests {
  let directory: TemporaryDirectory
  let mails: Mails

  init() throws {
    directory = try TemporaryDirectory()
    mails = Mails(directory: directory.path)
  }

  /// Returns the standard flow definition with another subject of a mail.
  private func flow(subject: String) throws -> String {
    let standard = try String(
      contentsOf: Checkout.root.appending(path: "protocol/flows/standard.json"), encoding: .utf8)
    let former = "Your code for a new password"
    #expect(standard.contains(former))
    let file = directory.path + "/flow.json"
    try standard.replacing(former, with: subject).write(toFile: file, atomically: true, encoding: .utf8)
    return file
  }

  /// Returns the mail that a service with the given options sends, and the service's standard
  /// error.
  private func mail(_ options: [String]) throws -> (text: String, errors: String) {
    let command = try mails.script("cat > '\(directory.path)/mail'")
    let service = try Service(directory.file, command + options)
    let setup = ["email": "ada@example.com", "userName": "ada", "password": "correct horse at sea"]
    #expect(try service.ask(1, "setup", setup).outcome == "accepted")
    #expect(try service.ask(2, "forgotPassword", ["email": "ada@example.com"]).outcome == "notice")
    service.closeInput()
    let errors = service.wait().1
    return (try String(contentsOfFile: directory.path + "/mail", encoding: .utf8), errors)
  }

  @Test func `a flow definition provides the texts of mails`() throws {
    let mail = try mail(["--flow", flow(subject: "The bank's code")])
    #expect(mail.text.contains("\nSubject: The bank's code\n") && mail.errors.isEmpty)
  }

  @Test func `an unusable flow definition is reported, and mails have the built-in texts`() throws {
    let mail = try mail(["--flow", directory.path + "/missing.json"])
    #expect(mail.text.contains("\nSubject: Your code for a new password\n"))
    #expect(mail.errors.contains("the flow definition cannot be used") && mail.errors.contains("missing.json"))
  }

  @Test func `lines too long for a mail are broken, at spaces where possible`() {
    let words = String(repeating: "fünf ", count: 500)
    let lines = MailLines.broken("short\n" + words + "\nend").split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.allSatisfy { $0.utf8.count <= 900 })
    #expect(lines.first == "short" && lines.last == "end")
    #expect(lines.dropFirst().dropLast().joined(separator: " ") == words)
    let solid = String(repeating: "x", count: 2000)
    #expect(MailLines.broken(solid).split(separator: "\n").map(\.count) == [900, 900, 200])
  }
}
