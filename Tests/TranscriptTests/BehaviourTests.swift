import Foundation
import TestSupport
import Testing

/// An entry of `protocol/behaviours.md`: a line with the behaviour and its transcript, and a line with the edit.
struct Behaviour: CustomTestStringConvertible, Sendable {
  var section: String
  var name: String
  var flow: String
  var transcript: String
  /// The number of the transcript's line that shows the behaviour, from 1.
  var line: Int
  /// A JSON pointer; as in JSON Patch, a last `-` stands for a new element behind the last one.
  var pointer: String
  /// In JSON.
  var value: String

  var testDescription: String { "\(section): \(name)" }

  static let folder = (TranscriptTests.folder as NSString).deletingLastPathComponent

  static let all: [Behaviour] = {
    guard let text = try? String(contentsOfFile: folder + "/behaviours.md", encoding: .utf8) else { return [] }
    var section = ""
    var entries: [Behaviour] = []
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      if line.hasPrefix("## ") { section = String(line.dropFirst(3)) }
      guard let head = line.wholeMatch(of: /- (.+): \[.+\]\((.+)#L(\d+)\)/), let number = Int(head.3),
        lines.indices.contains(index + 1),
        let edit = lines[index + 1].wholeMatch(of: #/  `(\w+)` `(/\S+)` = `(.+)`/#)
      else { continue }
      entries.append(
        Behaviour(
          section: section, name: String(head.1), flow: String(edit.1), transcript: String(head.2),
          line: number, pointer: String(edit.2), value: String(edit.3)))
    }
    return entries
  }()

  /// Where the flow's definition is, from the folder of the project: among the built-in flows, or among those that transcripts bring along.
  var definition: String {
    let builtIn = "/flows/\(flow).json"
    return "protocol" + (FileManager.default.fileExists(atPath: Self.folder + builtIn) ? "" : "/transcripts") + builtIn
  }

  /// Whether a transcript has to say where the flow is.
  var bringsFlow: Bool { definition.hasPrefix("protocol/transcripts/") }

  /// The flow's definition with this entry's edit.
  func editedFlow() throws -> Data {
    let data = try Data(contentsOf: URL(fileURLWithPath: Self.folder + "/../" + definition))
    let new = try JSONSerialization.jsonObject(with: Data(value.utf8), options: .fragmentsAllowed)
    func replace(_ node: Any, _ path: ArraySlice<Substring>) throws -> Any {
      guard let key = path.first else { return new }
      if var array = node as? [Any] {
        if key == "-", path.count == 1 { return array + [new] }
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

@Suite("The checklist of behaviours", .waits)
struct BehaviourTests {
  @Test("every entry of the lists is read, and every system has some")
  func complete() throws {
    let text = try String(contentsOfFile: Behaviour.folder + "/behaviours.md", encoding: .utf8)
    let others = try #require(text.range(of: "\n## Not the engine's\n"))
    let entries = text[..<others.lowerBound].split(separator: "\n").filter { $0.hasPrefix("- ") }
    #expect(entries.count == Behaviour.all.count)
    #expect(Set(Behaviour.all.map(\.section)) == ["S0", "S1", "S2", "S3", "S4", "Choices"])
  }

  @Test("every transcript of the five systems is named by an entry")
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

  @Test("plays its transcript, and with the edit only up to its line", arguments: Workload.part(of: Behaviour.all))
  func entry(behaviour: Behaviour) throws {
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

    var played = transcript
    if behaviour.bringsFlow {
      // The same transcript, which brings the edited flow instead.
      played = flow + "l"
      let text = try String(contentsOfFile: transcript, encoding: .utf8)
      try text.replacingOccurrences(of: #""\#(behaviour.definition)""#, with: "\"\(flow)\"")
        .write(toFile: played, atomically: true, encoding: .utf8)
    }
    defer { if played != transcript { try? FileManager.default.removeItem(atPath: played) } }
    let place = "FAILED \(played):\(behaviour.line): "
    var edited: Replay?
    // Some edits have the replay wait for what never comes. It waits longer if the machine was too slow to get so far.
    for seconds in ["1", "8", "60"] where edited?.output.hasPrefix(place) != true {
      let command = Replay.executable + (behaviour.bringsFlow ? "" : " --flow \(flow)")
      edited = try Replay(["--timeout", seconds, "--command", command, played])
    }
    #expect(edited?.status == 1)
    #expect(edited?.output.hasPrefix(place) == true, "\(edited?.output ?? "")\(edited?.error ?? "")")
  }
}
