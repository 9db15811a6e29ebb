import Foundation
import Testing

@Suite("Traces")
struct TraceTests {
  /// The trace of a transcript's run: each line's members.
  static func trace(_ transcript: String) throws -> [[String: Any]] {
    let folder = try TemporaryFolder()
    let command = "\(Replay.executable) --trace \(folder.file("trace.jsonl"))"
    #expect(try Replay(["--command", command, TranscriptTests.folder + "/" + transcript]).status == 0)
    return try folder.read("trace.jsonl").split(separator: "\n").map { line in
      try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  @Test("each line has a time, which never goes back, and a kind that is documented")
  func kinds() throws {
    let page = try String(contentsOfFile: TranscriptTests.folder + "/README.md", encoding: .utf8)
    for transcript in ["authenticator/throttled.jsonl", "session/cancel.jsonl", "session/idle-timeout.jsonl"] {
      let lines = try Self.trace(transcript)
      let times = lines.compactMap { $0["time"] as? Int }
      #expect(times.count == lines.count)
      #expect(times == times.sorted())
      for line in lines {
        let kind = try #require(line["kind"] as? String)
        #expect(page.contains("| `\(kind)` |"), "\(kind)")
      }
    }
  }

  @Test("events, states, effects and answers are told in order")
  func login() throws {
    let lines = try Self.trace("authenticator/throttled.jsonl")
    let states = lines.filter { $0["kind"] as? String == "state" }.compactMap { $0["to"] as? String }
    #expect(
      states.starts(with: ["initial", "validated", "requestPending", "requestFailed"])
        || states.contains("requestFailed"))
    #expect(lines.contains { $0["effect"] as? String == "authenticator/submit" && $0["attempt"] as? Int == 1 })
    #expect(lines.contains { $0["kind"] as? String == "answer" && $0["outcome"] as? String == "throttled" })
    #expect(lines.contains { $0["effect"] as? String == "session/update" && $0["commands"] is [String] })
    #expect(lines.last?["kind"] as? String == "exit")
  }

  @Test("a late answer is told as one")
  func late() throws {
    let lines = try Self.trace("session/late-answer.jsonl")
    #expect(lines.contains { $0["kind"] as? String == "late" && $0["attempt"] as? Int == 1 })
  }

  @Test("what is typed into a secret item is withheld, anything else is shown")
  func secrets() throws {
    let lines = try Self.trace("session/cancel.jsonl").filter { $0["method"] as? String == "session/change" }
    #expect(!lines.isEmpty)
    for line in lines {
      #expect((line["value"] as? String == "(withheld)") == (line["item"] as? String == "password"))
    }
  }
}
