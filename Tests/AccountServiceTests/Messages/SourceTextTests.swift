import Foundation
import Testing

/// Checks that no message code is written outside of the enums that are compared with
/// protocol/messages.json.
@Suite("Message codes in the sources")
struct SourceTextTests {
  /// The only files that may contain message codes.
  static let homes: Set = ["EngineMessage.swift", "AccountMessage.swift", "AccountsError.swift"]

  static func code(in line: Substring) -> Bool {
    // Most lines have no literal, and searching for a quote is much faster than the pattern.
    line.utf8.contains(UInt8(ascii: "\""))
      && line.contains(/\bMessage\(\s*#*"|"network\.|networkError:\s*"|\{"code":"\w|\\"code\\":\\"\w/)
  }

  @Test("no message is created from a literal outside of the enums of message codes")
  func literals() throws {
    let sources = projectFolder.appending(path: "Sources").resolvingSymlinksInPath().path
    let names = FileManager.default.enumerator(atPath: sources)?.allObjects as? [String] ?? []
    // These files play the role of an authenticator, and their messages reach no user.
    let others = [
      "engine-benchmark/", "LoginEngine/Commands/Flow/PathPlayer", "LoginEngine/Explorer/", "Simulation/",
    ]
    let files = names.filter { name in name.hasSuffix(".swift") && !others.contains { name.hasPrefix($0) } }
    // Fails if the search has looked in the wrong place.
    #expect(Self.homes.isSubset(of: files.map { ($0 as NSString).lastPathComponent }))
    for file in files where !Self.homes.contains((file as NSString).lastPathComponent) {
      let text = try String(contentsOfFile: sources + "/" + file, encoding: .utf8)
      for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        #expect(!Self.code(in: line), "\(file):\(number + 1)")
      }
    }
  }

  @Test(
    "the check of the sources finds a message code that is written as a literal",
    arguments: [
      #"answer(Message("throttled"), [])"#, #"abandon(late, code: "network.timeout")"#, #"append({"code":"x"})"#,
      #"Message(networkError: "exited")"#, ##"Message(#"x"#)"##,
    ])
  func noticed(line: String) {
    #expect(Self.code(in: line[...]))
  }

  @Test(
    "the check of the sources does not report a message code from an enum, a variable or the wire",
    arguments: ["Message(.throttled)", "Message(code)"])
  func unnoticed(line: String) {
    #expect(!Self.code(in: line[...]))
  }
}
