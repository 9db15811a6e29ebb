import Foundation
import TestSupport
import Testing

@Suite("The transcripts", .waits)
struct TranscriptTests {
  static let folder = Checkout.root
    .appendingPathComponent("protocol/transcripts").path

  static let files: [String] = {
    let paths = FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []
    return paths.filter { $0.hasSuffix(".jsonl") }.sorted().map { folder + "/" + $0 }
  }()

  /// Those that are played where it takes a process for each. All are played in the process of the replay as well.
  static let played = Workload.part(of: files)

  @Test("the engine plays them: every one in a release build")
  func all() throws {
    // So that transcripts that went missing are noticed.
    #expect(Self.files.count >= 80)
    let replay = try Replay(Self.played)
    #expect(replay.output == "\(Self.played.count) passed, 0 failed\n", "\(replay.error)")
    #expect(replay.error.isEmpty)
    #expect(replay.status == 0)
  }

  @Test("another engine is given the same arguments and plays them too")
  func otherEngine() throws {
    var command = #"sh -c 'exec "$0" "$@"' '\#(Replay.executable)'"#
    if let file = WrittenLines.newPath(.engineToFrontend) {
      // Each engine has a file of its own, because several run at once.
      command = #"bash -o pipefail -c '"$@" | tee "${0%.jsonl}-$$.jsonl"' '\#(file)' '\#(Replay.executable)'"#
    }
    let replay = try Replay(["--command", command] + Self.played)
    #expect(replay.output == "\(Self.played.count) passed, 0 failed\n", "\(replay.error)")
    #expect(replay.status == 0)
  }

  @Test("each begins with a note that says what it shows", arguments: files)
  func notes(file: String) throws {
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text.hasPrefix(#"{"note":""#))
    #expect(text.hasSuffix("}\n"))
  }
}
