extension Arguments {
  static let help = """
    Usage: login-engine accounts [serve] [OPTION ...]
           login-engine accounts add --email EMAIL --user-name NAME [OPTION ...]
           login-engine accounts list | remove IDENTIFIER | passwd IDENTIFIER | expire IDENTIFIER [OPTION ...]
           login-engine accounts recovery-codes IDENTIFIER [--count N | --off] [OPTION ...]

    Without a command it answers an engine's questions on standard input and output: see protocol/authenticators.md.
    add and passwd read the password from the terminal, or else from the first line of standard input.
    list prints a line for each account, with tabs between: id, email, user name, time of creation, how many recovery codes
    can still be used (- if none are asked for), and "expired" or - for its password.
    expire has the account choose another password after its next login.
    recovery-codes prints new codes, once, and makes those before void. From then on every login asks for one after the
    password, and each works once; when all are used, print others. --off ends that.
    An IDENTIFIER is an email address or a user name.

      --file FILE          the accounts; serve and add make it if there is none (default: $XDG_DATA_HOME/login-engine/accounts.sqlite3,
                           or ~/.local/share/login-engine/accounts.sqlite3)
      --count N            recovery-codes: how many, 1 to 100 (default 10)
      --off                recovery-codes: ask for none any more
      --hash-cost N        how dear a password hash is, 1 to 11 (default 5, about 25 ms; each more doubles it)
      --clock system|manual  under manual, time passes only by clock/advance requests
      --hardening on|off   off lets others read this process's memory, for tests
      --mail-command COMMAND  serve: give mails to this command as to sendmail, with -i -- ADDRESS behind its words
      --outbox DIR         serve: without a command, a file for each mail goes here (default: outbox beside the accounts)
      --mail-timeout SECONDS  serve: how long the command may take for a mail, 1 to 3600 (default 30)
      --help

    Exit status: 0 done, 1 not done, 2 wrong arguments.

    """
}
