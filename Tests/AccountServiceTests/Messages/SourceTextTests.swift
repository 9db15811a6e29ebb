import Foundation
import Testing

/// That no code hides in the source text outside of what the list is compared with.
@Suite("The source text")
struct SourceTextTests {
  /// Codes are written down in these only.
  static let homes: Set = ["EngineMessage.swift", "AccountMessage.swift", "AccountsError.swift"]

  static func code(in line: Substring) -> Bool {
    // Most lines have no literal, and a look for its quote is much faster than the pattern.
    line.utf8.contains(UInt8(ascii: "\""))
      && line.contains(/\bMessage\(\s*#*"|"network\.|networkError:\s*"|\{"code":"\w|\\"code\\":\\"\w/)
  }

  @Test("makes no message from a literal outside the enums of codes")
  func literals() throws {
    let sources = projectFolder.appending(path: "Sources").resolvingSymlinksInPath().path
    let names = FileManager.default.enumerator(atPath: sources)?.allObjects as? [String] ?? []
    // What these say reaches nobody: they play the authenticator's part.
    let others = [
      "engine-benchmark/", "LoginEngine/Commands/Flow/PathPlayer", "LoginEngine/Explorer/", "Simulation/",
    ]
    let files = names.filter { name in name.hasSuffix(".swift") && !others.contains { name.hasPrefix($0) } }
    // So that looking in the wrong place is noticed.
    #expect(Self.homes.isSubset(of: files.map { ($0 as NSString).lastPathComponent }))
    for file in files where !Self.homes.contains((file as NSString).lastPathComponent) {
      let text = try String(contentsOfFile: sources + "/" + file, encoding: .utf8)
      for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        #expect(!Self.code(in: line), "\(file):\(number + 1)")
      }
    }
  }

  @Test(
    "such a literal is noticed",
    arguments: [
      #"answer(Message("throttled"), [])"#, #"abandon(late, code: "network.timeout")"#, #"append({"code":"x"})"#,
      #"Message(networkError: "exited")"#, ##"Message(#"x"#)"##,
    ])
  func noticed(line: String) {
    #expect(Self.code(in: line[...]))
  }

  @Test("a code from an enum, a variable or the wire is not", arguments: ["Message(.throttled)", "Message(code)"])
  func unnoticed(line: String) {
    #expect(!Self.code(in: line[...]))
  }
}
