import CommandLineKit

extension Arguments {
  static let help = """
    Usage: \(Command.allCases.map { "login-engine accounts \($0.usage) [OPTION ...]" }.joined(separator: "\n       "))

    Without a command it answers an engine's questions on standard input and output: see protocol/authenticators.md.
    add and passwd read the password from the terminal, or else from the first line of standard input.
    list prints a line for each account, with tabs between: id, email, user name, time of creation, how many recovery codes
    can still be used (- if none are asked for), and "expired" or - for its password.
    expire has the account choose another password after its next login.
    recovery-codes prints new codes, once, and makes the former ones void. From then on every login asks for one after the
    password, and each works once; when all are used, print others. --off ends that.
    backup copies the accounts into a new file, also while they are in use, and checks the copy.
    check says what is wrong with the file, a line each: its pages, its tables, its rights.
    An IDENTIFIER is an email address or a user name.

    \(Options.syntax.optionHelp(column: 26))

    Exit status: 0 done, 1 not done, 2 wrong arguments.

    """
}

extension Arguments.Command {
  /// How it is written, with what it needs.
  fileprivate var usage: String {
    switch self {
    case .serve: "[serve]"
    case .add: "add --email EMAIL --user-name NAME"
    case .list: "list"
    case .remove: "remove IDENTIFIER"
    case .passwd: "passwd IDENTIFIER"
    case .expire: "expire IDENTIFIER"
    case .backup: "backup FILE"
    case .check: "check"
    case .recoveryCodes: "recovery-codes IDENTIFIER [--count N | --off]"
    }
  }
}
