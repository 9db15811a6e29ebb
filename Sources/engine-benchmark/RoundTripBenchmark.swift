internal import EventLoop
internal import Glibc
internal import JSONCodec

/// One request at a time, and the next when the answer is there, on one processor: what a person's key press costs. `cat`
/// echoes the bytes of the same answers in turn with it.
struct RoundTripBenchmark {
  private let programs: Programs
  private let engine: ChildProcess
  private let cat: ChildProcess
  private let count: Int
  private let output = Region(capacity: 1 << 20)
  private let echo = Region(capacity: 1 << 20)
  private var engineTimes: [Double] = []
  private var catTimes: [Double] = []

  init(_ programs: Programs, _ options: Options) throws(Failure) {
    self.programs = programs
    count = options.roundTrips
    engine = try programs.startEngine()
    cat = try programs.start(["cat"])
    for child in [engine, cat] { Programs.makeBlocking(child) }
  }

  mutating func run() throws(Failure) -> [Figure] {
    programs.processors.drive(on: programs.processors.tested)
    defer { programs.processors.drive(on: programs.processors.driving) }
    var line = ByteBuffer()
    Line.appendOpen(1, to: &line)
    try exchange(engine, line, output, lines: 1)
    var random = Random(seed: 3)
    let script = Script(people: 100, random: &random)
    var checker = OutputChecker()
    for index in 0..<count {
      let step = script.steps[index % script.steps.count]
      line.removeAll()
      Line.appendChange(1, step.item, value: step.json, id: index, to: &line)
      engineTimes.append(try exchange(engine, line, output, lines: 2))
      var number = 0
      try output.forEachLine { text throws(Failure) in
        if number == 0 {
          try checker.checkUpdate(text, session: 1, revision: index + 2, step: step)
        } else {
          try checker.checkResponse(text, id: index)
        }
        number += 1
      }
      line.removeAll()
      line.append(output.bytes)
      catTimes.append(try exchange(cat, line, echo, lines: 2))
    }
    try Programs.finish(engine)
    let (own, other) = (engineTimes, catTimes)
    let ratio = own.percentile(50).per(other.percentile(50))
    return [
      Figure("roundtrip.median", "round trip on one CPU, median", "us", [own.percentile(50)], aim: .atMost(5)),
      Figure("roundtrip.p99", "round trip on one CPU, 99 of 100 within", "us", [own.percentile(99)]),
      Figure("roundtrip.cat.median", "cat echoing the answers, median", "us", [other.percentile(50)]),
      Figure("roundtrip.cat.p99", "cat echoing the answers, 99 of 100 within", "us", [other.percentile(99)]),
      Figure("roundtrip.ratio", "round trip against cat, medians", "times", [ratio], aim: .atMost(5 / 2.8)),
    ]
  }

  /// Writes, and reads until so many lines are there. Returns the microseconds it took.
  @discardableResult
  private func exchange(
    _ child: ChildProcess, _ line: borrowing ByteBuffer, _ answer: Region, lines: Int
  ) throws(Failure) -> Double {
    guard let inward = child.input, let outward = child.output else { throw Failure("the pipes are closed") }
    answer.removeAll()
    var found = 0
    let begin = Clock.now()
    let written = line.withBytes { Descriptor.write(inward, $0) }
    guard written == .written(line.count) else { throw Failure("a request was not taken") }
    while found < lines {
      let room = answer.room
      let count = read(outward, room.baseAddress, room.count)
      guard count > 0 else { throw Failure("a request was not answered") }
      let before = answer.count
      answer.added(count)
      found += answer.lineEnds(from: before)
    }
    return Double(Clock.now() - begin) / 1_000
  }
}
