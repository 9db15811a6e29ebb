import Glibc
import JSONCodec
import System

/// Measures the time from the start of the engine's program to its first update, and compares it
/// with a C program that does nothing. Both programs run on one processor, since only one of them
/// works at a time.
struct StartBenchmark {
  let programs: Programs
  let count: Int

  func run() throws(Failure) -> [Figure] {
    programs.processors.drive(on: programs.processors.tested)
    defer { programs.processors.drive(on: programs.processors.driving) }
    var empty: [Double] = []
    var first: [Double] = []
    var version: [Double] = []
    for round in 0..<count {
      let emptyTime = try untilEnd(["empty-program"], programs.empty)
      let firstTime = try untilUpdate()
      // The first round is not counted, because it reads the programs' files from disk.
      if round == 0 { continue }
      empty.append(emptyTime)
      first.append(firstTime)
      version.append(try untilEnd(["login-engine", "--version"], programs.engine))
    }
    let least = (first.min() ?? 0) - (empty.min() ?? 0)
    return [
      Figure("start.first", "start to first update", "us", first),
      Figure("start.empty", "start to end of a C program that does nothing", "us", empty),
      Figure(
        "start.added", "start to first update, more than that program", "us",
        [first.percentile(50) - empty.percentile(50)], aim: .atMost(700)),
      Figure("start.least", "the same between the shortest of each", "us", [least], aim: .atMost(700)),
      Figure("start.version", "start to end of login-engine --version", "us", version),
    ]
  }

  private func untilEnd(_ arguments: [String], _ executable: String) throws(Failure) -> Double {
    let begin = Clock.now()
    let child = try programs.start(arguments, executable: executable)
    Programs.makeBlocking(child)
    guard let outward = child.output else { throw Failure("the pipe is closed") }
    var bytes = [UInt8](repeating: 0, count: 4_096)
    while read(outward, &bytes, bytes.count) > 0 {}
    return Double(Clock.now() - begin) / 1_000
  }

  private func untilUpdate() throws(Failure) -> Double {
    var line = ByteBuffer()
    Line.appendOpen(1, to: &line)
    let begin = Clock.now()
    let child = try programs.startEngine()
    let answer = OutputBuffer(capacity: 16_384)
    try Pump.run(child, input: line, output: answer, until: .lines(1))
    let time = Double(Clock.now() - begin) / 1_000
    var checker = OutputChecker()
    try answer.forEachLine { line throws(Failure) in
      try checker.checkUpdate(line, session: 1, revision: 1, step: nil)
    }
    try Programs.finish(child)
    return time
  }
}
