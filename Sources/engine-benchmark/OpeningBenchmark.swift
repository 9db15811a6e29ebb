import JSONCodec
import System

/// Measures how many sessions the engine opens per second. Nothing is typed, and all sessions are
/// closed after each round.
final class OpeningBenchmark {
  private static let bytesPerSession = 3_000

  private let programs: Programs
  private let count: Int
  private let rounds: Int
  private let output: OutputBuffer

  init(_ programs: Programs, _ options: Options) {
    self.programs = programs
    count = min(50_000, options.sessions)
    rounds = options.rounds
    output = OutputBuffer(capacity: count * Self.bytesPerSession + 100_000)
  }

  func run(_ progress: (String) -> Void) throws(Failure) -> [Figure] {
    let engine = try programs.startEngine()
    var opening = ByteBuffer(capacity: count * 100)
    for session in 0..<count { Line.appendOpen(session, to: &opening) }
    opening.append(Line.barrier)
    var closing = ByteBuffer()
    closing.append(Line.closeAll)
    closing.append(Line.barrier)
    var perSecond: [Double] = []
    for round in 0...rounds {
      progress("opening: round \(round) of \(rounds)")
      let wall = try Pump.run(engine, input: opening, output: output, until: .barrier)
      try check()
      // The first round is not counted, because the engine's memory grows in it.
      if round > 0 { perSecond.append(Double(count) / Double(max(wall, 1)) * 1e9) }
      try Pump.run(engine, input: closing, output: output, until: .barrier)
    }
    try Programs.finish(engine)
    return [Figure("opening.sessions", "opening, \(Double(count).whole) sessions", "sessions/s", perSecond)]
  }

  private func check() throws(Failure) {
    var checker = OutputChecker()
    var session = 0
    try output.forEachLine { line throws(Failure) in
      defer { session += 1 }
      if session == count { return }
      try checker.checkUpdate(line, session: session, revision: 1, step: nil)
    }
    guard session == count + 1 else { throw Failure("\(count) sessions had \(session - 1) updates") }
  }
}
