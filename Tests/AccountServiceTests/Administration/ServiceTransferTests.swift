import Foundation
import TestSupport
import Testing

@Suite(.waits) struct ServiceTransferTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private var target: String { directory.file("other/accounts.sqlite3") }

  private func login(_ file: String, _ name: String, _ password: String = "correct horse") throws -> String? {
    try Service(file).ask(1, "login", ["userName": name, "password": password]).outcome
  }

  private static let bcrypt = "$2b$04$abcdefghijklmnopqrstuujydOTSfIH/d5oUHpsygqV5X9xJLQc6e"

  @Test func `exported accounts are imported into another file, and a second import reports that they exist already`()
    throws
  {
    _ = try Service(directory.file).ask(1, "setup", ada)
    let exported = try Service.run(directory.file, ["export"])
    #expect((exported.status, exported.error) == (0, ""))
    #expect(exported.output.split(separator: "\n").count == 1)
    #expect(!exported.output.contains("correct horse"))
    // Some programs write a byte order mark before a text.
    let imported = try Service.run(target, ["import"], "\u{FEFF}" + exported.output)
    #expect((imported.status, imported.output) == (0, ""))
    #expect(imported.error.hasSuffix("\(Service.program): 1 imported, 0 already there, 0 refused.\n"))
    #expect(try login(target, "ada") == "accepted")
    let again = try Service.run(target, ["import"], exported.output)
    #expect(again.status == 0)
    #expect(again.error.hasSuffix("0 imported, 1 already there, 0 refused.\n"))
  }

  @Test func `an import reports each bad line with its number, and imports the other lines`() throws {
    func line(_ name: String, _ more: String = "", hash: String = Self.bcrypt) -> String {
      #"{"email":"\#(name)@example.com","userName":"\#(name)","passwordHash":"\#(hash)"\#(more)}"#
    }
    let lines = [
      line("ada", #","attributes":{"team":"blue"},"createdMs":17"#), "", "{", "[]", #"{"userName":"x"}"#,
      line("b", #","groups":["x"]"#), line("c", #","attributes":{"a b":1}"#), line("d", #","createdMs":-1"#),
      line("e", #","disabled":"yes""#), line("f", hash: "$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$aGFzaA"),
      line("g", hash: "$2b$04$short"), line("ada"), line("a@"), line("h", #","recoveryCodes":[{"used":true}]"#),
      line("i", #","oneTimeCodes":{"sealed":"00","step":1}"#), String(repeating: "x", count: 70_000), line("bob"),
    ]
    let imported = try Service.run(target, ["import"], lines.joined(separator: "\n"))
    #expect(imported.status == 1)
    let complaints = imported.error.split(separator: "\n").filter { $0.contains(": line ") }
    #expect(
      complaints.compactMap { Int($0.split(separator: ":")[1].dropFirst(" line ".count)) }.sorted()
        == [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16])
    #expect(complaints.contains { $0.contains("line 6: The member groups means nothing") })
    #expect(complaints.contains { $0.contains("line 10: Passwords cannot be checked with a hash of this kind.") })
    #expect(imported.error.hasSuffix("2 imported, 1 already there, 13 refused.\n"))
    #expect(!imported.error.contains("$2b$"))
    #expect(try Service.run(target, ["show", "ada"]).output.contains("\npassword: hash 2b\n"))
    #expect(try login(target, "ada") == "accepted")
    #expect(try Service.run(target, ["show", "ada"]).output.contains("\npassword: hash y\n"))
    #expect(try Service.run(target, ["show", "ada"]).output.contains("\nattributes: {\"team\":\"blue\"}\n"))
    #expect(try login(target, "bob") == "accepted")
  }

  @Test func `an interrupted import can be repeated, and then imports the remaining accounts`() throws {
    let lines = (0..<1_200).map {
      #"{"email":"n\#($0)@example.com","userName":"n\#($0)","passwordHash":"\#(Self.bcrypt)"}"# + "\n"
    }
    let first = try Service.run(target, ["import"], lines[..<700].joined())
    #expect(first.error == "\(Service.program): 700 imported, 0 already there, 0 refused.\n")
    let rest = try Service.run(target, ["import"], lines.joined())
    #expect((rest.status, rest.error.hasSuffix("500 imported, 700 already there, 0 refused.\n")) == (0, true))
    #expect(try Service.run(target, ["list"]).output.split(separator: "\n").count == 1_200)
    #expect(try Service.run(target, ["export"]).output.split(separator: "\n").count == 1_200)
  }
}
