import Foundation
import TestSupport
import Testing

@Suite("Command lines in documents", .waits)
struct CommandLineDocumentTests {
  static let programs = [
    "login-engine", "login-accounts", "login-engine demo", "login-engine flow", "login-engine replay",
    "login-engine mock",
  ]

  static func summary(_ program: String) throws -> CommandLineSummary {
    let words = program.split(separator: " ").map(String.init)
    let executable = BuiltProgram.directory + "/" + words[0]
    return CommandLineSummary(
      help: try Program(words.dropFirst() + ["--help"], executable: executable).text, of: program)
  }

  @Test("the commands and options of each program can be read from its --help")
  func summaries() throws {
    #expect(try Self.summary("login-engine").options["--authenticator"] == "[which=]what")
    #expect(try Self.summary("login-engine").options["--version"] == "")
    #expect(try Self.summary("login-engine replay").options["--command"] == #""command arg ...""#)
    #expect(try Self.summary("login-accounts").commands["recovery-codes"] == "identifier")
    #expect(
      try Set(Self.summary("login-accounts").commands.keys)
        == [
          "serve", "add", "list", "show", "remove", "passwd", "expire", "unlock", "disable", "enable", "recovery-codes",
          "one-time-codes", "passkeys", "devices", "key", "backup", "check", "export", "import",
        ])
    #expect(
      try Self.summary("login-engine flow").commands
        == [
          "list": "", "print": "name", "new": "[name]", "check": "file ...", "diagram": "name|file",
          "paths": "name|file", "try": "file",
        ])
  }

  @Test("documents use only commands and options that the programs have")
  func documents() throws {
    let summaries = try Dictionary(uniqueKeysWithValues: Self.programs.map { ($0, try Self.summary($0)) })
    var found = 0
    for document in Example.documents + [Example.manualPage] {
      let text = try String(contentsOfFile: Example.root + "/" + document, encoding: .utf8)
      // A command ends at the end of its line or code span, or at a shell operator.
      for match in text.matches(of: #/(login-engine|login-accounts)((?: +[^\s`|&;<>()#"']+)+)/#) {
        let words = match.2.split(separator: " ").map(String.init)
        let subcommand = "\(match.1) \(words[0])"
        let program = Self.programs.contains(subcommand) ? subcommand : String(match.1)
        let summary = try #require(summaries[program])
        let options = words.compactMap { $0.firstMatch(of: #/^\[?(--[a-z][a-z-]*)/#)?.1 }.map(String.init)
        for option in options {
          found += 1
          #expect(summary.options[option] != nil, "\(document): \(program) \(option)")
        }
        guard
          let word = program == "login-accounts"
            ? words.first : program == "login-engine flow" ? words.dropFirst().first : nil,
          word.contains(#/^[a-z][a-z-]*$/#)
        else { continue }
        found += 1
        #expect(summary.commands[word] != nil, "\(document): \(program) \(word)")
      }
    }
    #expect(found >= 40)
  }
}
