import System

extension Arguments {
  static func help(_ program: AccountProgram) -> String {
    let isFile = program.server == nil
    return """
      \(program.name): decides logins against accounts \(isFile ? "in a file" : "on a database server"), and administers them.

      Usage: \(program.commands.map { "\(program.name) \($0.usage) [OPTION ...]" }.joined(separator: "\n       "))

      Without a command it answers an engine's questions on standard input and output: see protocol/authenticators.md. At a terminal
      it shows this text instead.
      add and passwd read the password from the terminal, or else from the first line of standard input.
      list prints a line for each account, with tabs between: id, email, user name, time of creation, how many recovery codes
      can still be used (- if none are asked for), "expired" or - for its password, its other factors ("totp" if it asks
      for one-time codes, "passkey" if it has any, both with a comma, or -), "locked", "disabled", both with a comma, or -, and the time of the last login or -. show says the same of one account, and more.
      unlock forgets wrong passwords and codes: after 100 in a row none is looked at any more. disable lets nobody in until enable.
      export prints a JSON object a line for each account, with the hashes of its passwords and codes: keep it secret. import reads
      such lines, also with hashes by bcrypt, SHA-crypt and PBKDF2, which become yescrypt at the next login. It says what is wrong
      with a line and goes on, and passes over accounts that are there, so it can be run again.
      passwd --send-reset mails a code for 15 minutes, with which the person chooses a password; the one before works until then.
      A new password, new codes and codes turned off are told to the person by mail, to --mail-command or into the outbox.
      expire has the account choose another password after its next login.
      recovery-codes prints new codes, once, and makes the former ones void. From then on every login asks for one after the
      password, and each works once; when all are used, print others. --off ends that.
      one-time-codes prints a new secret for an authenticator app, once, as a URI (for a QR code) and as text, and reads the
      app's first code from the terminal or standard input. If it is right, every login asks for a code after the password, and
      a recovery code will do in its place. The secret is kept encrypted under the key file\(isFile ? " beside the accounts, FILE.key" : ", which must be the same on every host").
      passkeys prints a line for each passkey of an account, with tabs between: id, time of registration, time of its last use (- if
      never), how often it has signed, and "backed-up" or -. People register passkeys themselves: see --offer-passkeys.
      devices prints a line for each device that needs no second factor, with tabs between: id, since when, until when.
      \(isFile ? fileCommands : serverCommands)
      key makes the key file if the accounts have no key yet, and prints the key's id, which is no secret. Accounts have one key for
      good\(isFile ? "" : ": bring the file to every other host, which makes none of its own"). If it is lost, turn all one-time codes off, and give --replace.
      An IDENTIFIER is an email address or a user name.

      \(Options.syntax(program).optionHelp(column: 26))

      Exit status: 0 done, 1 not done, 2 wrong arguments.

      """
  }

  private static let fileCommands = """
    backup copies the accounts into a new file, also while they are in use, and checks the copy. The key file is not copied: keep it too.
    check says what is wrong with the file, a line each: its pages, its tables, its rights, its key file, and with --blocklist.
    """

  private static let serverCommands = """
    move brings all of an accounts file into a database that has no accounts yet: accounts with their ids, codes, passkeys, devices and
    counts of failures. Nobody can write to the file meanwhile, or use the database before all is there. A move that was cut off has to
    be done again, and begins anew. The key file and the pepper are to be copied too. check says what is wrong, a line each: the
    tables, the key file, and with --blocklist. Backups are made with the server's own tools.
    """
}

extension Arguments.Command {
  /// The command with its arguments, for the help text.
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
