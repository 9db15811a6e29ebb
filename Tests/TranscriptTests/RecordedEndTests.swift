import Foundation
import Testing

@Suite("A recording of a run's end")
struct RecordedEndTests {
  static let login = [
    #"{"jsonrpc":"2.0","method":"session/open","params":{"session":"s","values":{"email":"ada@example.com"}}}"#,
    #"{"jsonrpc":"2.0","method":"session/change","params":{"session":"s","item":"password","value":"hunter2hunter2"}}"#,
    #"{"jsonrpc":"2.0","method":"session/perform","params":{"session":"s","action":"submit"}}"#,
  ]

  @Test("replays, because time stands still: a login may take longer than its flow allows")
  func timeStandsStill() throws {
    let folder = try TemporaryFolder()
    let standard = URL(fileURLWithPath: TranscriptTests.folder).deletingLastPathComponent()
      .appendingPathComponent("flows/standard.json")
    let flow = try String(contentsOf: standard, encoding: .utf8)
      .replacing(#""requestTimeoutMs": 30000"#, with: #""requestTimeoutMs": 100"#)
    let file = try folder.write(flow, to: "flow.json")
    let answer = #"{"jsonrpc":"2.0","id":1,"result":{"outcome":"accepted"}}"#
    let authenticator = try folder.write(
      "#!/bin/sh\nread -r describe; read -r question; sleep 0.4; echo '\(answer)'; cat\n", to: "authenticator",
      isExecutable: true)
    let engine = try Program(
      ["--flow", file, "--authenticator", authenticator, "--record", folder.file("run.jsonl")],
      input: Self.login.map { ($0 + "\n", 0) })
    #expect(engine.text.contains("requestSucceeded"))
    #expect(!engine.text.contains("network.timeout"))
    _ = try RecordingTests.again("run.jsonl", in: folder)
  }
}
