import Foundation
import TestSupport
import Testing

@Suite("replay --update", .waits)
struct UpdateTests {
  static let open = #"{"in":{"jsonrpc":"2.0","id":1,"method":"session/open","params":{"session":"s"}}}"#
  static let list = #"{"in":{"jsonrpc":"2.0","id":2,"method":"session/list"}}"#

  @Test("replay --update leaves every correct transcript unchanged")
  func unchanged() throws {
    let folder = try TemporaryDirectory()
    var copies: [String] = []
    let files = Workload.part(of: TranscriptTests.played)
    for (index, file) in files.enumerated() {
      copies.append(try folder.write(String(contentsOfFile: file, encoding: .utf8), to: "\(index).jsonl"))
    }
    #expect(try Replay(["--update"] + copies).output == "\(copies.count) passed, 0 failed\n")
    for (copy, file) in zip(copies, files) {
      #expect(
        try String(contentsOfFile: copy, encoding: .utf8) == String(contentsOfFile: file, encoding: .utf8), "\(file)")
    }
  }

  @Test("replay --update writes to the target of a symbolic link")
  func symbolicLink() throws {
    let folder = try TemporaryDirectory()
    let file = try folder.write(Self.open + "\n", to: "real.jsonl")
    let link = folder.file("link.jsonl")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "real.jsonl")
    #expect(try Replay(["--update", link]).status == 0)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "real.jsonl")
    #expect(try String(contentsOfFile: file, encoding: .utf8).contains(#"{"out":"#))
  }

  @Test("replay --update rewrites, adds and removes outputs and questions, and keeps notes")
  func rewrites() throws {
    let path = TranscriptTests.folder + "/session/cancel.jsonl"
    let original = try String(contentsOfFile: path, encoding: .utf8)
    var lines = original.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let outputs = lines.indices.filter { lines[$0].hasPrefix(#"{"out":"#) }
    lines[outputs[0]] = lines[outputs[0]].replacing("Log in", with: "Come in")
    let removed = lines.remove(at: outputs[1])
    let ask = try #require(lines.firstIndex { $0.hasPrefix(#"{"ask":"#) })
    lines[ask] = lines[ask].replacing(#""attempt":1"#, with: #""attempt":7"#)
    lines.insert(#"{"note":"Here something is too much."}"#, at: outputs[0] + 1)
    lines.insert(removed.replacing("jsonrpc", with: "other"), at: outputs[0] + 2)
    let folder = try TemporaryDirectory()
    let copy = try folder.write(lines.joined(separator: "\n"), to: "cancel.jsonl")
    #expect(try Replay([copy]).status == 1)
    let update = try Replay(["--update", copy])
    #expect(update.output.hasPrefix("updated \(copy): "))
    #expect(update.status == 0)
    let updated = try String(contentsOfFile: copy, encoding: .utf8)
    #expect(updated.replacing(#"{"note":"Here something is too much."}"# + "\n", with: "") == original)
    #expect(try Replay([copy]).status == 0)
  }

  @Test("replay --update keeps the ignored JSON pointers that exist")
  func ignored() throws {
    let folder = try TemporaryDirectory()
    let version = #"{"in":{"jsonrpc":"2.0","id":1,"method":"engine/describe"}}"#
    let out =
      #"{"out":{"jsonrpc":"2.0","id":1,"result":{"name":"another","flows":[]}},"ignore":["/result/flows","/result/none"]}"#
    let copy = try folder.write([version, out].joined(separator: "\n"), to: "describe.jsonl")
    #expect(try Replay(["--update", copy]).status == 0)
    let updated = try String(contentsOfFile: copy, encoding: .utf8)
    #expect(updated.hasSuffix(#""ignore":["/result/flows"]}"#))
    #expect(updated.contains(#""name":"login-engine""#))
  }

  @Test("replay --update adds the outputs of steps that have none")
  func fills() throws {
    let folder = try TemporaryDirectory()
    let copy = try folder.write([Self.open, Self.list].joined(separator: "\n") + "\n", to: "new.jsonl")
    #expect(try Replay(["--update", copy]).status == 0)
    let kinds = try String(contentsOfFile: copy, encoding: .utf8).split(separator: "\n").map { $0.prefix(5) }
    #expect(kinds == [#"{"in""#, #"{"out"#, #"{"out"#, #"{"in""#, #"{"out"#])
  }
}
