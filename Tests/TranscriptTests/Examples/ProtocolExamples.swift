import Foundation
import JSONCodec
import TestSupport

extension Example {
  /// Checks that the example is a transcript that plays.
  func replays() throws {
    let folder = try TemporaryDirectory()
    let replay = try Replay([folder.write(text, to: "example.jsonl")])
    guard replay.output == "1 passed, 0 failed\n", replay.error.isEmpty else {
      throw Deviation(replay.output + replay.error)
    }
  }

  /// Checks that the engine accepts the example, which is a flow definition or a part of one. A
  /// part is inserted into a built-in flow that has such a part.
  func isTaken() throws {
    for value in try values() {
      if value["flow"] != nil {
        try isTaken(value)
      } else if value["dismiss"] != nil {
        var flow = try BuiltIn.flow("coordinators").replacing("screens", "0", "alert", with: value)
        let keys = value.all.compactMap(\.string).filter { $0.hasPrefix("alert.") }
        for key in keys { flow = flow.replacing("strings", "en", key, with: .string("Text")) }
        try isTaken(flow)
      } else if ["is", "isEmpty", "matches", "all", "any", "not"].contains(where: { value[$0] != nil }) {
        try isTaken(BuiltIn.flow("dynamic").replacing("screens", "0", "sections", "1", "visibleWhen", with: value))
      } else if value["rule"] != nil, let message = value["message"]?.string {
        var flow = try BuiltIn.flow("immediate")
          .replacing("screens", "0", "sections", "0", "items", "0", "rules", "1", with: value)
        if value["years"] != nil || value["date"] != nil {
          flow = flow.replacing("screens", "0", "sections", "0", "items", "0", "inputType", with: .string("date"))
        }
        try isTaken(flow.replacing("strings", "en", message, with: .string("Text")))
      } else if value["kind"] != nil {
        var flow = try BuiltIn.flow("standard").replacing(
          "screens", "0", "sections", "0", "items", with: .array([value]))
        let items = [value] + (value["otherwise"]?.array ?? [])
        let said = items.flatMap { item in
          [item["title"], item["kind"]?.string == "code" ? nil : item["text"]]
            + (item["rules"]?.array ?? []).map { $0["message"] }
        }
        for key in said.compactMap({ $0?.string }) {
          flow = flow.replacing("strings", "en", key, with: .string("Text"))
        }
        try isTaken(flow)
      } else if value["as"] != nil {
        try isTaken(BuiltIn.flow("standard").replacing("screens", "0", "begins", with: .array([value])))
      } else if value["request"] != nil, let title = value["title"]?.string {
        let flow = try BuiltIn.flow("standard").replacing("screens", "0", "links", "0", with: value)
        try isTaken(flow.replacing("strings", "en", title, with: .string("Text")))
      } else {
        throw Deviation("this is no part of a definition that could be put anywhere: \(value.text)")
      }
    }
  }

  /// Checks that the engine accepts the definition and opens a session of it.
  private func isTaken(_ flow: JSONValue) throws {
    let folder = try TemporaryDirectory()
    let file = try folder.write(flow.text, to: "flow.json")
    let check = try Program(["flow", "check", file])
    guard check.status == 0 else { throw Deviation(check.error + check.text) }
    let open = #"{"jsonrpc":"2.0","id":1,"method":"session/open","params":{"session":"s"}}"# + "\n"
    let engine = try Program(["--flow", file], input: [(open, 0)])
    guard engine.text.hasSuffix(#"{"jsonrpc":"2.0","id":1,"result":{"session":"s","revision":1}}"# + "\n") else {
      throw Deviation(engine.error + engine.text)
    }
  }

  /// Checks that the example is the diagram that `login-engine flow diagram` prints for the flow of
  /// the page.
  func isTheDiagram() throws {
    let name = (document as NSString).lastPathComponent.replacing(".md", with: "")
    let diagram = try Program(["flow", "diagram", name])
    guard diagram.text == text + "\n" else { throw Deviation(diagram.text + diagram.error) }
  }

  /// Checks that the authenticator of the example works, with protocol/check-authenticators, and
  /// that `.ci/run` runs this check too.
  func decides() throws {
    let name = language == "sh" ? "shell" : language
    // If Python is not installed, only `.ci/run` checks the authenticator in Python.
    let command = "protocol/check-authenticators .build/release/login-engine"
    guard try Example.run.contains(command) else { throw Deviation(".ci/run does not run \(command)") }
    if name == "python", try !Program.hasPython() { return }
    let check = try Program(
      [Example.root + "/protocol/check-authenticators", Replay.executable, name], executable: "/bin/bash")
    guard check.status == 0, check.text == "3 passed, 0 failed\n" else { throw Deviation(check.text + check.error) }
  }

  /// Checks that the example is part of a source file of a client, and that `.ci/run` runs the
  /// check of that client.
  func isASource() throws {
    let folders = [
      "js": "typescript/examples", "tsx": "typescript/examples", "python": "python/examples",
      "swift": "library/swift/Sources", "go": "go/example", "rust": "rust/examples",
      "java": "java/example",
    ]
    let folder = Example.root + "/clients/" + (folders[language] ?? "")
    let names = FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []
    guard names.contains(where: { (try? String(contentsOfFile: folder + "/" + $0, encoding: .utf8)) == text + "\n" })
    else { throw Deviation("no file below \(folder) is this code") }
    let command = "clients/check .build/release/login-engine"
    guard try Example.run.contains(command) else { throw Deviation(".ci/run does not run \(command)") }
  }

  /// Checks that `.ci/run` contains the commands of the example, which the tests cannot run.
  func standsInRun() throws {
    for command in text.split(separator: "\n") {
      guard try Example.run.contains(String(command)) else { throw Deviation(".ci/run does not run \(command)") }
    }
  }

  private static var run: Set<String> {
    get throws {
      Set(try String(contentsOfFile: root + "/.ci/run", encoding: .utf8).split(separator: "\n").map(String.init))
    }
  }
}

private enum BuiltIn {
  static func flow(_ name: String) throws -> JSONValue { try protocolFile("flows/\(name).json") }
}

extension JSONValue {
  /// This value with the value at a path replaced by `new`. Only the last name of the path may be
  /// missing in this value.
  func replacing(_ path: String..., with new: JSONValue) -> JSONValue { replacing(path[...], with: new) }

  private func replacing(_ path: ArraySlice<String>, with new: JSONValue) -> JSONValue {
    guard let name = path.first else { return new }
    switch self {
    case .array(var elements):
      guard let index = Int(name), elements.indices.contains(index) else { return self }
      elements[index] = elements[index].replacing(path.dropFirst(), with: new)
      return .array(elements)
    case .object(var members):
      if let index = members.firstIndex(where: { $0.key == name }) {
        members[index].value = members[index].value.replacing(path.dropFirst(), with: new)
      } else if path.count == 1 {
        members.append(Member(name, new))
      }
      return .object(members)
    default: return self
    }
  }
}
