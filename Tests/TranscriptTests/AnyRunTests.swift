import Foundation
import TestSupport
import Testing

/// `LOGIN_ENGINE_RANDOM_RUNS=FIRST-LAST` sets the seeds.
@Suite("Recordings of random runs", .waits)
struct AnyRunTests {
  static let seeds: ClosedRange<UInt64> = {
    let asked = ProcessInfo.processInfo.environment["LOGIN_ENGINE_RANDOM_RUNS"]?.split(separator: "-").compactMap {
      UInt64($0)
    }
    guard let asked, asked.count == 2, asked[0] <= asked[1] else { return 1...UInt64(Workload.amount(24, atLeast: 6)) }
    return asked[0]...asked[1]
  }()

  @Test(
    "a replay of a random run's recording gives the same bytes, and the recording contains no secret",
    arguments: seeds)
  func run(seed: UInt64) throws {
    var run = try RandomRun(seed: seed)
    let recording = try run.record()
    #expect(!recording.contains(RandomWalk.secret), "\(run.description)")
    let replay = try Replay([run.folder.file("run.jsonl")])
    #expect(replay.output == "1 passed, 0 failed\n", "\(run.description)\n\(replay.output)")
  }
}
