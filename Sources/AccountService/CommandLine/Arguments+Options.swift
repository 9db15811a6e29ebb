import Accounts
import System
import WebAuthn

extension Arguments {
  /// The values of the options on the command line and in the settings file.
  struct Options: Sendable {
    var wantsHelp = false
    var wantsVersion = false
    /// The path of the accounts file, or of the key file if the accounts are on a database server.
    /// Empty for the default path.
    var file = ""
    /// The connection string of the database server. Nil if not given.
    var database: String?
    /// The path of the accounts file whose accounts are moved to a database server.
    var movedFile: String?
    /// Whether the command `key` replaces the key that encrypts the secrets of one-time codes,
    /// because that key is lost.
    var replacesKey = false
    var store = AccountStore.Options()
    /// The minimum length of a new password for accounts that require only the password. Nil if the
    /// flow decides.
    var minimumPasswordLength: Int?
    /// The path of a file with forbidden passwords.
    var blocklist: String?
    /// Words such as the service's name. A new password must not consist of them.
    var contextWords: [String] = []
    /// Whether the service's clock is manual, so that time advances only on request. Nil if the
    /// engine decides.
    var manualClock: Bool?
    var isClockManual: Bool { manualClock ?? false }
    /// Whether a check of a typed name may reveal that the name is taken.
    var revealsTakenNames = false
    /// Whether email addresses must be confirmed.
    var confirmation = Confirmation.none
    /// Whether to protect this process's memory. An engine passes its own setting to its
    /// authenticators in the environment.
    var hardening = Arguments.environment("LOGIN_ENGINE_HARDENING") != "off"
    /// Whether `serve` gives up the rights that it does not need.
    var isFenced = Arguments.environment("LOGIN_ENGINE_FENCE") != "off"
    /// The path of a settings file with further options.
    var settingsFile: String?
    /// The command that mails are passed to. Nil if mails are written to the outbox.
    var mailCommand: [String]?
    /// The sender address of mails. Nil for an address with this computer's name.
    var mailFrom: String?
    /// The path of the outbox, a directory for mails if there is no mail command. Empty for a
    /// directory next to the accounts.
    var outbox = ""
    /// How long the mail command may take for one mail, in seconds.
    var mailTimeout: UInt64 = 30
    /// The path of the flow definition with the texts of mails. Nil for the built-in texts.
    var flow: String?
    var hasMailOptions = false
    /// Whether an option other than the blocklist sets rules for new passwords.
    var hasPasswordOptions: Bool { minimumPasswordLength != nil || !contextWords.isEmpty }
    /// Whether `passwd` mails the user a code for a new password instead of setting a password.
    var sendsReset = false
    /// The relying party of passkeys, and how long devices are remembered.
    var passkeys = PasskeyOrigins()
    /// The id of the passkey or device to remove.
    var removed: String?
    /// The number of recovery codes to print.
    var recoveryCodeCount: Int?
    /// Whether the command turns recovery codes or one-time codes off.
    var isOff = false
    /// The name under which an authenticator app shows the codes.
    var issuer: String?
    var email: String?
    var userName: String?

    static func syntax(_ program: AccountProgram) -> CommandLineSyntax<Options> {
      CommandLineSyntax(
        program: program.name,
        options: (program.server == nil ? file : server) + accounts + passwords + process + logins + mail + information)
    }
    private typealias Option = CommandLineOption<Options>

    private static let file: [Option] = [
      .value(
        "--file", "FILE",
        """
        the accounts; serve, add and import create it if there is none (default: $XDG_DATA_HOME/login-engine/accounts.sqlite3,
        or ~/.local/share/login-engine/accounts.sqlite3)
        """, .text
      ) { $0.file = $1 }
    ]

    private static let server: [Option] = [
      .value(
        "--database", "CONNECTION",
        """
        the accounts: a connection string or URI as in libpq's manual, possibly with several hosts. Missing values come
        from libpq's environment (PGHOST, PGPASSWORD, PGSERVICE, ...). Other users can read arguments: put a password into
        the environment or a file. The first program creates the tables, in the first schema of the user's search_path
        """, .text
      ) { $0.database = $1 },
      .value(
        "--key-file", "FILE",
        """
        the key of the secrets of one-time codes, the same on all hosts, created by key or with the first secret
        (default: $XDG_DATA_HOME/login-engine/accounts.sqlite3.key, or ~/.local/share/login-engine/accounts.sqlite3.key)
        """, .text
      ) { $0.file = $1 },
      .value("--from", "FILE", "move: an accounts file, which is not changed", .text) { $0.movedFile = $1 },
    ]

    private static let accounts: [Option] = [
      .value("--email", "EMAIL", "add: its email address", .text) { $0.email = $1 },
      .value("--user-name", "NAME", "add: its user name", .text) { $0.userName = $1 },
      .flag("--replace", "key: replace a lost key, if no account has one-time codes") {
        $0.replacesKey = true
      },
      .value("--count", "N", "recovery-codes: how many, 1 to 100 (default 10)", .number(in: RecoveryCode.counts)) {
        $0.recoveryCodeCount = $1
      },
      .flag("--send-reset", "passwd: mail the user a code for a new password, instead of setting one") {
        $0.sendsReset = true
      },
      .value("--remove", "ID", "passkeys, devices: remove it; for devices also all", .text) { $0.removed = $1 },
      .flag("--off", "recovery-codes, one-time-codes: turn them off") { $0.isOff = true },
      .value(
        "--issuer", "NAME", "serve, one-time-codes: the name that an authenticator app shows (default login-engine)",
        .issuer
      ) {
        $0.issuer = $1
      },
    ]

    private static let passwords: [Option] = [
      .value(
        "--minimum-password-length", "N",
        """
        the minimum length of a new password, 8 to 64 characters (default: the flow's own rule, or else 15;
        8 if the account requires a code too)
        """, .number(in: PasswordRules.minimumLengths)
      ) { $0.minimumPasswordLength = $1 },
      .value(
        "--blocklist", "FILE",
        "refuse new passwords in this list: sorted lines, each a SHA-1 digest (optionally with :COUNT) or a password",
        .text
      ) { $0.blocklist = $1 },
      .value(
        "--service-name", "NAME", "refuse new passwords that consist of this name, with or without digits around it",
        .text
      ) { $0.contextWords.append($1) },
      .value(
        "--pepper", "FILE",
        """
        serve, add, passwd, import: hash every password with the key in this file as well, which is created if there is
        none; from the first such hash on no password can be checked without it
        """, .text
      ) { $0.store.pepperFile = $1 },
      .flag(
        "--replace-pepper",
        """
        passwd: from now on hash passwords with --pepper FILE, or with no pepper if it is not given, instead of the
        current pepper; users whose password has another pepper need a new one
        """
      ) { $0.store.replacesPepper = true },
      .value("--context-word", "WORD", "the same for another word; may be repeated", .text) {
        $0.contextWords.append($1)
      },
    ]

    private static let process: [Option] = [
      .value(
        "--hash-cost", "N", "the cost of a password hash, 1 to 11 (default 5, about 25 ms; each step doubles it)",
        .number(in: 1...11)
      ) {
        $0.store.hashCost = $1
      },
      .flag("--tell-taken-names", "serve: reveal taken names while they are typed, and thus who has an account") {
        $0.revealsTakenNames = true
      },
      .flag("--confirm-email", "serve: require a mailed code before an address is used") {
        if $0.confirmation == .none { $0.confirmation = .required }
      },
      .flag(
        "--conceal-accounts",
        "serve: the same, and sign-ups do not reveal which addresses have an account: only the mail does"
      ) { $0.confirmation = .concealing },
      .value(
        "--clock", "system|manual",
        "under manual, time advances only by clock/advance requests (default: as the engine)",
        .choice(of: [("system", false), ("manual", true)])
      ) {
        $0.manualClock = $1
      },
      .value(
        "--hardening", "on|off",
        "off lets other processes read this process's memory, for tests (default: as the engine)",
        .choice(of: [("on", true), ("off", false)])
      ) {
        $0.hardening = $1
      },
      .value(
        "--fence", "on|off",
        "off lets serve keep all rights of its user, for systems that cannot restrict a process (default: as the engine)",
        .choice(of: [("on", true), ("off", false)])
      ) {
        $0.isFenced = $1
      },
    ]

    private static let logins: [Option] = CommandLineOption.passkeys(in: \.passkeys, prefix: "serve: ")

    private static let mail: [Option] = [
      .value(
        "--mail-command", "COMMAND",
        "pass mails to this command as to sendmail, with -i -- ADDRESS after its arguments", .command
      ) {
        $0.mailCommand = $1
        $0.hasMailOptions = true
      },
      .value(
        "--outbox", "DIR",
        "without a command, write each mail to a file here (default: outbox next to the accounts)", .text
      ) {
        $0.outbox = $1
        $0.hasMailOptions = true
      },
      .value(
        "--mail-from", "ADDRESS",
        "the sender address of mails (default: login-engine@ and this machine's name)",
        .mailAddress
      ) {
        $0.mailFrom = $1
        $0.hasMailOptions = true
      },
      .value(
        "--mail-timeout", "SECONDS", "how long the command may take for a mail, 1 to 3600 (default 30)",
        .number(in: UInt64(1)...3_600)
      ) {
        $0.mailTimeout = $1
        $0.hasMailOptions = true
      },
      .value(
        "--flow", "FILE",
        """
        take the texts of mails, and the minimum length of passwords, from this flow definition (default for serve: the
        engine's first flow)
        """, .text
      ) { $0.flow = $1 },
    ]

    /// The settings of the service, taken from the options for logins and sign-ups.
    var settings: ServiceSettings {
      var settings = ServiceSettings()
      settings.revealsTakenNames = revealsTakenNames
      settings.rules = store.passwordRules
      settings.confirmation = confirmation
      if let issuer { settings.issuer = issuer }
      settings.relyingParty = passkeys.domain.map { RelyingParty(id: $0, origins: passkeys.origins) }
      settings.deviceLifetimeMs = passkeys.rememberDays.map { Int64($0) * 86_400_000 }
      switch passkeys.offer {
      case "never": settings.passkeyOffer = .never
      case "sign-up": settings.passkeyOffer = .signUp
      default: settings.passkeyOffer = .logIn
      }
      return settings
    }

    private static let information: [Option] = [
      .value(
        "--settings", "FILE",
        """
        take further options from this file: one per line, without its hyphens, followed by its value; # starts a comment.
        Options of the command line take precedence over the file. Relative paths are resolved from its directory
        """, .text
      ) { $0.settingsFile = $1 },
      .request(["--help", "-h"], "") { $0.wantsHelp = true },
      .request(["--version"], "") { $0.wantsVersion = true },
    ]
  }
}
