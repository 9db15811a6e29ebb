import Glibc
import JSONCodec
import System

/// Measures how long the response to one key press takes. Requests are sent one at a time on one
/// processor, each after the response to the previous request. For comparison, `cat` echoes the
/// same responses: a series of requests to the engine alternates with a series in which `cat`
/// echoes their responses.
final class RoundTripBenchmark {
  private static let turn = 200

  private let programs: Programs
  private let engine: ChildProcess
  private let cat: ChildProcess
  private let turns: Int
  private let script: Script
  private let output = OutputBuffer(capacity: turn * 4_096)
  private let echo = OutputBuffer(capacity: turn * 4_096)
  private var checker = OutputChecker()
  private var line = ByteBuffer()

  init(_ programs: Programs, _ options: Options) throws(Failure) {
    self.programs = programs
    turns = max(1, options.roundTrips / Self.turn)
    var random = Random(seed: 3)
    script = Script(people: 100, random: &random)
    engine = try programs.startEngine()
    cat = try programs.start(["cat"])
    for child in [engine, cat] { Programs.makeBlocking(child) }
  }

  func run() throws(Failure) -> [Figure] {
    programs.processors.drive(on: programs.processors.tested)
    defer { programs.processors.drive(on: programs.processors.driving) }
    Line.appendOpen(1, to: &line)
    try exchange(engine, output, lines: 1)
    var own: [Double] = []
    var other: [Double] = []
    var ratios: [Double] = []
    for turn in 0..<turns {
      let times = try ask(from: turn * Self.turn)
      let echoes = try echoAnswers()
      try check(from: turn * Self.turn)
      ratios.append(times.percentile(50).per(echoes.percentile(50)))
      own += times
      other += echoes
    }
    try Programs.finish(engine)
    return [
      Figure("roundtrip.median", "round trip on one CPU, median", "us", [own.percentile(50)]),
      Figure("roundtrip.p99", "round trip on one CPU, 99 of 100 within", "us", [own.percentile(99)]),
      Figure("roundtrip.cat.median", "cat echoing the answers, median", "us", [other.percentile(50)]),
      Figure("roundtrip.cat.p99", "cat echoing the answers, 99 of 100 within", "us", [other.percentile(99)]),
      Figure("roundtrip.ratio", "round trip against cat, medians", "times", ratios, aim: .atMost(1.2)),
    ]
  }

  private func step(_ request: Int) -> Script.Step { script.steps[request % script.steps.count] }

  /// Sends one series of requests to the engine. Returns the time of each in microseconds. The
  /// responses stay in `output`.
  private func ask(from first: Int) throws(Failure) -> [Double] {
    var times: [Double] = []
    output.removeAll()
    for request in first..<first + Self.turn {
      line.removeAll()
      Line.appendChange(1, step(request).item, value: step(request).json, id: request, to: &line)
      times.append(try exchange(engine, output, lines: 2))
    }
    return times
  }

  /// Sends each response of the last series, with its update, through `cat`. Returns the time of
  /// each in microseconds.
  private func echoAnswers() throws(Failure) -> [Double] {
    var times: [Double] = []
    echo.removeAll()
    line.removeAll()
    var number = 0
    try output.forEachLine { text throws(Failure) in
      line.append(text)
      line.append("\n")
      number += 1
      guard number % 2 == 0 else { return }
      times.append(try exchange(cat, echo, lines: 2))
      line.removeAll()
    }
    return times
  }

  private func check(from first: Int) throws(Failure) {
    var number = 0
    try output.forEachLine { text throws(Failure) in
      let request = first + number / 2
      if number % 2 == 0 {
        try checker.checkUpdate(text, session: 1, revision: request + 2, step: step(request))
      } else {
        try checker.checkResponse(text, id: request)
      }
      number += 1
    }
    guard number == Self.turn * 2 else { throw Failure("\(Self.turn) requests had \(number) lines as answers") }
  }

  /// Writes `line` to a program and reads `lines` lines from it. Returns the time that this took in
  /// microseconds.
  @discardableResult
  private func exchange(_ child: ChildProcess, _ answer: OutputBuffer, lines: Int) throws(Failure) -> Double {
    guard let inward = child.input, let outward = child.output else { throw Failure("the pipes are closed") }
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
