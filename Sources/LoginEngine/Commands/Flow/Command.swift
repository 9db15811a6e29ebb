import System

/// The commands of `login-engine flow`, by their names on the command line.
enum Command: String, CaseIterable {
  case list, print, new, check, diagram, paths
  case tryOut = "try"

  /// The options that were given on the command line.
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
    "--to", "DIR", "for paths: the folder for the transcripts, created if it does not exist", .text
  ) { $0.folder = $1 }

  /// The options of all commands.
  static let syntax = CommandLineSyntax<Options>(
    program: "login-engine flow",
    options: [locale, folder, help("this text; after a command, more about that command")])

  /// The options of this command.
  var syntax: CommandLineSyntax<Options> {
    CommandLineSyntax(
      program: "login-engine flow \(rawValue)",
      options: (self == .tryOut ? [Command.locale] : self == .paths ? [Command.folder] : [])
        + [Command.help("this text")])
  }

  /// The operands of the command as its usage line shows them.
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

  /// What the command does, in one line.
  var summary: String {
    switch self {
    case .list: "the built-in flows: name, screens, languages; the first is the default"
    case .print: "the definition of a built-in flow, to copy and change"
    case .new: "a small definition to begin with"
    case .check: "reports errors and likely mistakes in definitions, with their places"
    case .diagram: "the states of a flow as a Mermaid diagram, found by visiting all of them"
    case .paths: "transcripts that together follow every arrow of that diagram"
    case .tryOut: "the flow in this terminal, with an authenticator that lets everyone in"
    }
  }

  /// The usage line: the command, its operands and its summary.
  var usage: String {
    let head = operands.isEmpty ? rawValue : "\(rawValue) \(operands)"
    return head + String(repeating: " ", count: max(2, 25 - head.utf8.count)) + summary
  }

  /// The text of the command's `--help`.
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
      Its name is NAME, or my-flow. protocol/flows.md describes definitions.
      """
    case .check:
      """
      Prints a line for each FILE that is valid, and for an invalid one the place, as a JSON
      pointer, with what was found there and what was expected.

      A warning reports what is allowed but probably a mistake: a screen that nothing leads
      to or that leads nowhere, a rule or condition that nothing meets, an item that no
      screen uses or whose value is sent nowhere. A definition with warnings is valid and can
      be used.
      """
    case .diagram: "The name of a built-in flow comes before that of a file."
    case .paths:
      """
      Writes transcripts NAME-001.jsonl and so on into DIR, each with up to 20 sessions, and replaces
      those that are there. login-engine replay plays them. The frontend is the
      authenticator, and the clock is manual. The name of a built-in flow comes before that of a file.
      """
    case .tryOut:
      """
      Starts login-terminal, from the folder of this program or from PATH, with the flow in
      FILE and --authenticator demo. login-engine demo --help lists the words to which that
      authenticator answers differently. Ctrl-C ends it.
      """
    }
  }

  /// The command's exit statuses, for its help, without the status for a wrong command line.
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
