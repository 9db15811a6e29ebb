import Foundation
import TestSupport
import Testing

/// Imports exports of other programs. The exports are in `Tests/Fixtures/exports`, and the filters
/// that convert them are in `protocol/imports`.
@Suite(.waits) struct ExportTests {
  let directory: TemporaryDirectory
  let mails: Mails

  init() throws {
    directory = try TemporaryDirectory()
    mails = Mails(directory: directory.path)
  }

  private static let project = Checkout.root

  /// Returns the lines to import for the export of a program.
  private func lines(_ program: String) throws -> String {
    let exports = Self.project.appending(path: "Tests/Fixtures/exports")
    let ready = exports.appending(path: program + ".jsonl").path
    if FileManager.default.fileExists(atPath: ready) { return try String(contentsOfFile: ready, encoding: .utf8) }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "jq", "-c", "-f", Self.project.appending(path: "protocol/imports/\(program).jq").path,
      exports.appending(path: program + ".json").path,
    ]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return text
  }

  @Test(
    arguments: [
      ("keycloak", ["ada", "bob", "carol"], ["dora"]), ("django", ["ada", "bob"], ["carol", "dora"]),
      ("kratos", ["ada", "bob"], ["dora"]),
      ("auth0", ["ada", "bob"], []), ("firebase", [], ["dora"]), ("wordpress", ["ada"], ["dora", "emil"]),
      ("ldap", ["ada", "bob"], ["dora", "emil"]),
    ])
  func `exports of other programs are imported, and their users log in or set a password with a mailed code`(
    program: String, withPassword: [String], without: [String]
  ) throws {
    let imported = try Service.run(directory.file, ["import"], try lines(program))
    #expect(imported.error.hasSuffix("\(withPassword.count + without.count) imported, 0 already there, 0 refused.\n"))
    // Some exports have no user names, so the import derives user names from addresses.
    let names = try Service.run(directory.file, ["list"]).output.split(separator: "\n").map {
      $0.split(separator: "\t")[2]
    }
    #expect(names.map(String.init).sorted() == (withPassword + without).sorted())
    let service = try Service(directory.file)
    func login(_ id: Int, _ name: String, _ password: String) throws -> String? {
      try service.ask(id, "login", ["email": "\(name)@example.com", "password": password]).outcome
    }
    for (id, name) in withPassword.enumerated() {
      #expect(try login(10 * id + 10, name, "wrong horse") == "rejected")
      #expect(try login(10 * id + 11, name, "correct horse") == "accepted", "\(name)")
    }
    for (id, name) in without.enumerated() {
      #expect(try login(10 * id + 100, name, "correct horse") == "rejected")
      let email = "\(name)@example.com"
      _ = try service.ask(10 * id + 101, "forgotPassword", ["email": email])
      let codes = try mails.waiting {
        mails.namesNow.filter { $0.hasSuffix(".eml") }
          .compactMap { try? String(contentsOfFile: mails.outbox + "/" + $0, encoding: .utf8) }.filter {
            $0.contains("\nTo: \(email)\n")
          }
      } until: {
        !$0.isEmpty
      }
      let values = [
        "email": email, "code": try Mails.code(try #require(codes.first)), "password": "another horse",
      ]
      #expect(try service.ask(10 * id + 102, "resetPassword", values).outcome == "notice")
      #expect(try login(10 * id + 103, name, "another horse") == "accepted")
    }
  }

  @Test func `an import derives the user name from the address if the name is missing or equals the address`() throws {
    let lines = [
      #"{"email":"ada@example.com"}"#, #"{"email":"ada@example.org","userName":null}"#,
      #"{"email":"Ada@example.net","userName":"ADA@example.net"}"#,
      #"{"email":"+@example.com"}"#, #"{"email":"info@example.com","userName":"other@example.com"}"#,
      #"{"email":"eve@example.com","userName":7}"#,
    ]
    let imported = try Service.run(directory.file, ["import"], lines.joined(separator: "\n"))
    #expect(imported.error.contains("line 5: This is no user name that can be used."))
    #expect(imported.error.contains("line 6: userName is a string."))
    #expect(imported.error.hasSuffix("4 imported, 0 already there, 2 refused.\n"))
    let names = try Service.run(directory.file, ["list"]).output.split(separator: "\n").map {
      $0.split(separator: "\t")[2]
    }
    #expect(names[0] == "ada" && names[1].hasPrefix("ada-") && names[2].hasPrefix("Ada-"))
    let again = try Service.run(directory.file, ["import"], lines[..<4].joined(separator: "\n"))
    #expect(again.error.hasSuffix("0 imported, 4 already there, 0 refused.\n"))
  }

  @Test(arguments: ["1600000000000", "1600000000000.0", "1.6e12", "1600000000000.000", "16E11", "0.16e13"])
  func `an imported time may be a whole number in any JSON notation`(time: String) throws {
    let line = #"{"email":"ada@example.com","userName":"ada","createdMs":\#(time),"lastLoginMs":\#(time)}"#
    #expect(try Service.run(directory.file, ["import"], line).status == 0)
    #expect(
      try Service.run(directory.file, ["export"]).output.contains(
        #""createdMs":1600000000000,"lastLoginMs":1600000000000"#))
  }

  @Test(arguments: [
    "1600000000000.5", "-1", "-0.5", "1e300", "1e-3", "99999999999999999999", "\"1600000000000\"", "true", "[1]",
  ])
  func `an imported time that is not a whole number is refused in plain words`(time: String) throws {
    let imported = try Service.run(
      directory.file, ["import"], #"{"email":"ada@example.com","userName":"ada","createdMs":\#(time)}"#)
    #expect(imported.error.contains("line 1: createdMs is a whole number that is not negative."))
  }

  @Test(arguments: [
    "{", "", "nul", "{\"email\":\"\u{1}\"}", "{\"email\":\"\\ud800\"}", "{\"a\":1,\"a\":2}", "[", "\"x\"",
    "{\"email\":1e}",
  ])
  func `problems with an imported line are reported in words, without the names of Swift types`(line: String) throws {
    let imported = try Service.run(directory.file, ["import"], line + "\n")
    for name in ["JSONError", "Problem", "AccountS", "Optional", "Error(", "reason:", "offset:"] {
      #expect(!imported.error.contains(name))
    }
    if !line.isEmpty { #expect(imported.error.contains("line 1: ")) }
  }
}
