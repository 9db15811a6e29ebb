import Foundation
import TestSupport
import Testing

@Suite("Recordings", .waits)
struct RecordingTests {
  /// Replays a recording with an engine that records the replay. Returns that second recording.
  static func again(_ name: String, in folder: TemporaryDirectory) throws -> String {
    let command = "\(Replay.executable) --record \(folder.file("again.jsonl")) --overwrite"
    let replay = try Replay(["--command", command, folder.file(name)])
    #expect(replay.output == "1 passed, 0 failed\n", "\(replay.output)")
    return folder.read("again.jsonl")
  }

  /// The lines of engine output in a recording, byte for byte.
  static func outputs(_ recording: String) -> String {
    recording.split(separator: "\n").filter { $0.hasPrefix(#"{"out":"#) }
      .map { $0.dropFirst(7).replacing(#/,"ignore":\[[^\]]*\]}$/#, with: "}").dropLast() + "\n" }.joined()
  }

  @Test("the recording of each transcript's run can be replayed, and a recording of that replay is the same")
  func transcripts() throws {
    let transcripts = Workload.part(of: TranscriptTests.played)
    let first = try Self.recordAll(transcripts)
    let again = try Self.recordAll(first.files)
    // The file names do not show which transcript was recorded, so the sorted recordings of both
    // runs are compared.
    #expect(first.recordings.count == transcripts.count)
    for (recording, other) in zip(first.recordings.sorted(), again.recordings.sorted()) where recording != other {
      Issue.record("recorded otherwise the second time:\n\(recording)\n\(other)")
      break
    }
    #expect(again.recordings.count == first.recordings.count)
  }

  /// Replays all files with one command, and has each engine record its run.
  private static func recordAll(_ files: [String]) throws -> (
    folder: TemporaryDirectory, files: [String], recordings: [String]
  ) {
    let folder = try TemporaryDirectory()
    let command = #"sh -c 'exec "$0" --record "\#(folder.file(""))$$.jsonl" "$@"' '\#(Replay.executable)'"#
    let replay = try Replay(["--command", command] + files)
    #expect(replay.output == "\(files.count) passed, 0 failed\n", "\(replay.output)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.file(""))
    return (folder, names.map { folder.file($0) }, names.map { folder.read($0) })
  }

  struct Run: CustomTestStringConvertible, Sendable {
    var seed: UInt64
    var options: [String]
    var testDescription: String { "seed \(seed) \(options.joined(separator: " "))" }
  }

  static let runs: [Run] = (1...12).map { seed in
    var options = ["--max-line-bytes", "500", "--max-value-bytes", "100", "--drain-timeout", "0.3"]
    if seed % 4 == 0 { options.append("--lockstep") }
    if seed % 3 == 0 { options += ["--idle-timeout", "0.25"] }
    if seed % 5 == 0 { options += ["--clock", "manual"] }
    return Run(seed: UInt64(seed), options: options)
  }

  @Test(
    "a recording of random input with an erratic authenticator gives the same bytes again, and contains no secret",
    arguments: Workload.part(of: runs))
  func walk(run: Run) throws {
    let folder = try TemporaryDirectory()
    let authenticator = try folder.writeProgram(RandomWalk.authenticator, to: "authenticator")
    var walk = RandomWalk(seed: run.seed)
    let files = ["--record", folder.file("run.jsonl"), "--trace", folder.file("trace.jsonl")]
    let engine = try Program(
      run.options + files + ["--authenticator", "\(authenticator) \(run.seed)"], input: walk.lines(120))
    #expect(engine.status == 0, "\(engine.error)")
    let recording = folder.read("run.jsonl")
    // The texts of the authenticator are replaced in a recording, so only the number of outputs is
    // compared.
    let outputs = Self.outputs(recording).split(separator: "\n")
    #expect(outputs.count == engine.text.split(separator: "\n").count)
    for text in ["Second", "Hello"] { #expect(!recording.contains(#""\#(text)""#)) }
    #expect(!recording.contains(RandomWalk.secret))
    #expect(!folder.read("trace.jsonl").contains(RandomWalk.secret))
    let again = try Self.outputs(Self.again("run.jsonl", in: folder)).split(separator: "\n")
    #expect(again.filter { !$0.contains("replay advances") }.map(String.init) == outputs.map(Self.withManualClock))
  }

  /// A line of output as a replay has it. A replay's clock is always manual, and `engine/describe`
  /// lists that as a feature.
  private static func withManualClock(_ line: Substring) -> String {
    String(line).replacing(#""features":["lockstep"]"#, with: #""features":["lockstep","manualClock"]"#)
      .replacing(#""features":[]"#, with: #""features":["manualClock"]"#)
  }

  @Test("a recording of a run with the accounts can be replayed without the accounts program")
  func accounts() throws {
    let folder = try TemporaryDirectory()
    let lines = [
      #"{"jsonrpc":"2.0","method":"session/open","params":{"session":"s","screen":"setup"}}"#,
      #"{"jsonrpc":"2.0","method":"session/edit","params":{"session":"s","item":"email","value":"ada@example.com"}}"#,
      #"{"jsonrpc":"2.0","method":"session/edit","params":{"session":"s","item":"userName","value":"ada"}}"#,
      #"{"jsonrpc":"2.0","method":"session/edit","params":{"session":"s","item":"password","value":"geheim-geheim"}}"#,
      #"{"jsonrpc":"2.0","id":1,"method":"session/press","params":{"session":"s","action":"submit"}}"#,
      #"{"jsonrpc":"2.0","id":2,"method":"clock/advance","params":{"milliseconds":5}}"#,
      #"{"jsonrpc":"2.0","id":3,"method":"clock/advance","params":{}}"#,
      #"{"jsonrpc":"2.0","id":4,"method":"session/list"}"#,
    ]
    for clock in ["system", "manual"] {
      let engine = try Program(
        [
          "--record", folder.file("run.jsonl"), "--overwrite", "--clock", clock,
          "--authenticator", "login-accounts --hash-cost 1 --file '\(folder.file("a.sqlite3-\(clock)"))'",
        ],
        input: lines.map { ($0 + "\n", 0) })
      #expect(engine.status == 0)
      let recording = folder.read("run.jsonl")
      #expect(recording.contains(#"{"ask":{"jsonrpc":"2.0","id":1,"method":"authenticator/submit""#))
      #expect(recording.contains(#""outcome":"accepted""#))
      #expect(!recording.contains("geheim"))
      #expect(Self.outputs(recording) == engine.text)
      _ = try Self.again("run.jsonl", in: folder)
    }
  }

  @Test("a recording of a run with external items contains none of their values, and can be replayed")
  func externalItems() throws {
    let folder = try TemporaryDirectory()
    let authenticator = try folder.writeProgram(
      #"""
      #!/bin/sh
      read -r describe; read -r question
      echo '{"jsonrpc":"2.0","id":1,"result":{"outcome":"challenge","screen":{"id":"second","title":"Second","sections":[{"id":"s","items":[{"id":"place","apiKey":"place","kind":"external","type":"map.place","title":"Place"}]}]}}}'
      read -r question
      values=$(printf %s "$question" | sed 's/.*"values":{"place":\(.*\)},"locale".*/\1/')
      echo '{"jsonrpc":"2.0","id":2,"result":{"outcome":"accepted","principal":"who-was-at-home","data":{"was":'"$values"'}}}'
      exec cat >/dev/null

      """#, to: "authenticator")
    let place = #"{"at":[52.125,13.5],"as":"who-was-at-home"}"#
    func change(_ item: String, _ value: String) -> String {
      #"{"jsonrpc":"2.0","method":"session/edit","params":{"session":"s","item":"\#(item)","value":\#(value)}}"#
    }
    let submit = #"{"jsonrpc":"2.0","method":"session/press","params":{"session":"s","action":"submit"}}"#
    let lines = [
      #"{"jsonrpc":"2.0","method":"session/open","params":{"session":"s","values":{"email":"ada@example.com"}}}"#,
      change("password", #""geheim-geheim""#), submit, change("place", place), change("place", "7"),
      change("place", place), submit, #"{"jsonrpc":"2.0","id":1,"method":"session/snapshot","params":{"session":"s"}}"#,
    ]
    let engine = try Program(
      ["--lockstep", "--authenticator", authenticator, "--record", folder.file("run.jsonl")],
      input: lines.map { ($0 + "\n", 0) })
    #expect(engine.status == 0 && engine.text.contains(#""data":{"was":\#(place)}"#), "\(engine.text)")
    let recording = folder.read("run.jsonl")
    for text in ["52.125", "who-was-at-home"] { #expect(!recording.contains(text), "\(recording)") }
    #expect(recording.contains(#""data":{"was":{"external":1}}"#), "\(recording)")
    _ = try Self.again("run.jsonl", in: folder)
  }

  @Test("a recording of a run with several authenticators names them, and a replay repeats the failure of one of them")
  func severalAuthenticators() throws {
    let folder = try TemporaryDirectory()
    let other = try TemporaryDirectory()
    let exiting = try folder.writeProgram("#!/bin/sh\nread -r describe; read -r question\n", to: "decide")
    let answering = try other.writeProgram(
      """
      #!/bin/sh
      while read -r line; do
        case $line in *submit*) sleep 0.3; echo '{"jsonrpc":"2.0","id":2,"result":{"outcome":"accepted"}}';; esac
      done

      """, to: "decide")
    let lines = [
      #"{"jsonrpc":"2.0","method":"session/open","params":{"session":"a","values":{"email":"ada@example.com"}}}"#,
      #"{"jsonrpc":"2.0","method":"session/edit","params":{"session":"a","item":"password","value":"geheim-geheim"}}"#,
      #"{"jsonrpc":"2.0","method":"session/press","params":{"session":"a","action":"submit"}}"#,
      #"{"jsonrpc":"2.0","method":"session/open","params":{"session":"b","screen":"forgotPassword","values":{"email":"ada@example.com"}}}"#,
      #"{"jsonrpc":"2.0","method":"session/press","params":{"session":"b","action":"submit"}}"#,
    ]
    let engine = try Program(
      [
        "--record", folder.file("run.jsonl"), "--trace", folder.file("trace.jsonl"), "--authenticator",
        "login=\(exiting)", "--authenticator", "*=\(answering)",
      ], input: lines.map { ($0 + "\n", 0) })
    #expect(engine.status == 0)
    #expect(engine.error.contains("authenticator decide, process"))
    let recording = folder.read("run.jsonl")
    #expect(
      recording.contains(
        #"["--authenticator","login={authenticator:decide}","--authenticator","*={authenticator:decide-2}""#))
    #expect(recording.contains(#"{"fault":"exit","authenticator":"decide"}"#))
    #expect(recording.contains(#""outcome":"accepted"}},"authenticator":"decide-2"}"#))
    #expect(
      folder.read("trace.jsonl").contains(
        #""kind":"answer","authenticator":"decide-2","id":2,"outcome":"accepted""#))
    #expect(Self.outputs(recording) == engine.text)
    _ = try Self.again("run.jsonl", in: folder)
  }

  @Test(
    "a recording can be replayed even if its authenticator stopped reading and some questions were never written to it")
  func notReading() throws {
    let folder = try TemporaryDirectory()
    let flow = try folder.write(Self.patientFlow(), to: "flow.json")
    let authenticator = try folder.writeProgram("#!/bin/sh\nexec sleep 600\n", to: "hung")
    let (opening, rest) = Self.logins(310)
    // The requests must not time out: with more waiting lines than a pipe holds, another process of
    // the authenticator may get more questions in a replay than in the run.
    let engine = try Program(
      [
        "--record", folder.file("run.jsonl"), "--flow", flow, "--authenticator", authenticator, "--drain-timeout",
        "0.2",
      ], input: [(opening, 300_000), (rest, 0)])
    #expect(engine.status == 0)
    let recording = folder.read("run.jsonl")
    #expect(recording.components(separatedBy: #""method":"authenticator/submit""#).count < 310)
    #expect(recording.contains(#"{"fault":"stopReading"}"#))
    #expect(Self.outputs(recording) == engine.text)
    #expect(!recording.contains("geheim"))
    let replay = try Replay([folder.file("run.jsonl")])
    #expect(replay.output == "1 passed, 0 failed\n", "\(replay.output)")
  }

  /// The view's lines for logins of `count` sessions with long passwords, and for cancelling every
  /// third login.
  private static func logins(_ count: Int) -> (opening: String, cancels: String) {
    var opening = ""
    var cancels = ""
    for number in 1...count {
      let session = #""session":"s\#(number)""#
      opening +=
        #"{"jsonrpc":"2.0","method":"session/open","params":{\#(session),"values":{"email":"ada@example.com"}}}"# + "\n"
      opening += change(session, String(repeating: "geheim", count: 600))
      opening += press(session, "submit")
      if number % 3 == 0 { cancels += press(session, "cancel") }
    }
    return (opening, cancels)
  }

  /// A built-in flow with a request timeout that is long enough for any machine.
  private static func patientFlow() throws -> String {
    let flow = try Program(["flow", "print", "standard"]).text
    let patient = flow.replacing(#/"requestTimeoutMs": *\d+/#, with: #""requestTimeoutMs": 600000"#)
    try #require(patient != flow)
    return patient
  }

  private static func change(_ session: String, _ value: String) -> String {
    #"{"jsonrpc":"2.0","method":"session/edit","params":{\#(session),"item":"password","value":"\#(value)"}}"# + "\n"
  }

  private static func press(_ session: String, _ action: String) -> String {
    #"{"jsonrpc":"2.0","method":"session/press","params":{\#(session),"action":"\#(action)"}}"# + "\n"
  }

  @Test(
    "a recording of secrets that must match a pattern can be replayed, and contains none of the secrets",
    arguments: [
      // Each password, and whether its pattern accepts it.
      (#"(.*[0-9].*[A-Z].*|.*[A-Z].*[0-9].*)"#, ["Geheim42", "geheim42", "GEHEIM", "42-Geheim"]),
      (#"[a-z]{6}-[0-9]{4}"#, ["geheim-1234", "geheim-123", "gehéim-1234"]),
      (#"\\p{Lu}\\p{Ll}+[0-9!]"#, ["Geheim7", "Geheim!", "geheim7", "Ägeheim1"]),
      (#"7[0-9]{5}"#, ["712345", "812345", "7123"]),
    ])
  func patterns(_ pattern: String, _ secrets: [String]) throws {
    let folder = try TemporaryDirectory()
    let rules = #""rules":[{"rule":"pattern","pattern":"\#(pattern)","message":"m"}]"#
    let repetition = #""rules":[{"rule":"equalTo","item":"password","message":"m"}]"#
    let flow = try folder.write(
      #"{"flow":"f","screens":[{"id":"a","title":"t","request":"login","sections":[{"id":"s","items":["#
        + #"{"id":"password","apiKey":"password","kind":"input","inputType":"newPassword",\#(rules)},"#
        + #"{"id":"again","kind":"input","inputType":"newPassword",\#(repetition)}]}],"#
        + #""actions":{"submit":{"id":"submit","title":"t"}},"success":{"scene":"home"}}],"#
        + #""defaultLocale":"en","strings":{"en":{"t":"T","m":"M"}}}"#, to: "flow.json")
    var input = #"{"jsonrpc":"2.0","method":"session/open","params":{"session":"s","flow":"f"}}"# + "\n"
    for secret in secrets {
      for length in 1...secret.count { input += Self.change(#""session":"s""#, String(secret.prefix(length))) }
      for value in [secret, secret + "x", secret] {
        input += Self.change(#""session":"s""#, value).replacing(#""item":"password""#, with: #""item":"again""#)
      }
      input += Self.press(#""session":"s""#, "submit") + Self.press(#""session":"s""#, "cancel")
    }
    let engine = try Program(
      ["--flow", flow, "--authenticator", "cat >/dev/null", "--record", folder.file("run.jsonl")], input: [(input, 0)])
    #expect(engine.status == 0)
    let recording = folder.read("run.jsonl")
    for secret in secrets { #expect(!recording.contains(#""\#(secret)""#)) }
    _ = try Self.again("run.jsonl", in: folder)
  }

  @Test(
    "a replay of a recorded unreadable line gives the same error, and the recording contains nothing of the line",
    arguments: [
      #"{"id":,"geheim-geheim"}"#, #"{"a":"id":"geheim-geheim","b":1}"#,
      #"{"id":7,"params":{"\u00e4geheim":"\ud800"}}"#,
      #"{"\u00e9geheim":1,"c":"\q"}"#, #"{"id":"abc","geheimStra\u00dfe":}"#, #"{"id":"x1","\ud83d\ude00geheim":}"#,
    ])
  func unreadable(line: String) throws {
    let folder = try TemporaryDirectory()
    let engine = try Program(["--record", folder.file("run.jsonl")], input: [(line + "\n", 0)])
    let recording = folder.read("run.jsonl")
    #expect(Self.outputs(recording) == engine.text)
    #expect(!recording.contains("geheim"))
    _ = try Self.again("run.jsonl", in: folder)
  }

  @Test("a recording of lines of the maximum length, or longer, can be replayed")
  func longLines() throws {
    let folder = try TemporaryDirectory()
    let open = #"{"jsonrpc":"2.0","id":1,"method":"session/open","params":{"x":0,"session":""#
    let line = open + String(repeating: "y", count: 1024 - open.utf8.count - 3) + #""}}"#
    _ = try Program(
      ["--max-line-bytes", "1024", "--record", folder.file("run.jsonl"), "--overwrite"], input: [(line + "\n", 0)])
    _ = try Self.again("run.jsonl", in: folder)
    let limit = Workload.amount(16 << 20, atLeast: 1 << 20) + 1
    let long = String(repeating: "y", count: limit + 9) + "\n"
    _ = try Program(
      ["--max-line-bytes", "\(limit)", "--record", folder.file("run.jsonl"), "--overwrite"], input: [(long, 0)])
    _ = try Self.again("run.jsonl", in: folder)
  }

  @Test("a recording of a stopped engine ends with the signal, and recording its replay gives the same recording")
  func stopped() throws {
    let folder = try TemporaryDirectory()
    let transcript = try folder.write(
      [
        #"{"in":{"jsonrpc":"2.0","method":"session/open","params":{"session":"s","values":{"email":"ada@example.com"}}}}"#,
        #"{"signal":"terminate"}"#,
      ].joined(separator: "\n"), to: "stop.jsonl")
    _ = try Replay(["--update", transcript])
    let command = "\(Replay.executable) --record \(folder.file("run.jsonl"))"
    #expect(try Replay(["--command", command, transcript]).output == "1 passed, 0 failed\n")
    let recording = folder.read("run.jsonl")
    #expect(recording.hasSuffix(#"{"signal":"terminate"}"# + "\n"))
    #expect(try Self.again("run.jsonl", in: folder) == recording)
  }

  @Test(
    "in a recording, equal secrets have equal placeholders, different secrets different ones, with as many scalars as the secret"
  )
  func placeholders() throws {
    let folder = try TemporaryDirectory()
    func change(_ value: String) -> String {
      #"{"jsonrpc":"2.0","method":"session/edit","params":{"session":"s","item":"password","value":"\#(value)"}}"#
        + "\n"
    }
    let secrets = [
      "a", "b", "ab", "ba", "äö", "correct horse", "battery stapl", "correct horse", "ada@example.com",
      "ada@example.org", "",
    ]
    let open = #"{"jsonrpc":"2.0","method":"session/open","params":{"session":"s"}}"# + "\n"
    _ = try Program(["--record", folder.file("run.jsonl")], input: ([open] + secrets.map(change)).map { ($0, 0) })
    let recorded = folder.read("run.jsonl").matches(
      of: #/^{"in":.*"item":"password","value":"([^"]*)"/#.anchorsMatchLineEndings()
    )
    .map { String($0.1) }
    #expect(recorded.count == secrets.count)
    for (index, secret) in secrets.enumerated() where index < recorded.count {
      #expect(recorded[index].unicodeScalars.count == secret.unicodeScalars.count)
      #expect(recorded[index].contains("@") == secret.contains("@"))
      for (other, text) in secrets.enumerated() where other < recorded.count {
        #expect((recorded[index] == recorded[other]) == (secret == text), "\(secret) \(text)")
      }
      #expect(secret.isEmpty || recorded[index] != secret || secret.count < 3)
    }
  }

  @Test(
    "an authenticator that repeats questions puts no secret into a recording or trace, and only their owner can read these files"
  )
  func echo() throws {
    let folder = try TemporaryDirectory()
    let files = ["run.jsonl", "trace.jsonl"]
    for file in files { _ = try folder.write("what was there before", to: file) }
    let lines = [
      #"{"jsonrpc":"2.0","method":"session/open","params":{"session":"s","values":{"email":"ada@example.com"}}}"#,
      #"{"jsonrpc":"2.0","method":"session/edit","params":{"session":"s","item":"password","value":"hunter2hunter2"}}"#,
      #"{"jsonrpc":"2.0","method":"session/press","params":{"session":"s","action":"submit"}}"#,
    ]
    _ = try Program(
      [
        "--authenticator", "cat", "--record", folder.file(files[0]), "--trace", folder.file(files[1]), "--overwrite",
        "--drain-timeout", "1",
      ], input: lines.map { ($0 + "\n", 0) })
    for file in files {
      let text = folder.read(file)
      #expect(text.contains("authenticator/submit"))
      #expect(!text.contains("hunter2"))
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.file(file))
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
    #expect(try Replay([folder.file(files[0])]).output == "1 passed, 0 failed\n")
  }

  @Test(
    "the engine reports when it starts that the file of a recording or trace cannot be written",
    arguments: ["--record", "--trace"])
  func unwritable(option: String) throws {
    let engine = try Program([option, "/nonexistent/file"])
    #expect(engine.status == 1)
    #expect(engine.error.contains("/nonexistent/file: No such file or directory"))
  }
}
