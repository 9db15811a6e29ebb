import Foundation
import TestSupport
import Testing

@Suite("The picture of the benchmark")
struct BenchmarkChartTests {
  /// Runs a short part of the benchmark and has it drawn.
  private func draw(_ file: String) throws -> (status: Int32, error: String) {
    let (process, errors) = (Process(), Pipe())
    process.executableURL = URL(filePath: BuiltProgram.directory + "/engine-benchmark")
    process.arguments = ["--quick", "--only", "start", "--chart", file]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    try process.run()
    let error = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: error, as: UTF8.self))
  }

  @Test func `what was measured is drawn, and standard error stays empty`() throws {
    let directory = try TemporaryDirectory()
    let result = try draw(directory.file("chart.svg"))
    #expect((result.status, result.error) == (0, ""))
    let picture = try String(contentsOfFile: directory.file("chart.svg"), encoding: .utf8)
    let texts = picture.components(separatedBy: "</text>").compactMap { $0.components(separatedBy: ">").last }
    #expect(texts.contains("From start to the first snapshot, in milliseconds"))
    #expect(!texts.contains { $0.hasPrefix("Typing") })
    // Both bars have their numbers.
    #expect(texts.filter { Double($0) != nil }.count == 2, "\(texts)")
  }

  @Test func `a picture that cannot be written is an error`() throws {
    let result = try draw("/nowhere/chart.svg")
    #expect(result.status == 1)
    #expect(result.error == "engine-benchmark: /nowhere/chart.svg: No such file or directory\n")
  }
}
