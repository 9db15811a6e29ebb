import System
import Testing

@Suite("Command line syntax")
struct CommandLineSyntaxTests {
  struct Values: Equatable, Sendable {
    var file = ""
    var count = 0
    var wait: UInt64 = 0
    var isManual = false
    var level = 0
    var command: [String] = []
    var isQuick = false
    var wantsHelp = false
    var isPart = false
  }

  static let syntax = CommandLineSyntax<Values>(
    program: "tool do",
    options: [
      .value("--file", "FILE", "the file", .text) { $0.file = $1 },
      .value("--count", "N", "how many\n(default 0)", .number(in: -5...10)) { $0.count = $1 },
      .value("--wait", "SECONDS", "how long", .seconds(inMilliseconds: 1...3_600_000)) { $0.wait = $1 },
      .value("--clock", "system|manual", "whose time", .choice(of: [("system", false), ("manual", true)])) {
        $0.isManual = $1
      },
      .value("--level", "LEVEL", nil, .choice(of: [("low", 1), ("middle", 2), ("high", 3)])) { $0.level = $1 },
      .value("--command", "COMMAND", "what runs", .command) { $0.command = $1 },
      .flag("--quick", "less") { $0.isQuick = true },
      .flag("--part", nil) { $0.isPart = true },
      .request(["--help", "-h"], "") { $0.wantsHelp = true },
    ])

  struct Row: CustomTestStringConvertible, Sendable {
    let arguments: [String]
    var values = Values()
    var operands: [String] = []
    var error: String?

    init(_ arguments: [String], _ operands: [String] = [], _ change: (inout Values) -> Void = { _ in }) {
      self.arguments = arguments
      self.operands = operands
      change(&values)
    }

    init(_ arguments: [String], error: String) {
      self.arguments = arguments
      self.error = error
    }

    var testDescription: String { arguments.joined(separator: " ") }
  }

  static let accepted = [
    Row([]),
    Row(["--file", "a"]) { $0.file = "a" },
    Row(["--file=a"]) { $0.file = "a" },
    Row(["--file=a=b"]) { $0.file = "a=b" },
    Row(["--file", "--quick"]) { $0.file = "--quick" },
    Row(["--file=a", "--file=b"]) { $0.file = "b" },
    Row(["--count", "-5"]) { $0.count = -5 },
    Row(["--count=10"]) { $0.count = 10 },
    Row(["--wait", "1.5"]) { $0.wait = 1_500 },
    Row(["--wait=0.0014"]) { $0.wait = 1 },
    Row(["--wait", "3600"]) { $0.wait = 3_600_000 },
    Row(["--clock", "manual"]) { $0.isManual = true },
    Row(["--clock=manual", "--clock=system"]),
    Row(["--command", "sh -c 'a b'"]) { $0.command = ["sh", "-c", "a b"] },
    Row(["--quick", "x", "--part", "y"], ["x", "y"]) { ($0.isQuick, $0.isPart) = (true, true) },
    Row(["x", "--", "--quick", "--", "-y"], ["x", "--quick", "--", "-y"]),
    Row(["", "quick", "a=b"], ["", "quick", "a=b"]),
    Row(["x", "--help", "--nonsense", "y"], ["x"]) { $0.wantsHelp = true },
    Row(["-h"]) { $0.wantsHelp = true },
  ]

  static let refused = [
    Row(["--nonsense"], error: "unknown option --nonsense"),
    Row(["--nonsense=secret"], error: "unknown option --nonsense"),
    Row(["-x"], error: "unknown option -x"),
    Row(["-"], error: "unknown option -"),
    Row(["--fil", "a"], error: "unknown option --fil"),
    Row(["--file"], error: "--file needs a value"),
    Row(["--file="], error: "--file needs a value"),
    Row(["--file", ""], error: "--file needs a value"),
    Row(["--quick=yes"], error: "--quick takes no value"),
    Row(["--quick="], error: "--quick takes no value"),
    Row(["--help=yes"], error: "--help takes no value"),
    Row(["--count", "11"], error: "--count takes a whole number from -5 to 10"),
    Row(["--count", "1.0"], error: "--count takes a whole number from -5 to 10"),
    Row(["--count", "99999999999999999999"], error: "--count takes a whole number from -5 to 10"),
    Row(["--wait", "0"], error: "--wait takes seconds from 0.001 to 3600"),
    Row(["--wait", "0.0004"], error: "--wait takes seconds from 0.001 to 3600"),
    Row(["--wait", "-1"], error: "--wait takes seconds from 0.001 to 3600"),
    Row(["--wait", "3600.001"], error: "--wait takes seconds from 0.001 to 3600"),
    Row(["--wait", "nan"], error: "--wait takes seconds from 0.001 to 3600"),
    Row(["--wait", "inf"], error: "--wait takes seconds from 0.001 to 3600"),
    Row(["--wait", "1e300"], error: "--wait takes seconds from 0.001 to 3600"),
    Row(["--wait", "soon"], error: "--wait takes seconds from 0.001 to 3600"),
    Row(["--clock", "sundial"], error: "--clock takes system or manual"),
    Row(["--level", "4"], error: "--level takes low, middle or high"),
    Row(["--command", "'open"], error: "--command has a quote or backslash that is left open"),
    Row(["--command", " "], error: "--command needs a command"),
    Row(["--command", "'' x"], error: "--command needs a command"),
    // The first error is reported, even if a request for help follows it.
    Row(["--nonsense", "--help"], error: "unknown option --nonsense"),
  ]

  @Test("a valid command line is parsed into values and operands", arguments: accepted)
  func accepts(row: Row) throws {
    var values = Values()
    #expect(try Self.syntax.read(row.arguments, into: &values) == row.operands)
    #expect(values == row.values)
  }

  @Test("the error for an invalid command line names the wrong option", arguments: refused)
  func refuses(row: Row) {
    var values = Values()
    do throws(UsageError) {
      _ = try Self.syntax.read(row.arguments, into: &values)
      Issue.record("it was accepted")
    } catch {
      #expect(error.text == row.error)
      #expect(Self.syntax.message(error) == "tool do: \(error.text); see tool do --help\n")
    }
  }

  @Test("the help lists all options that are not hidden, with their descriptions in one column")
  func help() {
    #expect(
      Self.syntax.optionHelp(column: 16) == """
          --file FILE   the file
          --count N     how many
                        (default 0)
          --wait SECONDS
                        how long
          --clock system|manual
                        whose time
          --command COMMAND
                        what runs
          --quick       less
          --help
        """)
  }
}
