import Foundation
import TestSupport

/// A run of the built program with given standard input.
struct Program {
  let status: Int32
  let output: Data
  let error: String

  var text: String { String(decoding: output, as: UTF8.self) }

  /// Writes the input piece by piece, with a pause in microseconds after each; then the input ends.
  init(_ arguments: [String], input: [(text: String, pause: UInt32)] = [], executable: String = Replay.executable)
    throws
  {
    signal(SIGPIPE, SIG_IGN)
    let process = Process()
    let (input_, output, error) = (Pipe(), Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: executable)
    process.arguments = arguments
    process.standardInput = input_
    process.standardOutput = output
    process.standardError = error
    try process.run()
    let writer = Thread {
      for (text, pause) in input {
        do { try input_.fileHandleForWriting.write(contentsOf: Data(text.utf8)) } catch { break }
        if pause > 0 { usleep(pause) }
      }
      try? input_.fileHandleForWriting.close()
    }
    writer.start()
    let errors = Pieces()
    let reader = Thread { errors.finish(error.fileHandleForReading.readDataToEndOfFile()) }
    reader.start()
    self.output = output.fileHandleForReading.readDataToEndOfFile()
    self.error = String(decoding: errors.wait(), as: UTF8.self)
    process.waitUntilExit()
    status = process.terminationStatus
    if executable == Replay.executable, arguments.first?.hasPrefix("-") != false { keepLines() }
  }

  /// Keeps an engine's output for the schema check.
  private func keepLines() {
    guard !output.isEmpty, output.first == UInt8(ascii: "{") || output.first == UInt8(ascii: "["),
      let written = WrittenLines.of(.engineToFrontend)
    else { return }
    for line in output[..<(output.lastIndex(of: 0x0A) ?? 0)].split(separator: 0x0A) {
      line.withUnsafeBytes { written.append($0) }
    }
  }

  /// The bytes that another thread has read.
  private final class Pieces: @unchecked Sendable {
    private let condition = NSCondition()
    private var data: Data?

    func finish(_ data: Data) {
      condition.lock()
      self.data = data
      condition.signal()
      condition.unlock()
    }

    func wait() -> Data {
      condition.lock()
      defer { condition.unlock() }
      while data == nil { condition.wait() }
      return data ?? Data()
    }
  }
}
