import Foundation
import TestSupport

/// The output and exit status of `login-engine replay`.
struct Replay {
  let status: Int32
  let output: String
  let error: String

  /// The built program.
  static let executable = BuiltProgram.loginEngine

  /// Runs `login-engine replay`. Unless the arguments set a timeout, the replay waits for each line
  /// long enough for any machine.
  init(_ arguments: [String]) throws {
    let process = Process()
    let (output, error) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: Self.executable)
    process.arguments = ["replay"] + (arguments.contains("--timeout") ? [] : ["--timeout", "600"]) + arguments
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

/// A transcript in a file for one test.
final class TemporaryTranscript {
  let path: String

  init(_ lines: [String]) throws {
    path = FileManager.default.temporaryDirectory.path + "/transcript-\(UUID().uuidString).jsonl"
    try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func replay(_ options: [String] = []) throws -> Replay {
    try Replay(options + [path])
  }

  /// Replays the transcript in a test where an expected line never arrives. The timeout is short at
  /// first. While `isRight` returns false, the machine may have been too slow, and the replay is
  /// repeated with a longer timeout.
  func replay(waitingInVain options: [String] = [], until isRight: (Replay) -> Bool) throws -> Replay {
    var replay = try Replay(["--timeout", "0.5"] + options + [path])
    for seconds in ["4", "32"] where !isRight(replay) {
      replay = try Replay(["--timeout", seconds] + options + [path])
    }
    return replay
  }
}
