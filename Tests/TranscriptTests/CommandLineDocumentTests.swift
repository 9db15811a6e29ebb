import Foundation
import TestSupport
import Testing

@Suite("What documents say of the command line", .waits)
struct CommandLineDocumentTests {
  static let subcommands = ["", "accounts", "demo", "flow", "replay", "mock"]

  static func summary(_ subcommand: String) throws -> CommandLineSummary {
    let arguments = subcommand.isEmpty ? ["--help"] : [subcommand, "--help"]
    return CommandLineSummary(help: try Program(arguments).text, of: subcommand)
  }

  @Test("the summaries are not empty: they find what is there")
  func summaries() throws {
    #expect(try Self.summary("").options["--authenticator"] == "[which=]what")
    #expect(try Self.summary("").options["--version"] == "")
    #expect(try Self.summary("replay").options["--command"] == #""command arg ...""#)
    #expect(try Self.summary("accounts").commands["recovery-codes"] == "identifier")
    #expect(
      try Set(Self.summary("accounts").commands.keys)
        == [
          "serve", "add", "list", "show", "remove", "passwd", "expire", "unlock", "disable", "enable", "recovery-codes",
          "one-time-codes", "passkeys", "devices", "key", "backup", "check", "export", "import",
        ])
    #expect(
      try Self.summary("flow").commands
        == [
          "list": "", "print": "name", "new": "[name]", "check": "file ...", "diagram": "name|file", "try": "file",
        ])
  }

  @Test("every program that a document starts knows the commands and options given to it there")
  func documents() throws {
    let summaries = try Dictionary(uniqueKeysWithValues: Self.subcommands.map { ($0, try Self.summary($0)) })
    var found = 0
    for document in Example.documents + [Example.manualPage] {
      let text = try String(contentsOfFile: Example.root + "/" + document, encoding: .utf8)
      // Up to the end of the command: of its line, of the code span, or where a shell ends it.
      for match in text.matches(of: #/login-engine((?: +[^\s`|&;<>()#"']+)+)/#) {
        let words = match.1.split(separator: " ").map(String.init)
        let subcommand = Self.subcommands.contains(words[0]) ? words[0] : ""
        let summary = try #require(summaries[subcommand])
        let options = words.compactMap { $0.firstMatch(of: #/^\[?(--[a-z][a-z-]*)/#)?.1 }.map(String.init)
        for option in options {
          found += 1
          #expect(summary.options[option] != nil, "\(document): login-engine \(subcommand) \(option)")
        }
        guard ["accounts", "flow"].contains(subcommand), words.count > 1, words[1].contains(#/^[a-z][a-z-]*$/#) else {
          continue
        }
        found += 1
        #expect(summary.commands[words[1]] != nil, "\(document): login-engine \(subcommand) \(words[1])")
      }
    }
    #expect(found >= 40)
  }
}
