import Foundation
import JSONCodec
import LoginMachine
import LoginProtocol
import TestSupport
import Testing

@testable import Recording

@Suite("Audit logs")
struct AuditorTests {
  private let directory: TemporaryDirectory
  init() throws { directory = try TemporaryDirectory() }

  private var path: String { directory.file("audit.jsonl") }

  private func text() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  private static let accepted = Attempt(
    session: Array("s\"1".utf8), flow: "standard", request: "login", attempt: 3, outcome: .accepted, code: nil,
    principal: "ad\"a", proofs: [Proof("pwd", at: 1_795_388_700_000), Proof("otp", at: 1_795_388_700_250)],
    context: Array(#"{"a":1.50}"#.utf8))

  @Test("an audit log has one line for each attempt, after its existing content")
  func lines() throws {
    try Data("before\n".utf8).write(to: URL(fileURLWithPath: path))
    for _ in 0..<2 {
      let auditor = try Auditor(path, sparing: [], log: { _, _ in })
      auditor.observe(Self.accepted, at: Moment(steady: 7, utc: 1_795_388_700_250))
      auditor.finish()
      #expect(!auditor.hasFailed)
    }
    let line =
      #"{"time":"2026-11-22T23:05:00.250Z","session":"s\"1","flow":"standard","request":"login","attempt":3,"#
      + #""outcome":"accepted","principal":"ad\"a","proofs":[{"factor":"pwd","at":1795388700000},{"factor":"otp","at":1795388700250}],"context":{"a":1.50}}"#
      + "\n"
    #expect(try text() == "before\n" + line + line)
  }

  @Test("a line of the audit log leaves out members without a value")
  func short() throws {
    let auditor = try Auditor(path, sparing: [], log: { _, _ in })
    auditor.observe(
      Attempt(
        session: Array("s".utf8), flow: "f", request: "r", attempt: 1, outcome: .failed, code: "network.exited",
        principal: nil, proofs: nil, context: nil), at: Moment(steady: 0, utc: 0))
    auditor.finish()
    #expect(
      try text()
        == #"{"time":"1970-01-01T00:00:00.000Z","session":"s","flow":"f","request":"r","attempt":1,"outcome":"failed","#
        + #""code":"network.exited"}"# + "\n")
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test("an audit log never overwrites a protected file, and discarding it removes a file that it created")
  func spared() throws {
    try Data("precious".utf8).write(to: URL(fileURLWithPath: path))
    #expect(throws: ObservationProblem.self) {
      _ = try Auditor(path, sparing: ProtectedFile.accounts(path), log: { _, _ in })
    }
    #expect(try text() == "precious")
    let other = directory.file("new")
    try Auditor(other, sparing: [], log: { _, _ in }).discard()
    #expect(!FileManager.default.fileExists(atPath: other))
    try Auditor(path, sparing: [], log: { _, _ in }).discard()
    #expect(try text() == "precious")
  }

  @Test("an audit log on a full device counts as failed and logs the failure once")
  func full() throws {
    var said: [String] = []
    let auditor = try Auditor("/dev/full", sparing: []) { said.append($1) }
    for _ in 0..<3 { auditor.observe(Self.accepted, at: Moment(steady: 0, utc: 0)) }
    auditor.finish()
    #expect(auditor.hasFailed && said.count == 1)
  }

  @Test(
    "the times in an audit log have the form of RFC 3339",
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (951_782_399_999, "2000-02-28T23:59:59.999Z"),
      (951_782_400_000, "2000-02-29T00:00:00.000Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
      (UInt64.max, "9999-12-31T14:25:51.615Z"),
    ] as [(UInt64, String)])
  func times(utc: UInt64, text: String) {
    #expect(String(decoding: UTCTime.text(utc), as: UTF8.self) == text)
  }
}
