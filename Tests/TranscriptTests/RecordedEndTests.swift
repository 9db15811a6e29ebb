import Foundation
import TestSupport
import Testing

@Suite("A recording of a run's end", .waits)
struct RecordedEndTests {
  static let login = [
    #"{"jsonrpc":"2.0","method":"session/open","params":{"session":"s","values":{"email":"ada@example.com"}}}"#,
    #"{"jsonrpc":"2.0","method":"session/edit","params":{"session":"s","item":"password","value":"hunter2hunter2"}}"#,
    #"{"jsonrpc":"2.0","method":"session/press","params":{"session":"s","action":"submit"}}"#,
  ]

  @Test("a login that succeeds after the end of input, later than its request timeout, also succeeds in a replay")
  func timeStandsStill() throws {
    let folder = try TemporaryDirectory()
    let standard = URL(fileURLWithPath: TranscriptTests.folder).deletingLastPathComponent()
      .appendingPathComponent("flows/standard.json")
    let flow = try String(contentsOf: standard, encoding: .utf8)
    let answer = #"{"jsonrpc":"2.0","id":1,"result":{"outcome":"accepted"}}"#
    // If the machine is so slow that the login times out before the engine notices the end of
    // input, the run tests nothing, and is repeated with a longer timeout.
    for tenths in [1, 8, 64] {
      let hurried = flow.replacing(#""requestTimeoutMs": 30000"#, with: #""requestTimeoutMs": \#(tenths * 100)"#)
      let file = try folder.write(hurried, to: "flow.json")
      let script =
        "#!/bin/sh\nread -r describe; read -r question; sleep \(Double(tenths) * 0.4); echo '\(answer)'; cat\n"
      let authenticator = try folder.writeProgram(script, to: "authenticator-\(tenths)")
      let engine = try Program(
        [
          "--flow", file, "--authenticator", authenticator, "--drain-timeout", "60", "--record",
          folder.file("run.jsonl"),
        ], input: Self.login.map { ($0 + "\n", 0) })
      if engine.text.contains("network.timeout"), tenths < 64 { continue }
      #expect(engine.text.contains("requestSucceeded"), "\(engine.error)")
      _ = try RecordingTests.again("run.jsonl", in: folder)
      return
    }
  }

  @Test(
    "a recording of an engine that was stopped by a signal before any input can be replayed",
    arguments: [[], ["--lockstep"]])
  func signalFirst(options: [String]) throws {
    let folder = try TemporaryDirectory()
    let text = "{\"options\":\(options)}\n{\"signal\":\"terminate\"}\n"
    // The timing of the signal is random, so there are many runs.
    let files = try (0..<24).map { try folder.write(text, to: "\($0).jsonl") }
    for kind in [[], ["--in-process"]] {
      #expect(try Replay(kind + files).output == "24 passed, 0 failed\n")
    }
  }

  /// The state of an engine at the moment when it is killed.
  enum Situation: String, CaseIterable {
    case loginInFlight, batchUnderWay, challengeShown, nothing

    /// The lines of the view, and the output at which the engine is killed.
    var script: (lines: [String], options: [String], mark: String) {
      let submit = #"{"jsonrpc":"2.0","id":3,"method":"session/press","params":{"session":"s","action":"submit"}}"#
      let form = RecordedEndTests.login.dropLast()
      return switch self {
      case .loginInFlight: (form + [submit], [], #""id":3"#)
      case .batchUnderWay: (form + ["[\(submit),\(submit)]"], ["--lockstep"], "requestPending")
      case .challengeShown: (form + [submit], [], "Second")
      case .nothing: (["[]"], [], "error")
      }
    }
  }

  @Test(
    "a killed engine's recording is marked incomplete, can be replayed, and contains everything that the view has seen",
    arguments: Situation.allCases)
  func killed(situation: Situation) throws {
    let folder = try TemporaryDirectory()
    let screen =
      #"{"id":"second","title":"Second","sections":[{"id":"s","items":[{"id":"code","kind":"input","inputType":"oneTimeCode","title":"Code"}]}]}"#
    let answer = #"{"jsonrpc":"2.0","id":1,"result":{"outcome":"challenge","screen":\#(screen)}}"#
    let says = situation == .challengeShown ? "echo '\(answer)'; exec cat" : "exec sleep 60"
    let authenticator = try folder.writeProgram(
      "#!/bin/sh\nread -r describe; read -r question; \(says)\n", to: "authenticator")
    let (lines, options, mark) = situation.script
    let killed = try KilledProgram(
      options + ["--authenticator", authenticator, "--record", folder.file("run.jsonl")],
      input: (lines + [#"{"jsonrpc":"2.0","id":2,"method":"session/list"}"#]).map { $0 + "\n" }, mark: mark)
    let recording = folder.read("run.jsonl")
    #expect(recording.split(separator: "\n")[1].hasSuffix(#","complete":false}"#))
    switch situation {
    case .batchUnderWay: break
    // The authenticator's texts are different in the recording.
    case .challengeShown:
      let seen = killed.text.split(separator: "\n").count
      #expect(RecordingTests.outputs(recording).split(separator: "\n").count >= seen)
    default: #expect(RecordingTests.outputs(recording).hasPrefix(killed.text))
    }
    let replay = try Replay([folder.file("run.jsonl")])
    #expect(replay.output == "1 passed, 0 failed\n", "\(replay.output)")
    // A recording that ends within a line, as if the engine was killed while it wrote the line.
    _ = try folder.write(String(recording.dropLast(5)), to: "cut.jsonl")
    #expect(try Replay([folder.file("cut.jsonl")]).output == "1 passed, 0 failed\n")
    _ = try folder.write(recording.replacing(#""complete":false"#, with: #""complete":true "#), to: "whole.jsonl")
    // If a recording claims to be complete but lacks its end, a replay must fail, however long it
    // waits.
    let isWhole = situation == .nothing || situation == .batchUnderWay
    let whole = try Replay((isWhole ? [] : ["--timeout", "1"]) + [folder.file("whole.jsonl")])
    #expect(whole.status == (isWhole ? 0 : 1))
  }

  @Test(
    "a recording can be replayed if an authenticator exits right after its answer and only a later call shows the exit"
  )
  func exitBehindAnswer() throws {
    let folder = try TemporaryDirectory()
    let authenticator = try folder.writeProgram(
      "#!/bin/sh\nread -r describe; read -r question; exec sleep 60\n", to: "authenticator")
    // The update that would show the exit waits for the view, so that only the list of sessions
    // reveals it.
    var (lines, _, mark) = Situation.loginInFlight.script
    lines[0] = lines[0].replacing(#""session":"s","#, with: #""session":"s","transitions":"acknowledged","#)
    _ = try KilledProgram(
      ["--authenticator", authenticator, "--record", folder.file("run.jsonl")], input: lines.map { $0 + "\n" },
      mark: mark)
    let list = #"{"jsonrpc":"2.0","id":4,"method":"session/list"}"#
    let sessions = #"[{"session":"s","flow":"standard","screen":"login","state":"requestFailed","revision":0}]"#
    let text = """
      \(folder.read("run.jsonl")){"answer":{"jsonrpc":"2.0","id":99,"result":{"outcome":"accepted"}}}
      {"fault":"exit"}
      {"in":\(list)}
      {"out":{"jsonrpc":"2.0","id":4,"result":{"sessions":\(sessions)}},"ignore":["/result/sessions/0/revision"]}

      """
    // Whether the engine reads the answer and the exit at the same time is random, so there are
    // many runs.
    let files = try (0..<24).map { try folder.write(text, to: "\($0).jsonl") }
    let replay = try Replay(files)
    #expect(replay.output == "24 passed, 0 failed\n", "\(replay.output)")
  }

  @Test(
    "the recording of an engine stopped by a signal can be replayed even if an authenticator does not read its input",
    arguments: ["closeInput", "stopReading"])
  func signalBesideFault(fault: String) throws {
    let folder = try TemporaryDirectory()
    let authenticator = try folder.writeProgram(
      "#!/bin/sh\nread -r describe; read -r question; exec sleep 60\n", to: "authenticator")
    let (lines, _, mark) = Situation.loginInFlight.script
    _ = try KilledProgram(
      ["--authenticator", authenticator, "--record", folder.file("run.jsonl")], input: lines.map { $0 + "\n" },
      mark: mark)
    let killed = folder.read("run.jsonl").replacing(#""complete":false"#, with: #""complete":true "#)
    let text = killed + "{\"fault\":\"\(fault)\"}\n{\"signal\":\"terminate\"}\n"
    // Whether the authenticator's exit overtakes the signal is random, so there are many runs.
    let files = try (0..<24).map { try folder.write(text, to: "\($0).jsonl") }
    let replay = try Replay(files)
    #expect(replay.output == "24 passed, 0 failed\n", "\(replay.output)")
  }

  @Test(
    "a recording can be replayed if its input ends within a line, just after an answer that led to no output",
    arguments: [[], ["--in-process"]])
  func endWithinLine(kind: [String]) throws {
    let late = #"{"answer":{"jsonrpc":"2.0","id":1,"result":{"outcome":"accepted"}}}"#
    let begun = #"{"raw":"{\"id\":3,\"x\":\"x","unterminated":true}"#
    let text = "The input ended in this line, so it was not taken. End every line with a newline."
    let data = #"{"code":"parseError","reason":"truncated","offset":14}"#
    let error = #"{"jsonrpc":"2.0","id":3,"error":{"code":-32700,"message":"\#(text)","data":\#(data)}}"#
    let transcript = TranscriptTests.folder + "/session/cancel.jsonl"
    let lines = try String(contentsOfFile: transcript, encoding: .utf8).split(separator: "\n").map(String.init)
    let cancelled = try #require(lines.firstIndex { $0.contains("authenticator/cancel") })
    let folder = try TemporaryDirectory()
    let file = try folder.write(
      (lines[...cancelled] + [late, begun, #"{"out":\#(error)}"#]).joined(separator: "\n") + "\n", to: "run.jsonl")
    let replay = try Replay(kind + [file])
    #expect(replay.output == "1 passed, 0 failed\n", "\(replay.output)")
  }

  @Test("if an engine is killed at any moment after its first lines, its recording can be replayed", arguments: 1...24)
  func killedAnywhere(seed: Int) throws {
    let folder = try TemporaryDirectory()
    let authenticator = try folder.writeProgram(RandomWalk.authenticator, to: "authenticator")
    var walk = RandomWalk(seed: UInt64(seed))
    let options = seed % 3 == 0 ? ["--lockstep"] : []
    _ = try KilledProgram(
      options + ["--authenticator", "\(authenticator) \(seed)", "--record", folder.file("run.jsonl")],
      input: walk.lines(60).prefix(seed * 5).map(\.text), recording: folder.file("run.jsonl"),
      microseconds: UInt32(seed % 5) * 15_000)
    let replay = try Replay([folder.file("run.jsonl")])
    #expect(replay.output == "1 passed, 0 failed\n", "\(replay.output)")
  }
}

/// A run of the built program that is killed once it has written a line that contains `mark`, or
/// some microseconds after it has begun its recording.
struct KilledProgram {
  /// The output of the program until it was killed.
  let text: String

  init(
    _ arguments: [String], input lines: [String], mark: String? = nil, recording: String? = nil,
    microseconds: UInt32 = 0
  ) throws {
    signal(SIGPIPE, SIG_IGN)
    let process = Process()
    let (input, output) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: Replay.executable)
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let writer = Thread { try? input.fileHandleForWriting.write(contentsOf: Data(lines.joined().utf8)) }
    writer.start()
    var data = Data()
    while let mark, !String(decoding: data, as: UTF8.self).split(separator: "\n").contains(where: { $0.contains(mark) })
    {
      let piece = output.fileHandleForReading.availableData
      guard !piece.isEmpty else { break }
      data += piece
    }
    if let recording { Self.waitForBeginning(of: recording, while: process.isRunning) }
    usleep(microseconds)
    kill(process.processIdentifier, SIGKILL)
    data += output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    // A last line may be incomplete.
    text = String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .map { $0 + "\n" }.joined()
  }

  /// Waits until a recording contains the options of its engine, so that it can be replayed.
  static func waitForBeginning(of recording: String, while isRunning: @autoclosure () -> Bool) {
    _ = eventually {
      let text = (try? String(contentsOfFile: recording, encoding: .utf8)) ?? ""
      return text.hasPrefix(#"{"note""#) && text.count { $0 == "\n" } >= 2 || !isRunning()
    }
  }
}
