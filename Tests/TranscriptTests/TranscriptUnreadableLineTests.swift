import Foundation
import TestSupport
import Testing

/// Unreadable lines, and their substitutes in recordings.
@Suite("A recording of unreadable lines", .waits)
struct TranscriptUnreadableLineTests {
  private static let pieces: [String] = [
    "{", "}", "[", "]", ",", ":", "\"", #""id":7,"#, #""id":"x24","#, #""id":"é%","#, #""jsonrpc":"2.0","#,
    #""method":"session/open","#, #""params":{"#, #""session":"s","#, #""value":"geheim-geheim""#, #"\u0061"#,
    #"\ud83d\ude00"#, #"\ud800"#, #"\q"#, "é", "1e5", "-", "0", "true", "nul", "null", #""a":1,"#, #""a":2,"#, " ",
    "\t",
    #""\u0061":1"#, #""Stra\u00dfe":"#, "\u{1}", #""em\u0061i\l""#, "😀",
  ]
  private static let change =
    #"{"jsonrpc":"2.0","id":"x1","method":"session/edit","params":{"session":"s","item":"password","value":"geheim-geheim"}}"#

  /// A random line: pieces of messages in any order, or a message that was damaged in some places.
  private static func line(_ random: inout SeededRandom) -> [UInt8] {
    if Bool.random(using: &random) {
      let count = Int.random(in: 1...14, using: &random)
      return (0..<count).flatMap { _ in Array(random.pick(pieces).utf8) }
    }
    var line = Array(change.utf8)
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let place = Int.random(in: 0...line.count, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: line.insert(contentsOf: Array(random.pick(pieces).utf8), at: place)
      case 1: line.insert(UInt8.random(in: 0x0B...0xFF, using: &random), at: place)
      case 2: if place < line.count { line.remove(at: place) }
      default: line.removeLast(min(line.count - place, Int.random(in: 0...40, using: &random)))
      }
    }
    return line
  }

  @Test(
    "for each unreadable line, a recording contains a substitute with the same error reply, and no secret",
    arguments: Workload.part(of: Array(1...4 as ClosedRange<UInt64>)))
  func lines(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let folder = try TemporaryDirectory()
    let lines = (0..<1500).map { _ in Self.line(&random) }
    let input = folder.file("input")
    try Data(lines.joined(separator: [0x0A]) + [0x0A]).write(to: URL(fileURLWithPath: input))
    let engine = try Program(
      ["-c", "exec '\(Replay.executable)' --record '\(folder.file("run.jsonl"))' <'\(input)'"], executable: "/bin/sh")
    #expect(engine.status == 0)
    let recording = folder.read("run.jsonl")
    #expect(!recording.contains("cannot be written down"), "seed \(seed)")
    #expect(!recording.contains("geheim-geheim"), "seed \(seed)")
    #expect(RecordingTests.outputs(recording) == engine.text)
    let replay = try Replay([folder.file("run.jsonl")])
    #expect(replay.output == "1 passed, 0 failed\n", "seed \(seed)\n\(replay.output)")
  }
}
