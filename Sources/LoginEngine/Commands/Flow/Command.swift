import System

/// The commands of `login-engine flow`, as they are written.
enum Command: String, CaseIterable {
  case list, print, new, check, diagram, paths
  case tryOut = "try"

  /// What the options say.
  struct Options: Sendable {
    var wantsHelp = false
    var locale: String?
    var folder: String?
  }

  private static func help(_ text: String) -> CommandLineOption<Options> {
    .request(["--help", "-h"], text) { $0.wantsHelp = true }
  }
  private static let locale = CommandLineOption<Options>.value(
    "--locale", "TAG", "for try: the language, such as de-AT", .text
  ) { $0.locale = $1 }

  private static let folder = CommandLineOption<Options>.value(
    "--to", "DIR", "for paths: the folder for the transcripts; it is made if it is not there", .text
  ) { $0.folder = $1 }

  /// The options of all commands.
  static let syntax = CommandLineSyntax<Options>(
    program: "login-engine flow",
    options: [locale, folder, help("this text; behind a command, more about that command")])

  /// The options of this command.
  var syntax: CommandLineSyntax<Options> {
    CommandLineSyntax(
      program: "login-engine flow \(rawValue)",
      options: (self == .tryOut ? [Command.locale] : self == .paths ? [Command.folder] : [])
        + [Command.help("this text")])
  }

  /// What it takes.
  var operands: String {
    switch self {
    case .list: ""
    case .print: "NAME"
    case .new: "[NAME]"
    case .check: "FILE ..."
    case .diagram: "NAME|FILE"
    case .paths: "NAME|FILE --to DIR"
    case .tryOut: "FILE [--locale TAG]"
    }
  }

  /// What it does, in one line.
  var summary: String {
    switch self {
    case .list: "the built-in flows: name, screens, languages; the first is the default"
    case .print: "the definition of a built-in flow, to copy and change"
    case .new: "a small definition to begin with"
    case .check: "says what is wrong or odd in definitions, and where"
    case .diagram: "the states of a flow as a Mermaid diagram, found by walking through all of them"
    case .paths: "transcripts that go along every arrow of that diagram"
    case .tryOut: "the flow in this terminal, with an authenticator that lets everyone in"
    }
  }

  /// How it is written, with what it does.
  var usage: String {
    let head = operands.isEmpty ? rawValue : "\(rawValue) \(operands)"
    return head + String(repeating: " ", count: max(2, 25 - head.utf8.count)) + summary
  }

  /// What `--help` says of it.
  var help: String {
    """
    login-engine flow \(rawValue): \(summary).

    Usage: login-engine flow \(rawValue)\(operands.isEmpty ? "" : " " + operands)

    \(details)

    \(syntax.optionHelp(column: 17))

    Exit status: \(status), 2 for a wrong command line.

    """
  }

  private var details: String {
    switch self {
    case .list: "Prints a line for each flow."
    case .print: "Prints the JSON text of the flow. The names are those that list prints."
    case .new:
      """
      Prints a definition with one screen, which asks for an email address and a password.
      Its name is NAME, or my-flow. What can stand in a definition: protocol/flows.md.
      """
    case .check:
      """
      Prints a line for each FILE that is right. For a wrong one it says what was found at
      which place, a JSON pointer, and what was expected.

      A warning is about what is allowed and surely not meant: a screen that nothing leads
      to or that leads nowhere, a rule or condition that nothing meets, an item that no
      screen uses or whose value goes nowhere. A definition with warnings is right, and can
      be used.
      """
    case .diagram: "The name of a built-in flow comes before that of a file."
    case .paths:
      """
      Writes transcripts NAME-001.jsonl and so on into DIR, each with up to 20 sessions, and replaces
      those that are there. login-engine replay plays them. The frontend decides, and the clock is
      moved by hand. The name of a built-in flow comes before that of a file.
      """
    case .tryOut:
      """
      Starts login-terminal, which stands beside this program or in PATH, with the flow in
      FILE and --authenticator demo. What that authenticator answers to which words:
      login-engine demo --help. Ctrl-C ends it.
      """
    }
  }

  /// The exit statuses that are no mistake in the command line.
  private var status: String {
    switch self {
    case .list, .new: "0 when all is well, 1 when the output cannot be written"
    case .print: "0 when all is well, 1 when there is no such flow"
    case .check: "0 when all definitions are right, with or without warnings; 1 when one is wrong\nor cannot be read"
    case .diagram: "0 when all is well, 1 when there is no such flow or its definition is wrong"
    case .paths:
      "0 when all is well, 1 when there is no such flow, its definition is wrong, or a file\ncannot be written"
    case .tryOut: "that of login-terminal; 1 when the definition is wrong or there is no\nlogin-terminal"
    }
  }
}
