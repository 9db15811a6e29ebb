import Foundation
import TestSupport
import Testing

@Suite("The table of the benchmark")
struct BenchmarkTableTests {
  /// The cells of a row of a Markdown table, without surrounding spaces.
  private static func cells(_ line: Substring) -> [String] {
    line.split(separator: "|", omittingEmptySubsequences: false).map { $0.trimmingCharacters(in: .whitespaces) }
  }

  @Test("the page on performance has the rows and columns that engine-benchmark prints")
  func page() throws {
    let process = Process()
    process.executableURL = URL(filePath: BuiltProgram.directory + "/engine-benchmark")
    process.arguments = ["--rows"]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let printed = String(decoding: try #require(try pipe.fileHandleForReading.readToEnd()), as: UTF8.self)
    process.waitUntilExit()
    let rows = printed.split(separator: "\n").map { Self.cells($0) }
    #expect(process.terminationStatus == 0 && rows.count > 10)
    let page = try String(contentsOf: Checkout.root.appending(path: "protocol/guides/performance.md"), encoding: .utf8)
    let table = page.split(separator: "\n").filter { $0.hasPrefix("|") }.map { Self.cells($0) }
    #expect(table.map { $0[1] } == rows.map { $0[1] })
    #expect(Array(table.prefix(2)) == Array(rows.prefix(2)))
    // Only the presence of figures is checked, not their values.
    #expect(table.dropFirst(2).allSatisfy { $0.count == rows[0].count && !$0[2].isEmpty })
  }
}
