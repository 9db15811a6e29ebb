import Foundation
import TestSupport

/// What `login-engine replay` said, and how it ended.
struct Replay {
  let status: Int32
  let output: String
  let error: String

  /// The built program.
  static let executable = BuiltProgram.loginEngine

  init(_ arguments: [String]) throws {
    let process = Process()
    let (output, error) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: Self.executable)
    process.arguments = ["replay"] + arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = error
    try process.run()
    self.output = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    self.error = String(decoding: error.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    status = process.terminationStatus
  }
}

/// A transcript in a file that is there for one test.
final class TemporaryTranscript {
  let path: String

  init(_ lines: [String]) throws {
    path = FileManager.default.temporaryDirectory.path + "/transcript-\(UUID().uuidString).jsonl"
    try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func replay(_ options: [String] = []) throws -> Replay {
    try Replay(["--timeout", "0.5"] + options + [path])
  }
}
