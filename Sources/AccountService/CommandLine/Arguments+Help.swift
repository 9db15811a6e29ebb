import System

extension Arguments {
  static func help(_ program: AccountProgram) -> String {
    let isFile = program.server == nil
    return """
      \(program.name): decides logins against accounts \(isFile ? "in a file" : "on a database server"), and administers them.

      Usage: \(program.commands.map { "\(program.name) \($0.usage) [OPTION ...]" }.joined(separator: "\n       "))

      Without a command, the program answers an engine's questions on standard input and output: see protocol/authenticators.md. At
      a terminal it prints this text instead.
      add and passwd read the password from the terminal, or else from the first line of standard input.
      list prints one line per account, with these columns separated by tabs: id, email, user name, time of creation, number of
      unused recovery codes (- if the account has none), "expired" or - for the password, other factors ("totp", "passkey",
      both with a comma, or -), "locked", "disabled", both with a comma, or -, and the time of the last login or -.
      show prints the same and more for one account.
      unlock clears the counts of wrong passwords and codes: after 100 in a row none is checked any more.
      disable refuses all logins until enable.
      export prints one JSON object per line and account, with the hashes of its passwords and codes: keep it secret.
      import reads such lines, also with hashes by bcrypt, SHA-crypt and PBKDF2, which become yescrypt at the next login. It reports
      bad lines and continues, and skips accounts that exist, so it can be repeated.
      passwd --send-reset mails a code with which the user can choose a password within 15 minutes; until then the current one stays valid.
      New passwords, new codes and codes turned off are notified to the user by mail, through --mail-command or the outbox.
      expire requires a new password after the account's next login.
      recovery-codes prints new codes, once, and revokes the former ones. From then on every login requires one after the
      password, and each works once; when all are used, print new ones. --off ends that.
      one-time-codes prints a new secret for an authenticator app, once, as a URI (for a QR code) and as text, and reads the
      app's first code from the terminal or standard input. If it is right, every login requires a code after the password;
      a recovery code can replace it. The secret is stored encrypted with the key of the key file\(isFile ? " next to the accounts, FILE.key" : ", which must be the same on every host").
      passkeys prints one line per passkey of an account, with these columns separated by tabs: id, time of registration, time of its
      last use (- if never), number of signatures, and "backed-up" or -. Users register passkeys themselves: see --offer-passkeys.
      devices prints one line per remembered device, with its id, start and end separated by tabs.
      \(isFile ? fileCommands : serverCommands)
      key creates the key file if the accounts have no key yet, and prints the key's id, which is not secret. Accounts keep their key
      permanently\(isFile ? "" : ": copy the file to every other host, which creates no key of its own"). If it is lost, turn all one-time codes off, and use --replace.
      An IDENTIFIER is an email address or a user name.

      \(Options.syntax(program).optionHelp(column: 26))

      Exit status: 0 for success, 1 for failure, 2 for wrong arguments.

      """
  }

  private static let fileCommands = """
    backup copies the accounts into a new file, also while they are in use, and checks the copy. The key file is not copied: save it too.
    check prints one line per problem with the file's pages, tables, permissions and key file, and with --blocklist.
    """

  private static let serverCommands = """
    move copies an accounts file into a database that has no accounts yet: accounts with their ids, codes, passkeys, devices and
    counts of failures. Meanwhile no program can write to the file, or use the database until the move is complete. An interrupted
    move must be repeated, and starts again from the beginning. Copy the key file and the pepper too.
    check prints one line per problem with the tables and the key file, and with --blocklist.
    Make backups with the server's own tools.
    """
}

extension Arguments.Command {
  /// The command with its arguments, as the help text shows it.
  fileprivate var usage: String {
    switch self {
    case .serve: "[serve]"
    case .add: "add --email EMAIL --user-name NAME"
    case .list: "list"
    case .remove: "remove IDENTIFIER"
    case .passwd: "passwd IDENTIFIER [--send-reset]"
    case .expire: "expire IDENTIFIER"
    case .show: "show IDENTIFIER"
    case .unlock: "unlock IDENTIFIER"
    case .disable: "disable IDENTIFIER"
    case .enable: "enable IDENTIFIER"
    case .exportAccounts: "export"
    case .importAccounts: "import"
    case .backup: "backup FILE"
    case .check: "check"
    case .move: "move --from FILE"
    case .key: "key [--replace]"
    case .recoveryCodes: "recovery-codes IDENTIFIER [--count N | --off]"
    case .oneTimeCodes: "one-time-codes IDENTIFIER [--issuer NAME | --off]"
    case .passkeys: "passkeys IDENTIFIER [--remove ID]"
    case .devices: "devices IDENTIFIER [--remove ID|all]"
    }
  }
}
