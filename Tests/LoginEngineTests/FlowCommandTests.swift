import EventLoop
import Glibc
import Testing

/// `login-engine flow`: how each of its commands ends, and where what it says goes.
@Suite struct FlowCommandTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let words: [String]
    let status: Int32
    /// What standard output begins with; nothing is written there if it is empty.
    var output = ""
    /// What standard error holds; nothing is written there if it is empty.
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
    // The good ones are told although others are wrong.
    Case(words: ["check", "bad.json", "good.json"], status: 1, output: "good.json: ok", error: "bad.json: "),
    Case(words: ["check"], status: 2, error: "see login-engine flow --help"),
    Case(words: ["diagram", "(first)"], status: 0, output: "stateDiagram-v2\n"),
    Case(words: ["diagram", "good.json"], status: 0, output: "stateDiagram-v2\n"),
    Case(words: ["diagram", "bad.json"], status: 1, error: "bad.json: at /screens/0: "),
    Case(words: ["diagram", "none.json"], status: 1, error: "none.json: "),
    Case(words: ["diagram"], status: 2, error: "see login-engine flow --help"),
    Case(words: ["--help"], status: 0, output: "login-engine flow: "),
    Case(words: ["list", "--help"], status: 0, output: "login-engine flow: "),
    Case(words: ["list", "--nonsense"], status: 2, error: "unknown option --nonsense; see login-engine flow --help"),
    Case(words: ["check", "--", "good.json"], status: 0, output: "good.json: ok (flow "),
    Case(words: ["paint"], status: 2, error: "see login-engine flow --help"),
    Case(words: [], status: 2, error: "see login-engine flow --help"),
  ]

  /// The first of the built-in flows, whatever it is called.
  private func firstFlow(_ directory: Directory) throws -> Substring {
    let file = open(try directory.write("list", ""), O_WRONLY | O_CLOEXEC)
    defer { close(file) }
    let engine = try Running(
      ["flow", "list"], in: directory, input: .none, output: .descriptor(file), usesDefaults: false)
    #expect(try engine.wait() == .exited(0))
    return try #require(directory.read("list").split(separator: " ").first)
  }

  @Test("each command says by its exit status how it went", arguments: cases) func ends(_ example: Case) throws {
    let directory = try Directory()
    let first = try firstFlow(directory)
    func named(_ text: String) -> String { text.replacing("(first)", with: first) }
    _ = try directory.write("bad.json", #"{"flow":"bad","screens":[{}],"defaultLocale":"en","strings":{"en":{}}}"#)
    _ = try directory.write("text.json", "no JSON")
    #expect(symlink(Fixtures.path("flows/example.json"), directory.path + "/good.json") == 0)
    let file = open(try directory.write("out", ""), O_WRONLY | O_CLOEXEC)
    defer { close(file) }
    let engine = try Running(
      ["flow"] + example.words.map(named), in: directory, workingDirectory: directory.path, input: .none,
      output: .descriptor(file), usesDefaults: false)
    #expect(try engine.wait() == .exited(example.status))
    let (output, error) = (directory.read("out"), engine.log)
    #expect(output.hasPrefix(named(example.output)) && output.isEmpty == example.output.isEmpty, "\(output)")
    #expect(error.contains(named(example.error)) && error.isEmpty == example.error.isEmpty, "\(error)")
  }
}
