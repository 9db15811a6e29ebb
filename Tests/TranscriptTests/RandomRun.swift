import Foundation
import TestSupport

/// A random run of the built engine: views, authenticators, options and ends. Everything but the
/// timing is determined by a seed.
struct RandomRun {
  /// What ends the run.
  enum End: CaseIterable {
    case inputEnds, lineIsCut, toldToStop, killed, readerLeaves
  }

  private var generator: SeededRandom
  let seed: UInt64
  let folder: TemporaryDirectory
  private(set) var options = ["--max-line-bytes", "500", "--max-value-bytes", "100"]
  private var lines: [(text: String, pause: UInt32)] = []
  private(set) var end = End.inputEnds

  var description: String { "seed \(seed): \(end), \(options.joined(separator: " "))" }

  init(seed: UInt64) throws {
    self.seed = seed
    generator = SeededRandom(seed: seed)
    folder = try TemporaryDirectory()
    end = pick([.inputEnds, .inputEnds] + End.allCases)
    try addAuthenticators()
    try addOptions()
    // After the end of input, with lines still waiting under lockstep, a fault of an authenticator
    // cannot be replayed. So these runs end in another way.
    if options.contains("--lockstep"), !options.contains("frontend"), [.inputEnds, .lineIsCut].contains(end) {
      end = pick([.toldToStop, .killed, .readerLeaves])
    }
    addLines()
  }

  private mutating func pick<T>(_ choices: [T]) -> T { choices[Int.random(in: choices.indices, using: &generator)] }
  private mutating func happens(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &generator) < share }

  // MARK: Properties

  private mutating func command(_ name: String) throws -> String {
    let script = OddAuthenticator.script(moods: pick([3, 6, 18, 24, 26]))
    let file = try folder.writeProgram(script, to: name)
    return "\(file) \(Int.random(in: 1..<32_000, using: &generator))"
  }

  private mutating func addAuthenticators() throws {
    let backends: [String] =
      switch Int.random(in: 0..<9, using: &generator) {
      case 0, 1, 2: [try command("one")]
      case 3: ["login=\(try command("in"))", "*=\(try command("other"))"]
      case 4: ["login=\(try command("in"))", "*=\(pick(["/nonexistent/program", "false", "true"]))"]
      case 5: ["frontend"]
      case 6: ["\(pick(["login", "register"]))=frontend", "*=\(try command("one"))"]
      case 7: [pick(["cat", "false", "true", "sh -c \"exec <&-; sleep 0.2\"", "sh -c \"sleep 0.05\""])]
      default: []
      }
    for backend in backends { options += ["--authenticator", backend] }
    if backends.isEmpty {
      options += ["--authenticator", "login-accounts --file '\(folder.file("accounts"))' --hash-cost 1"]
    }
  }

  private mutating func addOptions() throws {
    options += ["--drain-timeout", pick(["0.05", "0.3", "1"])]
    if happens(0.35) { options.append("--lockstep") }
    if happens(0.25) { options += ["--idle-timeout", pick(["0.05", "0.25"])] }
    if happens(0.2) { options += ["--clock", "manual"] }
    guard happens(0.5) else { return }
    let file = URL(fileURLWithPath: TranscriptTests.folder).deletingLastPathComponent()
      .appendingPathComponent("flows/standard.json")
    // The recording has placeholders for the secrets, on which the pattern has the same verdicts.
    let rule = #"{ "rule": "required", "message": "password.missing" }"#
    let pattern = #"{ "rule": "pattern", "pattern": "[a-z]+-(right|.{9,})?", "message": "password.missing" }"#
    let flow = try String(contentsOf: file, encoding: .utf8)
      .replacing(rule, with: happens(0.5) ? "\(rule), \(pattern)" : rule)
      .replacing(#""requestTimeoutMs": 30000"#, with: #""requestTimeoutMs": \#(pick([20, 50, 150]))"#)
    options += ["--flow", try folder.write(flow, to: "flow.json")]
  }

  /// Adds the lines of the view. All secrets are typed first, so that they are recognised when an
  /// authenticator repeats them.
  private mutating func addLines() {
    let secrets = ["", "short", "right", "long-enough-for-all", "begun", "inner"].map { RandomWalk.secret + $0 }
    lines = [(#"{"jsonrpc":"2.0","method":"session/open","params":{"session":"d"}}"# + "\n", 0)]
    lines += secrets.map {
      (
        #"{"jsonrpc":"2.0","method":"session/edit","params":{"session":"d","item":"password","value":"\#($0)"}}"#
          + "\n", 0
      )
    }
    var walk = RandomWalk(seed: seed)
    for line in walk.lines(Int.random(in: 20..<120, using: &generator)) where line.text.hasSuffix("\n") {
      lines.append(line)
      if happens(0.05) { lines.append((frontendsWord() + "\n", 0)) }
    }
    if end == .lineIsCut { lines.append((#"{"id":3,"password":"\#(RandomWalk.secret)cut"#, 0)) }
    if [.toldToStop, .killed, .readerLeaves].contains(end) {
      lines.removeSubrange(Int.random(in: 1..<lines.count, using: &generator)...)
    }
  }

  /// A line of a frontend that decides logins itself.
  private mutating func frontendsWord() -> String {
    let number = Int.random(in: 1..<12, using: &generator)
    let secret = RandomWalk.secret + "right"
    let result = pick([
      #"{"outcome":"accepted","principal":"\#(secret)"}"#,
      #"{"outcome":"rejected","message":{"code":"no","text":"not \#(secret)"}}"#,
      #"{"outcome":"challenge","pollAfterMs":50,"screen":{"id":"wait","title":"Wait for \#(secret)","sections":[]}}"#,
    ])
    return pick([
      #"{"jsonrpc":"2.0","id":"authenticator-\#(number)","result":\#(result)}"#,
      #"{"jsonrpc":"2.0","id":"authenticator-\#(number)","error":{"code":1,"message":"x","data":{"code":"sad"}}}"#,
      #"{"jsonrpc":"2.0","method":"authenticator/notify","params":{"attempt":\#(number),"message":{"code":"w","text":"\#(secret)"}}}"#,
    ])
  }

  // MARK: Running

  /// Runs the engine and returns its recording. Signals are sent only after the engine has begun to
  /// record.
  mutating func record() throws -> String {
    signal(SIGPIPE, SIG_IGN)
    let process = Process()
    let (input, output) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: Replay.executable)
    process.arguments = options + ["--record", folder.file("run.jsonl")]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let (lines, end, pause) = (lines, end, pick([0, 1_000, 10_000, 100_000] as [UInt32]))
    let (number, recording) = (process.processIdentifier, folder.file("run.jsonl"))
    let writer = Thread {
      for (text, pause) in lines {
        do { try input.fileHandleForWriting.write(contentsOf: Data(text.utf8)) } catch { break }
        if pause > 0 { usleep(pause) }
      }
      if end == .toldToStop || end == .killed {
        KilledProgram.waitForBeginning(of: recording, while: kill(number, 0) == 0)
        usleep(pause)
        kill(number, end == .killed ? SIGKILL : SIGTERM)
        usleep(200_000)
      }
      try? input.fileHandleForWriting.close()
    }
    writer.start()
    if end == .readerLeaves {
      for _ in 0..<Int.random(in: 1..<4, using: &generator) { _ = output.fileHandleForReading.availableData }
      try output.fileHandleForReading.close()
    } else {
      _ = output.fileHandleForReading.readDataToEndOfFile()
    }
    process.waitUntilExit()
    return folder.read("run.jsonl")
  }
}
