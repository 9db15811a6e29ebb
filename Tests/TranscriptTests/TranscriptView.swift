import Foundation
import JSONCodec
import TestSupport

/// A view that acts exactly like the view of a transcript: it writes each line as soon as the
/// outputs before that line have arrived.
struct TranscriptView {
  enum Step {
    /// Writes these bytes.
    case write(Data)
    /// Waits for this line. If the transcript ignores parts of the line, only the kind of message
    /// is compared.
    case read(JSONValue, isWhole: Bool)
    /// Closes the view's end of the connection.
    case end
  }

  var steps: [Step]

  init(_ file: String) throws {
    steps = []
    for line in try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n") {
      let value = try JSONValue(parsing: Array(line.utf8))
      switch value.members?.first?.key {
      case "in": steps.append(.write(Data("\(value["in"]?.text ?? "")\n".utf8)))
      case "raw": append(Data((value["raw"]?.string ?? "").utf8), value)
      case "rawBase16": append(Self.bytes(value["rawBase16"]?.string ?? ""), value)
      case "out": steps.append(.read(value["out"] ?? .null, isWhole: value["ignore"] == nil))
      case "end": steps.append(.end)
      default: break
      }
    }
  }

  private mutating func append(_ bytes: Data, _ step: JSONValue) {
    let filling = Data(repeating: 0x78, count: max(0, (step["length"]?.integer ?? 0) - bytes.count))
    let isUnterminated = step["unterminated"]?.bool == true
    steps.append(.write(bytes + filling + Data((isUnterminated ? "" : "\n").utf8)))
    if isUnterminated { steps.append(.end) }
  }

  private static func bytes(_ base16: String) -> Data {
    let digits = base16.compactMap(\.hexDigitValue)
    let bytes: [UInt8] = Swift.stride(from: 1, to: digits.count, by: 2).map { UInt8(digits[$0 - 1] * 16 + digits[$0]) }
    return Data(bytes)
  }

  /// Plays the view with a mock of a transcript. Returns the exit status, the messages, and the
  /// first unexpected output.
  ///
  /// - Parameter impatient: the step from which the view waits for each line only a tenth of a
  ///   second, and then continues without it.
  func play(with file: String, _ options: [String], impatient: Int = .max) throws -> Result {
    signal(SIGPIPE, SIG_IGN)
    let process = Process()
    let (input, output, error) = (Pipe(), Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: Replay.executable)
    process.arguments = ["mock"] + options + [file]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = error
    try process.run()
    let lines = LineReader(output.fileHandleForReading.fileDescriptor)
    var other: String?
    for (index, step) in steps.enumerated() {
      switch step {
      case .write(let bytes): try? input.fileHandleForWriting.write(contentsOf: bytes)
      case .end: try? input.fileHandleForWriting.close()
      case .read(let expected, let isWhole):
        let line = lines.next(index < impatient ? -1 : 100)
        let got = line.flatMap { try? JSONValue(parsing: Array($0)) }
        let isSame = isWhole ? got == expected : got?["method"] == expected["method"] && got?["id"] == expected["id"]
        if !isSame, other == nil { other = "\(got?.text ?? "nothing") instead of \(expected.text)" }
      }
    }
    try? input.fileHandleForWriting.close()
    while let line = lines.next(-1) { other = other ?? "\(String(decoding: line, as: UTF8.self)) at the end" }
    let errors = String(decoding: error.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return Result(status: process.terminationStatus, error: errors, other: other)
  }

  struct Result {
    let status: Int32
    let error: String
    /// The first output of the mock that differs from the transcript's; `nil` if there is none.
    let other: String?
  }
}

/// Reads lines from a pipe.
private final class LineReader {
  private let descriptor: Int32
  private var bytes: [UInt8] = []
  private var hasEnded = false

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// The next line; `nil` at the end, or if no line arrives within `timeout` milliseconds.
  func next(_ timeout: Int32) -> [UInt8]? {
    while true {
      if let end = bytes.firstIndex(of: 0x0A) {
        defer { bytes.removeFirst(end + 1) }
        return Array(bytes[..<end])
      }
      guard !hasEnded, isReadable(descriptor, within: timeout) else { return nil }
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      let count = read(descriptor, &buffer, buffer.count)
      if count > 0 { bytes += buffer[..<count] } else { hasEnded = true }
    }
  }
}
