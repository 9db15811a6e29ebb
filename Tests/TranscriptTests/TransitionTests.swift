import Foundation
import JSONCodec
import TestSupport
import Testing

@Suite("The paths through the built-in flows", .waits)
struct TransitionTests {
  /// Writes the transcripts of a flow's paths with `login-engine flow paths`.
  private func paths(_ flow: String, in folder: TemporaryDirectory) throws -> [String] {
    let made = try Program(["flow", "paths", flow, "--to", folder.path])
    #expect(made.status == 0, "\(made.error)")
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { folder.file($0) }
  }

  @Test(
    "the transcripts that flow paths writes cover every arrow of a flow's diagram, and can be replayed",
    arguments: Workload.part(of: Diagram.all.keys.sorted()))
  func covered(flow: String) throws {
    let folder = try TemporaryDirectory()
    let files = try paths(flow, in: folder)
    let shown = try files.reduce(into: Set<Transition>()) { shown, file in
      shown.formUnion(TransitionReader(try Conversation(path: file)).transitions)
    }
    let drawn = try #require(Diagram.all[flow]).transitions
    #expect(drawn.count > 10)
    let gaps = drawn.subtracting(shown).map(\.description).sorted()
    #expect(gaps == [], "no path shows \(gaps.count) of \(drawn.count)")
    let played = Workload.part(of: files)
    let replay = try Replay(["--in-process"] + played)
    #expect(replay.output == "\(played.count) passed, 0 failed\n", "\(replay.error)")
  }

  @Test("the transcripts in protocol/transcripts/transitions equal what login-engine flow paths writes for their flow")
  func example() throws {
    let folder = try TemporaryDirectory()
    for file in try paths("immediate", in: folder) {
      let kept = "\(TranscriptTests.folder)/transitions/\((file as NSString).lastPathComponent)"
      #expect(try String(contentsOfFile: kept, encoding: .utf8) == String(contentsOfFile: file, encoding: .utf8))
    }
  }

  @Test("every flow that the engine lists in engine/describe has a diagram")
  func diagrams() throws {
    let described = Conversation.all.flatMap { $0.lines("out") }.compactMap { $0.at("result", "flows")?.array }
      .flatMap { $0.compactMap { $0["flow"]?.string } }
    #expect(!described.isEmpty)
    #expect(Set(described).isSubset(of: Diagram.all.keys))
  }
}
