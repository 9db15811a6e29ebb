import JSONCodec
import System

/// Measures how fast the engine handles typing, in crowds of different sizes, with and without
/// snapshots in the updates.
///
/// After each round with snapshots, `cat` copies the output of the round, for comparison. Updates
/// without snapshots are checked at the end: the screens to which their commands have led must
/// equal the engine's snapshots.
final class TypingBenchmark {
  private let programs: Programs
  private let options: Options
  private let output: OutputBuffer
  private let copied: OutputBuffer
  private let cat: ChildProcess
  private var lines: ByteBuffer

  /// How many bytes of the output buffer are reserved for each update. An update that opens a
  /// session is longer, so `bytesPerOpening` are reserved for it.
  private static let bytesPerUpdate = 1_500
  private static let bytesPerOpening = 5_000

  init(_ programs: Programs, _ options: Options) throws(Failure) {
    self.programs = programs
    self.options = options
    output = OutputBuffer(capacity: max(options.events * Self.bytesPerUpdate, 1_000 * Self.bytesPerOpening))
    copied = OutputBuffer(capacity: output.capacity)
    lines = ByteBuffer(capacity: options.events * 200)
    cat = try programs.start(["cat"])
  }

  func run(_ progress: (String) -> Void) throws(Failure) -> [Figure] {
    var random = Random(seed: 2)
    let script = Script(people: 500, random: &random)
    var results: [CrowdResult] = []
    let sizes = [1, 1_000, 100_000, options.sessions].filter { $0 <= options.sessions }
    for size in Set(sizes).sorted() {
      for hasSnapshots in [true, false] {
        progress("typing: opening \(size) sessions, \(hasSnapshots ? "with snapshots" : "commands only")")
        let crowd = Crowd(count: size, script: script, seed: UInt64(size), hasSnapshots: hasSnapshots)
        results.append(try CrowdResult(programs, crowd))
        try open(results[results.count - 1])
      }
    }
    // Each round runs all crowds one after the other, so that other programs on the machine slow
    // them equally.
    for round in 1...options.rounds {
      progress("typing: round \(round) of \(options.rounds)")
      for result in results { try type(result) }
    }
    for result in results {
      if !result.crowd.hasSnapshots { try compare(result) }
      try Programs.finish(result.engine)
    }
    return CrowdResult.figures(results)
  }

  private func open(_ result: CrowdResult) throws(Failure) {
    try warmUp(result)
    let before = try ProcessFiles.residentBytes(of: result.engine.processID)
    let chunk = max(1, output.capacity / Self.bytesPerOpening)
    var first = 0
    while first < result.crowd.count {
      let last = min(result.crowd.count, first + chunk)
      result.crowd.open(first..<last, into: &lines)
      try Pump.run(result.engine, input: lines, output: output, until: .barrier)
      try result.crowd.check(output)
      first = last
    }
    result.addedBytes = try ProcessFiles.residentBytes(of: result.engine.processID) - before
  }

  /// Makes the engine enlarge its buffers before memory is measured, because these buffers are not
  /// part of a session's memory.
  private func warmUp(_ result: CrowdResult) throws(Failure) {
    lines.removeAll()
    lines.append(
      "{\"jsonrpc\":\"2.0\",\"method\":\"session/open\",\"params\":{\"session\":\"first\",\"detail\":\"full\"}}\n")
    for _ in 0..<20_000 {
      lines.append("{\"jsonrpc\":\"2.0\",\"method\":\"session/edit\",\"params\":")
      lines.append("{\"session\":\"first\",\"item\":\"email\",\"value\":\"ada@example.com\"}}\n")
    }
    lines.append("{\"jsonrpc\":\"2.0\",\"method\":\"session/close\",\"params\":{\"session\":\"first\"}}\n")
    lines.append(Line.barrier)
    let room = OutputBuffer(capacity: 20_001 * 2_000)
    try Pump.run(result.engine, input: lines, output: room, until: .barrier)
  }

  private func type(_ result: CrowdResult) throws(Failure) {
    result.crowd.type(options.events, into: &lines)
    let before = try Clock.processorTime(of: result.engine.processID)
    let wall = try Pump.run(result.engine, input: lines, output: output, until: .barrier)
    let processor = try Clock.processorTime(of: result.engine.processID) - before
    result.add(events: options.events, bytes: output.count, wall: wall, processor: processor)
    if result.crowd.hasSnapshots { try copy(to: result, ownWall: wall, ownProcessor: processor) }
    try result.crowd.check(output)
  }

  /// Sends the output of the last round through `cat` and records how long that took.
  private func copy(to result: CrowdResult, ownWall: UInt64, ownProcessor: UInt64) throws(Failure) {
    let catBefore = try Clock.processorTime(of: cat.processID)
    let catWall = try Pump.run(cat, input: output.bytes, output: copied, until: .bytes(output.count))
    let catProcessor = try Clock.processorTime(of: cat.processID) - catBefore
    guard copied.bytes.elementsEqual(output.bytes) else { throw Failure("cat has changed the bytes") }
    result.addCat(
      bytes: output.count, wall: catWall, processor: catProcessor, ownWall: ownWall, ownProcessor: ownProcessor)
  }

  /// Requests the engine's snapshots and compares them with the screens to which the commands have
  /// led.
  private func compare(_ result: CrowdResult) throws(Failure) {
    result.crowd.askForSnapshots(into: &lines)
    try Pump.run(result.engine, input: lines, output: output, until: .barrier)
    try result.crowd.compare(output)
  }
}
