import Glibc

/// The command-line options of `login-terminal`.
struct Options {
  var engine: String?
  var engineArguments: [String] = []
  /// The params of `session/open` that the user has given as options. They are passed on unchanged.
  var opening: [String: JSON] = [:]
  var isPlain = false
  /// Whether the program ends as soon as the session shows a scene (`--once`).
  var isOnce = false
  /// The descriptor to which the scene is written as JSON.
  var scene: Int32?
  /// Whether the secrets that authenticators grant the application are written together with the
  /// scene (`--grants`).
  var wantsGrants = false
  var takesInput = true
  var isStrict = false
  var isRelaying = false
  var isAcknowledging = false
  var wantsHelp = false

  static let help = """
    Usage: login-terminal [OPTION ...] [-- ENGINE-ARGUMENT ...]

    Draws the screens of a login-engine in this terminal.

      --engine PATH   the engine; else login-engine beside this program, else in PATH
      --flow NAME     the flow to open, by its name in the engine
      --screen NAME   the screen to begin with
      --locale TAG    the language of the texts, such as de-AT; else that of LC_ALL, LC_MESSAGES or LANG
      --transitions instant|acknowledged
                      acknowledged: the engine waits until an update is drawn before it sends the next;
                      otherwise it sends each at once
      --plain         lines instead of a drawn screen, for screen readers and scripts; also without this option
                      where TERM is dumb or not set
      --once          end as soon as a person is logged in, with status 0
      --json FD       write the scene to this descriptor as a line of JSON, with --once; with 1, what is printed
                      for people goes to standard error
      --grants        write what authenticators give the application as well, with --json
      --no-input      ask for nothing and show nothing, else as --once; end with status 1 if a person is needed
      --strict        end with an error if the engine's commands do not lead to its snapshots
      --relay         take lines of the protocol from standard input in place of keys, pass them on to the
                      engine, and draw what they lead to: to look at what another program does
      --help          this text

    Keys: Tab, Shift-Tab and arrows move; Space switches, and opens a list of options, through which
    Left and Right go too; Enter sends, follows a link or answers an alert, whose text Up and Down
    move; PgUp and PgDn move what is longer than the screen; Ctrl-U empties a field; Esc cancels what
    is under way; Ctrl-Z stops the program until it is continued; Ctrl-C or Ctrl-D quits.
    In --plain: \(Plain.help).
    NO_COLOR is heeded. Exit status: 0 quit, 1 the engine failed, 2 wrong usage, 128 + n at signal n.
    With --once: 0 logged in, 1 not, 130 Ctrl-C.

    """

  init(_ arguments: [String]) throws(Failure) {
    if let locale = Options.locale { opening["locale"] = .string(locale) }
    var rest = arguments[...]
    reading: while let argument = rest.popFirst() {
      switch argument {
      case "--":
        engineArguments = Array(rest)
        break reading
      case "--engine": engine = try Options.value(of: argument, &rest)
      case "--flow": opening["flow"] = .string(try Options.value(of: argument, &rest))
      case "--screen": opening["screen"] = .string(try Options.value(of: argument, &rest))
      case "--locale": opening["locale"] = .string(try Options.value(of: argument, &rest))
      case "--transitions":
        switch try Options.value(of: argument, &rest) {
        case "instant": isAcknowledging = false
        case "acknowledged": isAcknowledging = true
        default: throw Failure(text: "--transitions is instant or acknowledged; see --help", status: 2)
        }
      case "--plain": isPlain = true
      case "--once": isOnce = true
      case "--json": scene = try Options.descriptor(Options.value(of: argument, &rest))
      case "--grants": wantsGrants = true
      case "--no-input": (takesInput, isOnce) = (false, true)
      case "--strict": isStrict = true
      case "--relay": isRelaying = true
      case "--help", "-h": wantsHelp = true
      default: throw Failure(text: "unknown argument \(argument); see --help", status: 2)
      }
    }
    if wantsHelp { return }
    for (isMissing, text) in [
      (scene != nil && !isOnce, "--json needs --once"), (wantsGrants && scene == nil, "--grants needs --json"),
      (isRelaying && isOnce, "--relay takes no --once"),
    ] where isMissing { throw Failure(text: "\(text); see --help", status: 2) }
  }

  /// Parses the number of a descriptor and checks that it is open for writing. Call it before this
  /// program opens any descriptor itself.
  private static func descriptor(_ text: String) throws(Failure) -> Int32 {
    guard let number = Int32(text), number == 1 || number > 2 else {
      throw Failure(
        text: "--json takes the number of a descriptor: 1, or 3 and above (2 is for messages); see --help", status: 2)
    }
    let flags = fcntl(number, F_GETFL)
    guard flags >= 0, [O_WRONLY, O_RDWR].contains(flags & O_ACCMODE) else {
      throw Failure(
        text: "--json \(number): descriptor \(number) is not open for writing; a shell opens it by \(number)>FILE",
        status: 2)
    }
    return number
  }

  /// Whether the program uses the line mode instead of drawing a screen. It also does so if TERM is
  /// not set, because the terminal may know no escape sequences.
  var hasLines: Bool { isPlain || System.variable("TERM") == nil || System.variable("TERM") == "dumb" }

  private static func value(of option: String, _ rest: inout ArraySlice<String>) throws(Failure) -> String {
    guard let value = rest.popFirst() else { throw Failure(text: "\(option) needs a value; see --help", status: 2) }
    return value
  }

  /// The language tag for the language of the POSIX environment (`de_AT.UTF-8` becomes `de-AT`);
  /// `nil` for C, POSIX and anything that is not a language.
  private static var locale: String? {
    let names = ["LC_ALL", "LC_MESSAGES", "LANG"]
    let setting = names.lazy.compactMap(System.variable).first ?? ""
    let tag = setting.prefix { $0 != "." && $0 != "@" }.map { $0 == "_" ? "-" : $0 }
    guard tag.count > 1, tag.first?.isLetter == true,
      tag.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }),
      String(tag) != "POSIX"
    else { return nil }
    return String(tag)
  }

  /// The path of the engine's program: the one given as an option, otherwise the one in this
  /// program's folder, otherwise the one in PATH.
  var enginePath: String {
    if let engine { return engine }
    let beside = System.folder.map { $0 + "/login-engine" }
    if let beside, access(beside, X_OK) == 0 { return beside }
    return "login-engine"
  }
}
