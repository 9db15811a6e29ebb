import Foundation
import TestSupport
import Testing

/// A row of `protocol/guides/where-it-comes-from.md`, with an edit of a flow that breaks what the row says.
struct Behaviour: CustomTestStringConvertible, Sendable {
  let section: String
  let name: String
  let transcript: String
  /// The number, from 1, of the line in the transcript that shows the behaviour.
  let line: Int
  let edit: Edit

  struct Edit: Sendable {
    let flow: String
    /// A JSON pointer into the flow's definition. As in JSON Patch, `-` at its end appends to a
    /// list. With the empty pointer, all members of `value` are set in the flow.
    let path: String
    /// The new value, in JSON.
    let value: String
  }

  var testDescription: String { "\(section): \(name)" }

  static let folder = (TranscriptTests.folder as NSString).deletingLastPathComponent

  /// The rows of the tables in `where-it-comes-from.md`, as section, name, transcript, and line.
  /// The section is the heading up to its colon; the name is the first cell.
  static let rows: [(section: String, name: String, transcript: String, line: Int)] = {
    let page = (try? DocumentTests.page("guides/where-it-comes-from.md")) ?? ""
    var section = ""
    return page.split(separator: "\n").compactMap { line in
      if line.hasPrefix("## ") { section = String(line.dropFirst(3).prefix { $0 != ":" }) }
      guard let row = line.wholeMatch(of: /\| ([^|]+) \| [^|]+ \| \[.+\]\(\.\.\/(.+)#L(\d+)\) \|/),
        let number = Int(row.3)
      else { return nil }
      return (section, String(row.1), String(row.2), number)
    }
  }()

  /// The edits in `behaviour-edits.json`, keyed by section and name.
  static let edits: [[String]: Edit] = {
    let file = folder + "/../Tests/Fixtures/behaviour-edits.json"
    let data = FileManager.default.contents(atPath: file) ?? Data()
    let entries = (try? JSONSerialization.jsonObject(with: data)) as? [[String: Any]] ?? []
    let pairs = entries.compactMap { entry -> ([String], Edit)? in
      guard let section = entry["section"] as? String, let name = entry["behaviour"] as? String,
        let flow = entry["flow"] as? String, let path = entry["path"] as? String, let value = entry["value"],
        let json = try? JSONSerialization.data(withJSONObject: value, options: .fragmentsAllowed)
      else { return nil }
      return ([section, name], Edit(flow: flow, path: path, value: String(decoding: json, as: UTF8.self)))
    }
    return Dictionary(pairs) { first, _ in first }
  }()

  static let all = rows.compactMap { row in
    edits[[row.section, row.name]].map {
      Behaviour(section: row.section, name: row.name, transcript: row.transcript, line: row.line, edit: $0)
    }
  }

  /// The path of the flow's definition in the project: it is a built-in flow, or a flow that
  /// transcripts name in their options.
  var definition: String {
    let builtIn = "/flows/\(edit.flow).json"
    return "protocol" + (FileManager.default.fileExists(atPath: Self.folder + builtIn) ? "" : "/transcripts") + builtIn
  }

  /// Whether the flow is not built in, so that a transcript has to name its file.
  var bringsFlow: Bool { definition.hasPrefix("protocol/transcripts/") }

  /// The flow's definition with the edit.
  func editedFlow() throws -> Data {
    let data = try Data(contentsOf: URL(fileURLWithPath: Self.folder + "/../" + definition))
    let new = try JSONSerialization.jsonObject(with: Data(edit.value.utf8), options: .fragmentsAllowed)
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
    if edit.path.isEmpty, let root = root as? [String: Any], let members = new as? [String: Any] {
      return try JSONSerialization.data(withJSONObject: root.merging(members) { $1 })
    }
    return try JSONSerialization.data(withJSONObject: replace(root, edit.path.split(separator: "/")[...]))
  }
}

@Suite("The checklist of behaviours", .waits)
struct BehaviourTests {
  @Test("every row of where-it-comes-from.md has an edit that breaks its behaviour, and every edit has a row")
  func complete() throws {
    let rows = Behaviour.rows.map { [$0.section, $0.name] }
    #expect(Set(rows).count == rows.count)
    #expect(Set(rows) == Set(Behaviour.edits.keys))
    #expect(Set(rows.map(\.[0])) == ["S0", "S1", "S2", "S3", "S4", "Choices"])
  }

  @Test("every transcript in the folders s0 to s4 is in a row of where-it-comes-from.md")
  func named() {
    let named = Set(Behaviour.all.map { Behaviour.folder + "/" + $0.transcript })
    let ofSystems = TranscriptTests.files.filter { $0.contains(#/\/s[0-4]\/[^\/]+$/#) }
    #expect(!ofSystems.isEmpty)
    for file in ofSystems { #expect(named.contains(file), "\(file)") }
  }

  @Test(
    "each row of where-it-comes-from.md names a line that the engine writes in a transcript",
    arguments: Behaviour.all)
  func line(behaviour: Behaviour) throws {
    let transcript = try String(contentsOfFile: Behaviour.folder + "/" + behaviour.transcript, encoding: .utf8)
    let lines = transcript.split(separator: "\n", omittingEmptySubsequences: false)
    try #require(lines.indices.contains(behaviour.line - 1))
    let line = lines[behaviour.line - 1]
    #expect(line.hasPrefix(#"{"out":"#) || line.hasPrefix(#"{"ask":"#))
  }

  @Test(
    "for each row of where-it-comes-from.md, the transcript passes, and with the row's edit it fails at the row's line",
    arguments: Workload.part(of: Behaviour.all))
  func entry(behaviour: Behaviour) throws {
    let transcript = Behaviour.folder + "/" + behaviour.transcript
    #expect(try Replay([transcript]).output == "1 passed, 0 failed\n")

    let flow = FileManager.default.temporaryDirectory.path + "/flow-\(UUID().uuidString).json"
    try behaviour.editedFlow().write(to: URL(fileURLWithPath: flow))
    defer { try? FileManager.default.removeItem(atPath: flow) }
    // The edited definition has to be valid, or the transcript would fail for another reason.
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
      // A copy of the transcript, in whose options the edited flow replaces the original one.
      played = flow + "l"
      let text = try String(contentsOfFile: transcript, encoding: .utf8)
      try text.replacingOccurrences(of: #""\#(behaviour.definition)""#, with: "\"\(flow)\"")
        .write(toFile: played, atomically: true, encoding: .utf8)
    }
    defer { if played != transcript { try? FileManager.default.removeItem(atPath: played) } }
    let place = "FAILED \(played):\(behaviour.line): "
    var edited: Replay?
    // With some edits, the replay waits for a line that never comes. If the machine was too slow to
    // reach that line, the replay is repeated with a longer timeout.
    for seconds in ["1", "8", "60"] where edited?.output.hasPrefix(place) != true {
      let command = Replay.executable + (behaviour.bringsFlow ? "" : " --flow \(flow)")
      edited = try Replay(["--timeout", seconds, "--command", command, played])
    }
    #expect(edited?.status == 1)
    #expect(edited?.output.hasPrefix(place) == true, "\(edited?.output ?? "")\(edited?.error ?? "")")
  }
}
