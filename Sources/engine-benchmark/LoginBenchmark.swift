import JSONCodec
import System

/// Measures the engine's cost of a login, with an authenticator that answers at once and with one
/// that takes a second. This program acts as the authenticator.
final class LoginBenchmark {
  private let programs: Programs
  private let count: Int
  private let engine: ChildProcess
  private let output: OutputBuffer
  private var lines = ByteBuffer()
  private var checker = OutputChecker()
  private var revisions: [Int: Int] = [:]

  init(_ programs: Programs, _ options: Options, waiting: Bool = false) throws(Failure) {
    self.programs = programs
    count = waiting ? options.waiting : options.logins
    output = OutputBuffer(capacity: count * 8_000)
    let authenticator = waiting ? "\(DelayedAuthenticator.argument) \(count)" : InstantAuthenticator.argument
    let command = "\(Self.escaped(programs.itself)) \(authenticator)"
    engine = try programs.startEngine(["--authenticator", command, "--max-sessions", "\(count * 3)"])
  }

  func run() throws(Failure) -> [Figure] {
    // The first login starts the authenticator, so its time is not measured.
    _ = try together(0..<count)
    let many = try together(count..<count * 2)
    let single = try oneByOne(count * 2..<count * 3)
    try Programs.finish(engine)
    return [
      Figure(
        "login.together", "submit to success, many at a time, engine's own time", "us/login", [many], aim: .atMost(6)),
      Figure(
        "login.single", "submit to success, one at a time, engine's own time", "us/login", [single], aim: .atMost(20)),
    ]
  }

  /// Measures how the engine handles `waiting` logins that are all pending at the same time.
  func runWaiting() throws(Failure) -> [Figure] {
    let spent = try together(0..<count)
    try Programs.finish(engine)
    return [
      Figure(
        "login.waiting",
        "submit to success, \(Double(count).readable) pending together for a second, engine's own time",
        "us/login", [spent], aim: .atMost(50))
    ]
  }

  private func together(_ sessions: Range<Int>) throws(Failure) -> Double {
    try fill(sessions)
    lines.removeAll()
    for session in sessions { Line.appendSubmit(session, to: &lines) }
    let before = try Clock.processorTime(of: engine.processID)
    try pump(lines: sessions.count * 2)
    let spent = try Clock.processorTime(of: engine.processID) - before
    try check(sessions)
    return Double(spent) / 1_000 / Double(sessions.count)
  }

  private func oneByOne(_ sessions: Range<Int>) throws(Failure) -> Double {
    try fill(sessions)
    var spent: UInt64 = 0
    for session in sessions {
      lines.removeAll()
      Line.appendSubmit(session, to: &lines)
      let before = try Clock.processorTime(of: engine.processID)
      try pump(lines: 2)
      spent += try Clock.processorTime(of: engine.processID) - before
      try check(session..<session + 1)
    }
    return Double(spent) / 1_000 / Double(sessions.count)
  }

  private func fill(_ sessions: Range<Int>) throws(Failure) {
    lines.removeAll()
    for session in sessions {
      Line.appendOpen(session, to: &lines)
      Line.appendChange(session, .email, value: Array("\"user\(session)@example.com\"".utf8), to: &lines)
      Line.appendChange(session, .password, value: Array("\"correct horse \(session)\"".utf8), to: &lines)
      revisions[session] = 3
    }
    try pump(lines: sessions.count * 3)
  }

  private func pump(lines count: Int) throws(Failure) {
    try Pump.run(engine, input: lines, output: output, until: .lines(count))
  }

  /// Checks that the output shows each session first as pending and then as successful. The
  /// sessions may come in any order.
  private func check(_ sessions: Range<Int>) throws(Failure) {
    let pending = OutputChecker.index(of: "requestPending")
    let succeeded = OutputChecker.index(of: "requestSucceeded")
    try output.forEachLine { line throws(Failure) in
      let update = try checker.readUpdate(line)
      guard sessions.contains(update.session), revisions[update.session] == update.revision - 1 else {
        throw Failure("session \(update.session) skipped to revision \(update.revision)")
      }
      revisions[update.session] = update.revision
      guard update.state == (update.revision == 4 ? pending : succeeded) else {
        throw Failure("session \(update.session) is in a wrong state: \(String(decoding: line, as: UTF8.self))")
      }
    }
    for session in sessions where revisions[session] != 5 { throw Failure("session \(session) did not succeed") }
  }

  /// A path, escaped so that it is one word of a command line.
  private static func escaped(_ path: String) -> String {
    var text = ""
    for character in path {
      if !character.isLetter, !character.isNumber, !"/._-+".contains(character) { text.append("\\") }
      text.append(character)
    }
    return text
  }
}
