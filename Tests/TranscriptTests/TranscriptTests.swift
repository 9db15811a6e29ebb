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

  /// The transcripts that are played by tests that start a process for each transcript.
  /// `InProcessTests` plays all transcripts.
  static let played = Workload.part(of: files)

  @Test("the engine plays the transcripts, all of them in a release build")
  func all() throws {
    // This shows that no transcripts are missing.
    #expect(Self.files.count >= 80)
    let replay = try Replay(Self.played)
    #expect(replay.output == "\(Self.played.count) passed, 0 failed\n", "\(replay.error)")
    #expect(replay.error.isEmpty)
    #expect(replay.status == 0)
  }

  @Test("the transcripts of a folder and of the folders in it are played, in the order of their paths")
  func folder() throws {
    let folder = try TemporaryDirectory()
    let inner = folder.file("inner")
    try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: false)
    let wrong = #"{"in":{"jsonrpc":"2.0","id":1,"method":"session/list"}}"# + "\n" + #"{"out":{}}"# + "\n"
    for name in ["b.jsonl", "inner/a.jsonl", "notes.txt"] { _ = try folder.write(wrong, to: name) }
    // A symbolic link back to the folder must not cause an endless search.
    try FileManager.default.createSymbolicLink(atPath: inner + "/back", withDestinationPath: folder.file(""))
    let replay = try Replay([folder.file("")])
    let played = replay.output.split(separator: "\n").dropLast().filter { $0.hasPrefix("FAILED ") }
    let expected = ["b.jsonl", "inner/a.jsonl"].map { "FAILED \(folder.file($0)):2: " }
    #expect(played.count == 2 && zip(played, expected).allSatisfy { $0.hasPrefix($1) })
    #expect(replay.output.hasSuffix("\n0 passed, 2 failed\n"), "\(replay.output)\(replay.error)")
  }

  @Test("an engine that is given with --command gets the same arguments and plays the transcripts too")
  func otherEngine() throws {
    var command = #"sh -c 'exec "$0" "$@"' '\#(Replay.executable)'"#
    if let file = WrittenLines.newPath(.engineToFrontend) {
      // Each engine writes its own file, because several engines run at the same time.
      command = #"bash -o pipefail -c '"$@" | tee "${0%.jsonl}-$$.jsonl"' '\#(file)' '\#(Replay.executable)'"#
    }
    let replay = try Replay(["--command", command] + Self.played)
    #expect(replay.output == "\(Self.played.count) passed, 0 failed\n", "\(replay.error)")
    #expect(replay.status == 0)
  }

  @Test("each transcript begins with a note about its subject", arguments: files)
  func notes(file: String) throws {
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text.hasPrefix(#"{"note":""#))
    #expect(text.hasSuffix("}\n"))
  }
}
