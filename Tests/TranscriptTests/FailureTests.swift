import Foundation
import TestSupport
import Testing

@Suite("A replay that fails", .waits)
struct FailureTests {
  static let describe = #"{"in":{"jsonrpc":"2.0","id":1,"method":"session/list"}}"#
  static let list = #"{"out":{"jsonrpc":"2.0","id":1,"result":{"sessions":[]}}}"#

  /// The steps of a login in which the authenticator is expected to get the question `ask`,
  /// whatever the engine really asks.
  static func asking(_ ask: String) throws -> [String] {
    let path = TranscriptTests.folder + "/session/cancel.jsonl"
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
    let index = try #require(lines.firstIndex { $0.hasPrefix(#"{"ask""#) })
    return Array(lines[..<index]) + [ask]
  }

  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var lines: [String]
    /// The line number that the report must name.
    var line: Int
    /// A part of the message that the report must contain.
    var message: String
    var options: [String] = []
  }

  static let cases: [Case] = [
    Case(
      testDescription: "a wrong value",
      lines: [describe, #"{"out":{"jsonrpc":"2.0","id":1,"result":{"sessions":[{"a/b~":1}]}}}"#], line: 2,
      message: #"first difference at /result/sessions/0: expected {"a/b~":1}, got nothing"#),
    Case(
      testDescription: "a number written otherwise",
      lines: [describe, #"{"out":{"jsonrpc":"2.0","id":1.0,"result":{"sessions":[]}}}"#], line: 2,
      message: "first difference at /id: expected 1.0, got 1"),
    Case(
      testDescription: "a member that is missing",
      lines: [describe, #"{"out":{"jsonrpc":"2.0","id":1,"result":{"sessions":[],"a/b~":2}}}"#], line: 2,
      message: "first difference at /result/a~1b~0: expected 2, got nothing"),
    Case(
      testDescription: "a member too many", lines: [describe, #"{"out":{"jsonrpc":"2.0","id":1,"result":{}}}"#],
      line: 2,
      message: "first difference at /result/sessions: expected nothing, got []"),
    Case(
      testDescription: "an output that never comes", lines: [describe, list, list], line: 3,
      message: "nothing came in time: expected the output"),
    Case(
      testDescription: "an output too many", lines: [describe, list, describe], line: 3, message: "unexpected output"),
    Case(
      testDescription: "a question that never comes", lines: [describe, list, #"{"ask":{}}"#], line: 3,
      message: "nothing came in time: expected the authenticator to be asked"),
    Case(
      testDescription: "an answer without an authenticator", lines: [describe, list, #"{"answer":{}}"#], line: 3,
      message: "no authenticator is running that could answer"),
    Case(
      testDescription: "a wrong exit status", lines: [#"{"end":true}"#], line: 1,
      message: "expected the engine to exit with 0, it has exited with 3", options: ["--command", "sh -c 'exit 3'"]),
    Case(
      testDescription: "an engine that ends too early", lines: [describe, list], line: 2,
      message: "the engine has exited with 3", options: ["--command", "sh -c 'echo gone >&2; exit 3'"]),
    Case(
      testDescription: "an engine that says something else than JSON", lines: [describe, list], line: 2,
      message: "which is not JSON: at byte 0", options: ["--command", "sh -c 'echo hello; cat >/dev/null'"]),
    Case(
      testDescription: "an engine that cannot move its clock", lines: [#"{"advance":5}"#, list], line: 2,
      message: "the engine has not moved its clock",
      options: [
        "--command", #"sh -c 'read l; echo "{\"id\":\"replay advances the clock, 1\",\"error\":{}}"; cat >/dev/null'"#,
      ]),
  ]

  @Test("the report of a failed replay names the file, the line and the reason", arguments: cases)
  func failure(case: Case) throws {
    let transcript = try TemporaryTranscript(`case`.lines)
    let place = "FAILED \(transcript.path):\(`case`.line)"
    let replay =
      `case`.message.hasPrefix("nothing came in time")
      ? try transcript.replay(waitingInVain: `case`.options) { $0.output.hasPrefix(place) }
      : try transcript.replay(`case`.options)
    #expect(replay.output.hasPrefix(place), "\(replay.output)")
    #expect(replay.output.contains(`case`.message), "\(replay.output)")
    #expect(replay.output.hasSuffix("0 passed, 1 failed\n"))
    #expect(replay.status == 1)
  }

  @Test("if a question to the authenticator is wrong, the replay reports the position of the first difference")
  func wrongQuestion() throws {
    let ask = #"{"ask":{"jsonrpc":"2.0","id":1,"method":"authenticator/submit","params":{"attempt":2}}}"#
    let lines = try Self.asking(ask)
    let transcript = try TemporaryTranscript(lines)
    let replay = try transcript.replay()
    #expect(
      replay.output.hasPrefix("FAILED \(transcript.path):\(lines.count): expected the question"), "\(replay.output)")
    #expect(replay.output.contains("first difference at /params/attempt: expected 2, got 1"))
    #expect(replay.status == 1)
  }

  @Test("login-engine replay passes no control characters from a transcript to the terminal")
  func control() throws {
    let (escaped, raw) = (#"\u001b]0;a\u0007"#, "\u{9B}31m")
    let output = #"{"out":{"jsonrpc":"2.0","id":1,"\#(escaped)":"\#(raw)"}}"#
    let replay = try TemporaryTranscript([Self.describe, output]).replay()
    #expect(replay.output.contains(#"first difference at /?]0;a?: expected "?31m", got nothing"#), "\(replay.output)")
    let option = try TemporaryTranscript([#"{"options":["--\#(escaped)\#(raw)"]}"#]).replay()
    #expect(
      option.error.hasSuffix(":1: the option --?]0;a??31m is none that a transcript may give\n"), "\(option.error)")
    for text in [replay.output, replay.error, option.output, option.error] {
      #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" })
    }
  }

  @Test("in a replay, a value at an ignored JSON pointer may be anything, but must exist")
  func ignored() throws {
    let present = #"{"out":{"jsonrpc":"2.0","id":1,"result":{"sessions":0}},"ignore":["/result/sessions"]}"#
    #expect(try TemporaryTranscript([Self.describe, present]).replay().status == 0)
    let absent = #"{"out":{"jsonrpc":"2.0","id":1,"result":{"session":0}},"ignore":["/result/session"]}"#
    #expect(try TemporaryTranscript([Self.describe, absent]).replay().status == 1)
  }

  @Test("the report of a failed replay contains the engine's standard error")
  func standardError() throws {
    let replay = try TemporaryTranscript([Self.describe, Self.list]).replay([
      "--command", "sh -c 'echo out of order >&2; exit 1'",
    ])
    #expect(replay.output.contains("out of order"))
  }

  @Test(
    "an invalid step of a transcript is reported with its location, and nothing is played",
    arguments: [
      "{", "[]", "{}", #"{"inn":{}}"#, #"{"raw":5}"#, #"{"rawBase16":"0"}"#, #"{"fault":"fire"}"#, #"{"advance":-1}"#,
      #"{"options":["--lockstep"]}"#, #"{"out":{},"ignored":[]}"#, #"{"out":{},"ignore":[1]}"#, #"{"note":1}"#,
    ])
  func malformed(line: String) throws {
    let transcript = try TemporaryTranscript([Self.describe, line])
    let replay = try transcript.replay()
    #expect(replay.status == 2)
    #expect(replay.output.isEmpty)
    #expect(replay.error.contains("\(transcript.path):2: "))
  }

  @Test("login-engine replay refuses a recording that is empty or has no step, with the file's name and a remedy")
  func cutBeforeItsFirstStep() throws {
    let folder = try TemporaryDirectory()
    _ = try Program(["--record", folder.file("run.jsonl")])
    let recording = folder.read("run.jsonl")
    let header = try #require(recording.split(separator: "\n").dropFirst().first)
    let note = recording.prefix { $0 != "\n" }
    #expect(header.hasPrefix(#"{"options""#))
    let cuts: [(text: String, problem: String)] = [
      ("", ": the file is empty; "), ("\n", ": there is no step in it; "),
      (String(note), ": there is no step in it; "), (note + "\n", ": there is no step in it; "),
      (String(note.dropLast(5)), ":1: the file ends in the middle of this line; "),
      ("\(note)\n\(header.dropLast(8))", ":2: the file ends in the middle of this line; "),
    ]
    for (text, problem) in cuts {
      let file = try folder.write(text, to: "cut.jsonl")
      for command in ["replay", "mock"] {
        let program = try Program([command, file])
        #expect(program.status == 2)
        #expect(program.text.isEmpty)
        #expect(program.error.hasPrefix("login-engine \(command): \(file)\(problem)"), "\(program.error)")
        #expect(program.error.contains("the engine ended before it had written more: record the run again"))
      }
    }
  }

  @Test("login-engine replay refuses a folder that has no transcripts or cannot be read, with the folder's name")
  func folderWithoutTranscripts() throws {
    let folder = try TemporaryDirectory()
    _ = try folder.write("{}", to: "flow.json")
    let replay = try Replay([folder.file("")])
    #expect(replay.status == 2)
    #expect(replay.error.contains(": no file in this folder ends in .jsonl"), "\(replay.error)")
  }

  @Test("a transcript is refused if a step names an authenticator that its options do not name")
  func unknownAuthenticator() throws {
    let named = try TemporaryTranscript([#"{"fault":"exit","authenticator":"directory"}"#]).replay()
    #expect(named.status == 2)
    #expect(named.error.contains(":1: the options name no authenticator {authenticator:directory}"))
    let frontend = #"{"options":["--authenticator","frontend"]}"#
    let nameless = try TemporaryTranscript([frontend, #"{"fault":"exit"}"#]).replay()
    #expect(nameless.status == 2)
    #expect(nameless.error.contains(":2: no authenticator is played"))
  }

  @Test(
    "login-engine replay does not play a transcript that would run a program, use accounts or write a file",
    arguments: [
      #"["--authenticator","sh -c 'touch there'"]"#, #"["--authenticator","login=sh -c 'touch there'"]"#,
      #"["--authenticator","sh -c 'touch there' a=frontend"]"#,
      #"["--authenticator","sh -c 'touch there' a={authenticator}"]"#,
      #"["--authenticator","accounts"]"#, #"["--authenticator","x{authenticator}"]"#, #"["--trace","there"]"#,
      #"["--record","there"]"#, #"["--accounts","there"]"#,
      #"["--lockstep","--accounts","there"]"#, #"["--authenticator"]"#,
    ])
  func dangerousOptions(options: String) throws {
    let replay = try TemporaryTranscript([#"{"options":\#(options)}"#, Self.describe]).replay()
    #expect(replay.status == 2)
    #expect(replay.error.contains(":1: the "), "\(replay.error)")
  }

  @Test("a replay's report of a wrong question names the authenticator if there are several")
  func wrongQuestionToOne() throws {
    let options = #"{"options":["--authenticator","login={authenticator:directory}"]}"#
    let ask = #"{"ask":{"jsonrpc":"2.0"},"authenticator":"directory"}"#
    let replay = try TemporaryTranscript([options] + Self.asking(ask)).replay()
    #expect(replay.output.contains("expected the question to the authenticator directory"), "\(replay.output)")
    let problem = "nothing came in time: expected the authenticator to be asked"
    let other = try TemporaryTranscript([options] + Self.asking(#"{"ask":{"jsonrpc":"2.0"}}"#))
      .replay(waitingInVain: []) { $0.output.contains(problem) }
    #expect(other.output.contains(problem), "\(other.output)")
    #expect(other.status == 1)
  }

  @Test("a transcript that has input after the step that ends the input is refused")
  func afterTheEnd() throws {
    for end in [#"{"end":true}"#, #"{"raw":"x","unterminated":true}"#] {
      let replay = try TemporaryTranscript([end, Self.describe]).replay()
      #expect(replay.status == 2)
      #expect(replay.error.contains(":2: the input has ended before"))
    }
  }

  @Test(
    "login-engine replay exits with status 2 if its command line is wrong",
    arguments: [
      [], ["--speed"], ["--command"], ["--command", "'open"], ["--command=''"], ["--timeout", "0"], ["--timeout=0"],
      ["--update=yes", "/nonexistent.jsonl"], ["/nonexistent.jsonl"], ["--", "--help"],
    ])
  func commandLine(arguments: [String]) throws {
    let replay = try Replay(arguments)
    #expect(replay.status == 2)
    #expect(replay.error.hasPrefix("login-engine replay: "))
    let mock = try Program(["mock"] + arguments)
    #expect(mock.status == 2)
    #expect(mock.error.hasPrefix("login-engine mock: "))
  }

  @Test(
    "login-engine replay accepts --option=value and --option value, also when several processes share the transcripts",
    arguments: [1, 30])
  func optionForms(count: Int) throws {
    let transcript = try TemporaryTranscript([Self.describe, Self.list])
    let files = Array(repeating: transcript.path, count: count)
    for options in [["--timeout=20"], ["--timeout", "20"], ["--timeout=20", "--"]] {
      #expect(try Replay(options + files).output == "\(count) passed, 0 failed\n")
    }
    let failing = try Replay(["--command=sh -c 'exit 3'"] + files)
    #expect(failing.output.hasSuffix("\n0 passed, \(count) failed\n"))
  }
}
