/// What `--help` prints.
enum Help {
  static let text = """
    login-engine: keeps login forms for user interfaces that know nothing about logging in.

    Reads JSON-RPC 2.0 lines on standard input, writes what to show on standard output.
    Try it by hand:

      printf '%s\\n' '{"jsonrpc":"2.0","id":1,"method":"session/open"}' | login-engine | jq

    Usage: login-engine [OPTION ...]
           login-engine accounts [--help]       the built-in account store, and its administration
           login-engine flow [--help]           the built-in flows, and checking flow definitions
           login-engine replay FILE ...         run recorded transcripts against the engine
           login-engine mock FILE               play the engine's part of a transcript to a view

      --flow FILE              offer the flow in FILE as well, and first; may be given several times
      --authenticator [WHICH=]WHAT
                               let WHAT decide logins: a command, accounts (built in) or frontend (the reader of the output).
                               WHICH: REQUEST, FLOW/REQUEST, FLOW/* or * (default: *); may be given several times,
                               and the most exact counts
      --accounts FILE          the built-in accounts' file
                               (default: login-engine/accounts.sqlite3 under $XDG_DATA_HOME or ~/.local/share)
      --hash-cost N            the cost of new password hashes, 1 to 11 (default: libcrypt's, 5)
      --mail-command COMMAND   the program that takes the built-in accounts' mails as sendmail does: the mail on standard
                               input, -i -- ADDRESS behind its own words (default: mails are put into the outbox)
      --outbox DIR             the folder that mails are put into (default: outbox beside the accounts' file)
      --lockstep               take no further line while a login is in flight
      --clock manual           time passes only by the method clock/advance
      --max-sessions N         sessions open at a time (default 100000)
      --max-line-bytes N       the longest line taken (default 1048576)
      --max-value-bytes N      the longest value of an item (default 4096)
      --idle-timeout SECONDS   end sessions without an event for so long (default 0: never)
      --drain-timeout SECONDS  how long logins in flight may take after the end of input, and after them the built-in
                               accounts' mails (default 30)
      --record FILE            write a transcript of the run into FILE, with placeholders for secrets; see replay
      --trace FILE             write all that happens into FILE as JSON lines: events, states, effects, late answers
      --log-level LEVEL        error, warning (default), info or debug; the log goes to standard error
      --hardening off          let debuggers and core dumps see the memory; for tests only
      --help, --version

    Exit status: 0 at the end of input or after SIGTERM, 1 when something is missing
    or the output cannot be written, 2 for a wrong command line.

    """
}
