import AccountStore
import EventLoop
import Glibc

/// What was asked for on the command line.
struct Arguments {
  enum Verb: Equatable {
    case serve, help, list
    case add(email: String, userName: String)
    case remove(identifier: String)
    case setPassword(identifier: String)
    case printRecoveryCodes(identifier: String, count: Int)
    case removeRecoveryCodes(identifier: String)
    case expirePassword(identifier: String)
  }

  struct Problem: Error {
    let text: String
    init(_ text: String) { self.text = text }
  }

  private(set) var verb = Verb.serve
  private(set) var file = ""
  private(set) var options = AccountStore.Options()
  private(set) var isClockManual = false
  private(set) var hardening = true
  /// Takes mails; nil for the outbox.
  private(set) var mailCommand: [String]?
  /// Where mails are put when no command takes them.
  private(set) var outbox = ""
  /// How long the command may take for a mail, in seconds.
  private(set) var mailTimeout: UInt64 = 30
  private var hasMailOptions = false
  /// How many recovery codes are printed.
  private var count: Int?
  /// Whether recovery codes are turned off.
  private var off = false
  private var email: String?
  private var userName: String?

  init(_ arguments: [String]) throws(Problem) {
    var words: [String] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--help" || argument == "-h" {
        verb = .help
        return
      }
      if argument == "--" {
        words += rest
        break
      }
      if argument == "--off" {
        off = true
      } else if argument.hasPrefix("-") {
        try takeOption(argument, &rest)
      } else {
        words.append(argument)
      }
    }
    verb = try verb(words)
    if file.isEmpty {
      guard let standard = Self.standardFile else { throw Problem("There is no home directory. Give --file FILE.") }
      file = standard
    }
    if outbox.isEmpty { outbox = AccountFile.parent(of: file) + "/outbox" }
  }

  private mutating func takeOption(_ argument: String, _ rest: inout ArraySlice<String>) throws(Problem) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    let names =
      ["--file", "--hash-cost", "--clock", "--hardening", "--email", "--user-name", "--count"] + Self.mailOptions
    guard names.contains(name) else {
      throw Problem("There is no option \(name).")
    }
    guard let value = parts.count > 1 ? String(parts[1]) : rest.popFirst(), !value.isEmpty else {
      throw Problem("\(name) wants a value.")
    }
    switch name {
    case "--file": file = value
    case "--hash-cost":
      guard let cost = UInt(value), (1...11).contains(cost) else { throw Problem("--hash-cost is 1 to 11.") }
      options.hashCost = cost
    case "--clock": isClockManual = try Self.choice(name, value, "manual", "system")
    case "--hardening": hardening = try Self.choice(name, value, "on", "off")
    case "--count":
      guard let number = Int(value), RecoveryCode.counts.contains(number) else {
        throw Problem("--count is \(RecoveryCode.counts.lowerBound) to \(RecoveryCode.counts.upperBound).")
      }
      count = number
    case "--email": email = value
    case "--user-name": userName = value
    default: try takeMailOption(name, value)
    }
  }

  private static let mailOptions = ["--mail-command", "--outbox", "--mail-timeout"]

  private mutating func takeMailOption(_ name: String, _ value: String) throws(Problem) {
    hasMailOptions = true
    switch name {
    case "--mail-command":
      guard let words = CommandWords.split(value) else { throw Problem("--mail-command leaves a quote open.") }
      guard let program = words.first, !program.isEmpty else { throw Problem("--mail-command wants a command.") }
      mailCommand = words
    case "--outbox": outbox = value
    default:
      guard let seconds = UInt64(value), (1...3_600).contains(seconds) else {
        throw Problem("--mail-timeout is 1 to 3600.")
      }
      mailTimeout = seconds
    }
  }

  private static func choice(_ name: String, _ value: String, _ yes: String, _ no: String) throws(Problem) -> Bool {
    guard value == yes || value == no else { throw Problem("\(name) is \(yes) or \(no).") }
    return value == yes
  }

  private func verb(_ words: [String]) throws(Problem) -> Verb {
    let verb: Verb
    switch (words.first ?? "serve", words.count) {
    case ("serve", ...1): verb = .serve
    case ("list", 1): verb = .list
    case ("add", 1):
      guard let email, let userName else { throw Problem("add wants --email and --user-name.") }
      verb = .add(email: email, userName: userName)
    case ("remove", 2): verb = .remove(identifier: words[1])
    case ("passwd", 2): verb = .setPassword(identifier: words[1])
    case ("expire", 2): verb = .expirePassword(identifier: words[1])
    case ("recovery-codes", 2):
      guard !off || count == nil else { throw Problem("--count and --off do not go together.") }
      verb =
        off
        ? .removeRecoveryCodes(identifier: words[1])
        : .printRecoveryCodes(identifier: words[1], count: count ?? Self.standardCount)
    case ("remove", _), ("passwd", _), ("expire", _), ("recovery-codes", _):
      throw Problem("\(words[0]) wants one email address or user name.")
    case ("serve", _), ("list", _), ("add", _): throw Problem("\(words[0]) takes options only.")
    default: throw Problem("There is no command \(words[0]).")
    }
    try checkOptions(of: verb)
    return verb
  }

  private static let standardCount = 10

  /// Options that mean nothing to the command are no use, and a sign of a mistake.
  private func checkOptions(of verb: Verb) throws(Problem) {
    if case .add = verb {
    } else if email != nil || userName != nil {
      throw Problem("--email and --user-name are for add.")
    }
    guard verb == .serve || !hasMailOptions else { throw Problem("Options about mail are for serve.") }
    switch verb {
    case .printRecoveryCodes, .removeRecoveryCodes: return
    default: guard count == nil, !off else { throw Problem("--count and --off are for recovery-codes.") }
    }
  }

  /// Where the accounts are when nobody says otherwise, by the XDG Base Directory Specification.
  private static var standardFile: String? {
    let name = "/login-engine/accounts.sqlite3"
    if let data = environment("XDG_DATA_HOME"), data.hasPrefix("/") { return data + name }
    return environment("HOME").map { $0 + "/.local/share" + name }
  }

  static func environment(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
