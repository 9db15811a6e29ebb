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
    Case(words: ["list"], status: 0, output: "standard"),
    Case(words: ["list", "standard"], status: 2, error: "see login-engine flow --help"),
    Case(words: ["print", "standard"], status: 0, output: "{"),
    Case(words: ["print", "nothing"], status: 1, error: "there is no built-in flow nothing; there are standard, "),
    Case(words: ["print"], status: 2, error: "see login-engine flow --help"),
    Case(words: ["print", "standard", "staged"], status: 2, error: "see login-engine flow --help"),
    Case(words: ["check", "good.json"], status: 0, output: "good.json: ok (flow "),
    Case(words: ["check", "bad.json"], status: 1, error: "bad.json: at /screens/0: "),
    Case(words: ["check", "text.json"], status: 1, error: "text.json: line 1, column 2: "),
    Case(words: ["check", "none.json"], status: 1, error: "none.json: "),
    Case(words: ["check", "."], status: 1, error: ".: "),
    // The good ones are told although others are wrong.
    Case(words: ["check", "bad.json", "good.json"], status: 1, output: "good.json: ok", error: "bad.json: "),
    Case(words: ["check"], status: 2, error: "see login-engine flow --help"),
    Case(words: ["diagram", "standard"], status: 0, output: "stateDiagram-v2\n"),
    Case(words: ["diagram", "good.json"], status: 0, output: "stateDiagram-v2\n"),
    Case(words: ["diagram", "bad.json"], status: 1, error: "bad.json: at /screens/0: "),
    Case(words: ["diagram", "none.json"], status: 1, error: "none.json: "),
    Case(words: ["diagram"], status: 2, error: "see login-engine flow --help"),
    Case(words: ["--help"], status: 0, output: "login-engine flow: "),
    Case(words: ["paint"], status: 2, error: "see login-engine flow --help"),
    Case(words: [], status: 2, error: "see login-engine flow --help"),
  ]

  @Test("each command says by its exit status how it went", arguments: cases) func ends(_ example: Case) throws {
    let directory = try Directory()
    _ = try directory.write("bad.json", #"{"flow":"bad","screens":[{}],"defaultLocale":"en","strings":{"en":{}}}"#)
    _ = try directory.write("text.json", "no JSON")
    #expect(symlink(Fixtures.path("flows/example.json"), directory.path + "/good.json") == 0)
    let file = open(try directory.write("out", ""), O_WRONLY | O_CLOEXEC)
    defer { close(file) }
    let engine = try Running(
      ["flow"] + example.words, in: directory, workingDirectory: directory.path, input: .none,
      output: .descriptor(file), usesDefaults: false)
    #expect(try engine.wait() == .exited(example.status))
    let (output, error) = (directory.read("out"), engine.log)
    #expect(output.hasPrefix(example.output) && output.isEmpty == example.output.isEmpty, "\(output)")
    #expect(error.contains(example.error) && error.isEmpty == example.error.isEmpty, "\(error)")
  }
}
