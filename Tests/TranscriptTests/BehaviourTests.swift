import Foundation
import Testing

/// A row of `protocol/behaviours.md`.
struct Behaviour: CustomTestStringConvertible, Sendable {
  var section: String
  var name: String
  var flow: String
  var transcript: String
  /// The number of the transcript's line that shows the behaviour, from 1.
  var line: Int
  var pointer: String
  /// In JSON.
  var value: String

  var testDescription: String { "\(section): \(name)" }

  static let folder = (TranscriptTests.folder as NSString).deletingLastPathComponent

  static let all: [Behaviour] = {
    guard let text = try? String(contentsOfFile: folder + "/behaviours.md", encoding: .utf8) else { return [] }
    var section = ""
    var rows: [Behaviour] = []
    for line in text.split(separator: "\n") {
      if line.hasPrefix("## ") { section = String(line.dropFirst(3)) }
      guard let row = line.wholeMatch(of: /\| (.+) \| `(\w+)` \| \[.+\]\((.+)#L(\d+)\) \| `(\/\S+)` = `(.+)` \|/),
        let number = Int(row.4)
      else { continue }
      rows.append(
        Behaviour(
          section: section, name: String(row.1), flow: String(row.2), transcript: String(row.3),
          line: number, pointer: String(row.5), value: String(row.6)))
    }
    return rows
  }()

  /// The flow's definition with this row's edit.
  func editedFlow() throws -> Data {
    let data = try Data(contentsOf: URL(fileURLWithPath: Self.folder + "/flows/\(flow).json"))
    let new = try JSONSerialization.jsonObject(with: Data(value.utf8), options: .fragmentsAllowed)
    func replace(_ node: Any, _ path: ArraySlice<Substring>) throws -> Any {
      guard let key = path.first else { return new }
      if var array = node as? [Any] {
        let index = try #require(Int(key).flatMap { array.indices.contains($0) ? $0 : nil })
        array[index] = try replace(array[index], path.dropFirst())
        return array
      }
      var object = try #require(node as? [String: Any])
      object[String(key)] = try replace(object[String(key)] ?? NSNull(), path.dropFirst())
      return object
    }
    let root = try JSONSerialization.jsonObject(with: data)
    return try JSONSerialization.data(withJSONObject: replace(root, pointer.split(separator: "/")[...]))
  }
}

@Suite("The checklist of behaviours")
struct BehaviourTests {
  @Test("every row of the tables is read, and every system has some")
  func complete() throws {
    let text = try String(contentsOfFile: Behaviour.folder + "/behaviours.md", encoding: .utf8)
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| behaviour ") }
    #expect(rows.count == Behaviour.all.count)
    #expect(Set(Behaviour.all.map(\.section)) == ["S0", "S1", "S2", "S3", "S4", "Choices"])
  }

  @Test("every transcript of the five systems is named by a row")
  func named() {
    let named = Set(Behaviour.all.map { Behaviour.folder + "/" + $0.transcript })
    let ofSystems = TranscriptTests.files.filter { $0.contains(#/\/s[0-4]\/[^\/]+$/#) }
    #expect(!ofSystems.isEmpty)
    for file in ofSystems { #expect(named.contains(file), "\(file)") }
  }

  @Test("names a line at which the engine says something", arguments: Behaviour.all)
  func line(behaviour: Behaviour) throws {
    let transcript = try String(contentsOfFile: Behaviour.folder + "/" + behaviour.transcript, encoding: .utf8)
    let lines = transcript.split(separator: "\n", omittingEmptySubsequences: false)
    try #require(lines.indices.contains(behaviour.line - 1))
    let line = lines[behaviour.line - 1]
    #expect(line.hasPrefix(#"{"out":"#) || line.hasPrefix(#"{"ask":"#))
  }

  @Test("plays its transcript, and with the edit only up to its line", arguments: Behaviour.all)
  func row(behaviour: Behaviour) throws {
    let transcript = Behaviour.folder + "/" + behaviour.transcript
    #expect(try Replay([transcript]).output == "1 passed, 0 failed\n")

    let flow = FileManager.default.temporaryDirectory.path + "/flow-\(UUID().uuidString).json"
    try behaviour.editedFlow().write(to: URL(fileURLWithPath: flow))
    defer { try? FileManager.default.removeItem(atPath: flow) }
    // The edit has to be a definition that is accepted, or the transcript would fail for another reason.
    let engine = Process()
    engine.executableURL = URL(fileURLWithPath: Replay.executable)
    engine.arguments = ["--flow", flow]
    engine.standardInput = FileHandle.nullDevice
    engine.standardOutput = FileHandle.nullDevice
    try engine.run()
    engine.waitUntilExit()
    #expect(engine.terminationStatus == 0)

    let place = "FAILED \(transcript):\(behaviour.line): "
    var edited: Replay?
    // Some edits have the replay wait for what never comes. It waits longer if the machine was too slow to get so far.
    for seconds in ["1", "8", "60"] where edited?.output.hasPrefix(place) != true {
      edited = try Replay(["--timeout", seconds, "--command", "\(Replay.executable) --flow \(flow)", transcript])
    }
    #expect(edited?.status == 1)
    #expect(edited?.output.hasPrefix(place) == true, "\(edited?.output ?? "")\(edited?.error ?? "")")
  }
}
