import Foundation
import Testing

/// What the README shows is what the program prints.
@Suite struct ReadmeTests {
  @Test("the README's pipe, run as it stands, prints what the README says") func pipe() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let readme = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
    let section = try #require(readme.range(of: "## By hand")).upperBound
    let command = try block("sh", of: readme[section...])
    let expected = try block("text", of: readme[section...])

    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/bash")
    // The README's PATH names the folder of the release build; the tests run beside the programs, wherever that is.
    let programs = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path
    shell.arguments = ["-c", command.replacingOccurrences(of: "$PWD/.build/release", with: programs)]
    shell.currentDirectoryURL = root
    let output = Pipe()
    shell.standardOutput = output
    try shell.run()
    let printed = output.fileHandleForReading.readDataToEndOfFile()
    shell.waitUntilExit()
    #expect(shell.terminationStatus == 0)
    #expect(String(decoding: printed, as: UTF8.self) == expected)
  }

  private func block(_ language: String, of text: Substring) throws -> String {
    let start = try #require(text.range(of: "```\(language)\n")).upperBound
    let end = try #require(text[start...].range(of: "```")).lowerBound
    return String(text[start..<end])
  }
}
