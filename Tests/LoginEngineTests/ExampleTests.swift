import Foundation
import Testing

/// The authenticators in the document. The one in Python is run by the same script where there is Python.
@Suite struct ExampleTests {
  @Test("the one in shell and jq works as it stands in the text")
  func shell() throws {
    let check = Process()
    check.executableURL = Document.root.appendingPathComponent("protocol/check-authenticators")
    check.arguments = [Running.executable, "shell"]
    let output = Pipe()
    check.standardOutput = output
    check.standardError = output
    try check.run()
    let printed = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    check.waitUntilExit()
    #expect(check.terminationStatus == 0, "\(printed)")
    #expect(printed == "3 passed, 0 failed\n")
  }
}
