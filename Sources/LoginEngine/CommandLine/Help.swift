import System

/// The text of `--help`.
enum Help {
  static let text = """
    login-engine: keeps login forms for user interfaces that know nothing about logging in.

    Reads JSON-RPC 2.0 lines on standard input, writes what to show on standard output.
    Try it by hand:

      printf '%s\\n' '{"jsonrpc":"2.0","id":1,"method":"session/open"}' | login-engine | jq

    Usage: login-engine [OPTION ...]
           login-engine demo [--help]           what --authenticator demo does: an authenticator to try flows
           login-engine flow [--help]           the built-in flows, and checking flow definitions
           login-engine replay FILE ...         run recorded transcripts against the engine
           login-engine mock FILE               play the engine's part of a transcript to a view

    The accounts, which decide logins unless --authenticator says otherwise, are a program of
    their own: login-accounts.

    \(EngineCommandLine.syntax.optionHelp(column: 27))
      --help, --version

    Exit status: 0 at the end of input or after SIGTERM, 1 when something is missing,
    when the input cannot be read, or the output, a recording, a trace or the audit
    cannot be written, or when the process that starts authenticators has ended, 2 for a
    wrong command line.

    """
}
