import EventLoop
import JSONCodec

/// The same people type in sessions whose updates have snapshots, and in sessions whose updates have commands only. What the commands lead to is compared
/// with the snapshots that the engine has at the end.
final class DetailBenchmark {
  private let programs: Programs
  private let options: Options
  private let output: Region
  private var lines: ByteBuffer

  private static let bytesPerUpdate = 5_000

  init(_ programs: Programs, _ options: Options) {
    self.programs = programs
    self.options = options
    output = Region(capacity: max(options.events, 1_000) * Self.bytesPerUpdate)
    lines = ByteBuffer(capacity: options.events * 200)
  }

  func run(_ progress: (String) -> Void) throws(Failure) -> [Figure] {
    var random = Random(seed: 3)
    let script = Script(people: 500, random: &random)
    let count = min(1_000, options.sessions)
    let full = try CrowdResult(programs, Crowd(count: count, script: script, seed: 4))
    let bare = try CrowdResult(programs, Crowd(count: count, script: script, seed: 4, hasSnapshots: false))
    for result in [full, bare] {
      result.crowd.open(0..<count, into: &lines)
      try Pump.run(result.engine, input: lines, output: output, until: .barrier)
      try result.crowd.check(output)
    }
    var speeds: (full: [Double], bare: [Double]) = ([], [])
    var sizes: (full: [Double], bare: [Double]) = ([], [])
    // In turn, so that other load on the machine affects both.
    for round in 1...options.rounds {
      progress("detail: round \(round) of \(options.rounds)")
      try type(full, &speeds.full, &sizes.full)
      try type(bare, &speeds.bare, &sizes.bare)
    }
    bare.crowd.askForSnapshots(into: &lines)
    try Pump.run(bare.engine, input: lines, output: output, until: .barrier)
    try bare.crowd.compare(output)
    for result in [full, bare] { try Programs.finish(result.engine) }
    return [
      Figure("detail.full", "typing with snapshots", "events/s", speeds.full),
      Figure("detail.commands", "typing with commands only", "events/s", speeds.bare),
      Figure(
        "detail.ratio", "commands only against snapshots", "times", zip(speeds.bare, speeds.full).map { $0.per($1) },
        aim: .atLeast(1.4)),
      Figure("detail.bytes", "an update with commands only", "bytes", sizes.bare),
      Figure("detail.fullBytes", "an update with its snapshot", "bytes", sizes.full),
    ]
  }

  private func type(_ result: CrowdResult, _ speeds: inout [Double], _ sizes: inout [Double]) throws(Failure) {
    result.crowd.type(options.events, into: &lines)
    let wall = try Pump.run(result.engine, input: lines, output: output, until: .barrier)
    speeds.append(Double(options.events) / Double(max(wall, 1)) * 1e9)
    sizes.append(Double(output.count) / Double(options.events))
    try result.crowd.check(output)
  }
}
