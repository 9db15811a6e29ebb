import FlowFiles
import Glibc
import System
import TestSupport
import Testing

/// The exit status and output of each command of `login-engine flow`.
@Suite(.waits) struct FlowCommandTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let words: [String]
    let status: Int32
    /// The expected beginning of standard output. If it is empty, standard output must be empty.
    var output = ""
    /// The expected part of standard error. If it is empty, standard error must be empty.
    var error = ""

    var testDescription: String { words.joined(separator: " ") }
  }

  static let cases = [
    Case(words: ["list"], status: 0, output: "(first)"),
    Case(words: ["list", "(first)"], status: 2, error: "see login-engine flow --help"),
    Case(words: ["print", "(first)"], status: 0, output: "{"),
    Case(words: ["print", "nothing"], status: 1, error: "there is no built-in flow nothing; there are (first), "),
    Case(words: ["print"], status: 2, error: "see login-engine flow --help"),
    Case(words: ["print", "(first)", "(first)"], status: 2, error: "see login-engine flow --help"),
    Case(words: ["check", "good.json"], status: 0, output: "good.json: ok (flow "),
    Case(words: ["check", "bad.json"], status: 1, error: "bad.json: at /screens/0: "),
    Case(words: ["check", "text.json"], status: 1, error: "text.json: line 1, column 2: "),
    Case(words: ["check", "none.json"], status: 1, error: "none.json: "),
    Case(words: ["check", "."], status: 1, error: ".: "),
    // Valid files are reported even if others are invalid.
    Case(words: ["check", "bad.json", "good.json"], status: 1, output: "good.json: ok", error: "bad.json: "),
    Case(words: ["check"], status: 2, error: "see login-engine flow --help"),
    Case(words: ["diagram", "immediate"], status: 0, output: "stateDiagram-v2\n"),
    Case(words: ["diagram", "odd.json"], status: 0, output: "stateDiagram-v2\n"),
    Case(words: ["diagram", "bad.json"], status: 1, error: "bad.json: at /screens/0: "),
    Case(words: ["diagram", "none.json"], status: 1, error: "none.json: "),
    Case(words: ["diagram"], status: 2, error: "see login-engine flow --help"),
    Case(words: ["paths", "(first)"], status: 2, error: "paths needs --to"),
    Case(words: ["paths", "none.json", "--to", "paths"], status: 1, error: "none.json: "),
    Case(words: ["paths", "(first)", "--to", "/nonexistent/paths"], status: 1, error: "/nonexistent/paths: "),
    Case(words: ["--help"], status: 0, output: "login-engine flow: "),
    Case(words: ["help"], status: 0, output: "login-engine flow: "),
    Case(words: ["list", "--help"], status: 0, output: "login-engine flow list: "),
    Case(words: ["print", "-h"], status: 0, output: "login-engine flow print: "),
    Case(words: ["new", "--help"], status: 0, output: "login-engine flow new: "),
    Case(words: ["check", "bad.json", "--help"], status: 0, output: "login-engine flow check: "),
    Case(words: ["diagram", "--help"], status: 0, output: "login-engine flow diagram: "),
    Case(words: ["try", "--help"], status: 0, output: "login-engine flow try: "),
    Case(words: ["new"], status: 0, output: "{\n  \"flow\": \"my-flow\","),
    Case(words: ["new", "staff"], status: 0, output: "{\n  \"flow\": \"staff\","),
    Case(words: ["new", "a b"], status: 2, error: "1 to 64 letters, digits, _, - or ."),
    Case(words: ["new", "a", "b"], status: 2, error: "see login-engine flow --help"),
    // A warning does not change the exit status.
    Case(
      words: ["check", "odd.json"], status: 0, output: "odd.json: ok (flow odd, 1 screen)",
      error:
        "odd.json: warning: at /items/0: found an item that no screen uses; use the item in a section, or take it out"),
    Case(words: ["try"], status: 2, error: "try takes one file"),
    Case(words: ["try", "bad.json"], status: 1, error: "bad.json: at /screens/0: "),
    Case(words: ["try", "none.json"], status: 1, error: "none.json: "),
    Case(words: ["check", "--locale", "de", "good.json"], status: 2, error: "unknown option --locale"),
    Case(words: ["--locale", "de", "list"], status: 2, error: "give the command list first"),
    Case(words: ["list", "--nonsense"], status: 2, error: "unknown option --nonsense; see login-engine flow --help"),
    Case(words: ["check", "--", "good.json"], status: 0, output: "good.json: ok (flow "),
    Case(words: ["paint"], status: 2, error: "see login-engine flow --help"),
    Case(words: [], status: 2, error: "see login-engine flow --help"),
  ]

  /// The name of the first built-in flow.
  private static let firstFlow = Result {
    let directory = try Directory()
    let file = open(try directory.write("", to: "list"), O_WRONLY | O_CLOEXEC)
    defer { close(file) }
    let engine = try RunningEngine(
      ["flow", "list"], in: directory, input: .none, output: .descriptor(file), usesDefaults: false)
    #expect(try engine.wait() == .exited(0))
    return try #require(directory.read("list").split(separator: " ").first)
  }

  @Test("flow list prints a line for each built-in flow, with its languages and purpose") func list() throws {
    let directory = try Directory()
    let file = open(try directory.write("", to: "list"), O_WRONLY | O_CLOEXEC)
    defer { close(file) }
    let engine = try RunningEngine(
      ["flow", "list"], in: directory, input: .none, output: .descriptor(file), usesDefaults: false)
    #expect(try engine.wait() == .exited(0))
    let lines = directory.read("list").split(separator: "\n")
    #expect(lines.count == BuiltInFlows.names.count)
    for (line, name) in zip(lines, BuiltInFlows.names) {
      #expect(line.hasPrefix("\(name) ") && line.contains(" en"))
      #expect(try line.hasSuffix(#require(BuiltInFlows.description(named: name))))
    }
  }

  @Test("the definition that flow new prints is valid and has no warnings", arguments: ["my-flow", "x.Y_9-"]) func new(
    _ name: String
  ) throws {
    let directory = try Directory()
    func run(_ words: [String], output: String) throws -> String {
      let file = open(try directory.write("", to: output), O_WRONLY | O_CLOEXEC)
      defer { close(file) }
      let engine = try RunningEngine(
        ["flow"] + words, in: directory, workingDirectory: directory.path, input: .none, output: .descriptor(file),
        usesDefaults: false)
      #expect(try engine.wait() == .exited(0))
      return engine.log
    }
    #expect(try run(["new", name], output: "new.json") == "")
    #expect(try run(["check", "new.json"], output: "out") == "")
    #expect(directory.read("out") == "new.json: ok (flow \(name), 1 screen)\n")
  }

  @Test("each command of login-engine flow reports its result in its exit status", arguments: cases) func ends(
    _ example: Case
  ) throws {
    let directory = try Directory()
    let first = try Self.firstFlow.get()
    func named(_ text: String) -> String { text.replacing("(first)", with: first) }
    _ = try directory.write(#"{"flow":"bad","screens":[{}],"defaultLocale":"en","strings":{"en":{}}}"#, to: "bad.json")
    _ = try directory.write("no JSON", to: "text.json")
    _ = try directory.write(
      #"""
      {"flow":"odd","items":[{"id":"more","apiKey":"more","kind":"switch"}],"defaultLocale":"en","strings":{"en":{"t":"T"}},
      "screens":[{"id":"s","title":"t","request":"login","sections":[],"actions":{"submit":{"id":"go","title":"t"}},
      "success":{"scene":"home"}}]}
      """#, to: "odd.json")
    #expect(symlink(Fixtures.path("flows/example.json"), directory.path + "/good.json") == 0)
    let file = open(try directory.write("", to: "out"), O_WRONLY | O_CLOEXEC)
    defer { close(file) }
    let engine = try RunningEngine(
      ["flow"] + example.words.map(named), in: directory, workingDirectory: directory.path, input: .none,
      output: .descriptor(file), usesDefaults: false)
    #expect(try engine.wait() == .exited(example.status))
    let (output, error) = (directory.read("out"), engine.log)
    #expect(output.hasPrefix(named(example.output)) && output.isEmpty == example.output.isEmpty, "\(output)")
    #expect(error.contains(named(example.error)) && error.isEmpty == example.error.isEmpty, "\(error)")
  }
}
