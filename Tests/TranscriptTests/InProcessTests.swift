import Foundation
import TestSupport
import Testing

@Suite("Replays within one process", .waits)
struct InProcessTests {
  private static let folder = Checkout.root
    .appendingPathComponent("protocol/transcripts").path

  /// Transcripts of every kind, each of which is broken in several ways.
  private static let samples = [
    "session/sign-up", "session/cancel", "authenticator/not-reading", "authenticator/unavailable",
    "challenge/second-factor", "frontend/decides", "rpc/batch-across-an-advance", "engine/clock",
    "lines/last-line-without-end",
  ]

  /// Ways to break a transcript. Each returns the changed lines, or `nil` if it does not apply to
  /// the transcript.
  private static let edits: [(name: String, edit: @Sendable ([String]) -> [String]?)] = [
    (
      "first-output-differs", { change(#"{"out""#, in: $0) { $0.replacingOccurrences(of: #""2.0""#, with: #""2.1""#) } }
    ),
    (
      "question-differs",
      { change(#"{"ask""#, in: $0) { $0.replacingOccurrences(of: #""jsonrpc":"2.0""#, with: #""jsonrpc":2"#) } }
    ),
    ("last-output-is-missing", { drop($0.lastIndex { $0.hasPrefix(#"{"out""#) }, of: $0) }),
    ("answer-is-missing", { drop($0.firstIndex { $0.hasPrefix(#"{"answer""#) }, of: $0) }),
    ("output-too-many", { $0 + [#"{"out":{"jsonrpc":"2.0"}}"#] }),
    ("question-too-many", { insert(#"{"ask":{"jsonrpc":"2.0"}}"#, behind: #"{"ask""#, in: $0) }),
    ("authenticator-exits", { insert(#"{"fault":"exit"}"#, behind: #"{"ask""#, in: $0) }),
    ("authenticator-reads-no-more", { insert(#"{"fault":"closeInput"}"#, behind: #"{"ask""#, in: $0) }),
    (
      // A transcript with this edit still plays: after its last step, the replay does not wait for
      // the authenticator's exit.
      "authenticator-reads-not-even-the-end",
      { $0.contains { $0.hasPrefix(#"{"answer""#) } ? $0 + [#"{"fault":"closeInput"}"#] : nil }
    ),
    ("option-is-wrong", { [#"{"options":["--max-sessions","none"]}"#] + $0 }),
  ]

  private static func change(_ prefix: String, in lines: [String], _ edit: (String) -> String) -> [String]? {
    guard let index = lines.firstIndex(where: { $0.hasPrefix(prefix) }) else { return nil }
    var lines = lines
    lines[index] = edit(lines[index])
    return lines
  }

  private static func drop(_ index: Int?, of lines: [String]) -> [String]? {
    guard let index else { return nil }
    var lines = lines
    lines.remove(at: index)
    return lines
  }

  private static func insert(_ line: String, behind prefix: String, in lines: [String]) -> [String]? {
    guard let index = lines.firstIndex(where: { $0.hasPrefix(prefix) }) else { return nil }
    var lines = lines
    lines.insert(line, at: index + 1)
    return lines
  }

  @Test("login-engine replay --in-process plays all transcripts to an engine in its own process")
  func all() throws {
    let files = FileManager.default.enumerator(atPath: Self.folder)?.allObjects as? [String] ?? []
    let transcripts = files.filter { $0.hasSuffix(".jsonl") }.map { Self.folder + "/" + $0 }
    #expect(transcripts.count >= 80)
    let replay = try Replay(["--in-process"] + transcripts)
    #expect(replay.output == "\(transcripts.count) passed, 0 failed\n", "\(replay.error)")
    #expect(replay.status == 0)
  }

  @Test(
    "replay --in-process reports a wrong transcript at the same step and for the same reason as without the option")
  func verdicts() throws {
    let directory = try TemporaryDirectory()
    var files: [String] = []
    for (number, sample) in Self.samples.enumerated() {
      let text = try String(contentsOfFile: "\(Self.folder)/\(sample).jsonl", encoding: .utf8)
      let lines = text.split(separator: "\n").map(String.init)
      for (kind, (name, edit)) in Self.edits.enumerated() {
        // Each edit is applied to a third of the samples.
        guard number % 3 == kind % 3, let edited = edit(lines) else { continue }
        let file = directory.file("\(sample.replacingOccurrences(of: "/", with: "-")).\(name).jsonl")
        try edited.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
        files.append(file)
      }
    }
    let inProcess = try Replay(["--in-process"] + files)
    let withProcesses = try Replay(["--timeout", "4"] + files)
    let failures = Self.failures(inProcess)
    #expect(failures.count >= files.count * 3 / 4, "\(inProcess.error)")
    let different = failures.symmetricDifference(Self.failures(withProcesses))
    #expect(different.isEmpty, "\(different.sorted().joined(separator: "\n"))")
    #expect(inProcess.status == 1)
  }

  /// The messages about every transcript that failed, without the engine's log, which names
  /// processes.
  private static func failures(_ replay: Replay) -> Set<String> {
    let summary = replay.output.range(of: #"\d+ passed, \d+ failed\n$"#, options: .regularExpression)
    let failures = replay.output[..<(summary?.lowerBound ?? replay.output.endIndex)]
    return Set(
      failures.components(separatedBy: "FAILED ").dropFirst().map { failure in
        failure.components(separatedBy: "\n  the engine's standard error:")[0].trimmingCharacters(in: .newlines)
      })
  }

  @Test(
    "replay --in-process refuses --command and --update",
    arguments: [["--command", "x"], ["--update"]])
  func refusals(options: [String]) throws {
    let replay = try Replay(["--in-process"] + options + [Self.folder + "/session/close.jsonl"])
    #expect(replay.status == 2)
    #expect(replay.error.contains("--in-process goes with neither --command nor --update"))
  }
}
