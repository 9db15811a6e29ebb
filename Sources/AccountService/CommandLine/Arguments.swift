import Accounts
import Glibc
import System

/// The command line of `login-accounts` and its variants.
struct Arguments: Sendable {
  /// The commands, as they are typed.
  enum Command: String, CaseIterable {
    case serve, add, list, show, remove, passwd, expire, unlock, disable, enable
    case recoveryCodes = "recovery-codes"
    case oneTimeCodes = "one-time-codes"
    case passkeys, devices
    case backup, check, move, key
    case exportAccounts = "export"
    case importAccounts = "import"
  }

  /// A command with its arguments.
  enum Verb: Equatable, Sendable {
    case serve, help, version, list, check, exportAccounts, importAccounts
    case show(identifier: String)
    case unlock(identifier: String)
    case disable(identifier: String)
    case enable(identifier: String)
    case add(email: String, userName: String)
    case remove(identifier: String)
    case setPassword(identifier: String)
    case sendReset(identifier: String)
    case printRecoveryCodes(identifier: String, count: Int)
    case removeRecoveryCodes(identifier: String)
    case expirePassword(identifier: String)
    case enrolOneTimeCodes(identifier: String)
    case removeOneTimeCodes(identifier: String)
    case listPasskeys(identifier: String)
    case removePasskey(identifier: String, id: String)
    case listDevices(identifier: String)
    /// Forgets one remembered device of the account, or all of them.
    case forgetDevices(identifier: String, id: String)
    case backUp(to: String)
    /// Moves everything from an accounts file to the database server.
    case move(from: String)
    case makeKey(replaces: Bool)
  }

  private(set) var verb = Verb.serve
  /// Whether the command line names a command.
  private(set) var namesCommand = false
  var options = Options()

  /// The location of the accounts.
  private(set) var location = AccountLocation.file("")

  init(_ arguments: [String], of program: AccountProgram) throws(UsageError) {
    let operands = try Options.syntax(program).read(arguments, into: &options)
    guard !options.wantsVersion else {
      verb = .version
      return
    }
    guard !options.wantsHelp, operands.first != "help" else {
      verb = .help
      return
    }
    namesCommand = !operands.isEmpty
    let word = operands.first ?? Command.serve.rawValue
    guard let command = Command(rawValue: word) else { throw UsageError("unknown command \(word)") }
    guard program.commands.contains(command) else {
      throw UsageError(
        command == .backup
          ? "the server's own tools make backups, such as pg_dump; keep the key file too" : "unknown command \(word)")
    }
    verb = try verb(command, operands.dropFirst())
    try checkOptions(for: command)
    if let file = options.settingsFile {
      options = try Self.options(in: file, of: program)
      _ = try Options.syntax(program).read(arguments, into: &options)
      forgetOptions(withoutUseFor: command)
    }
    try checkTogether()
    location = try location(program)
    if options.outbox.isEmpty { options.outbox = AccountFile.parent(of: options.file) + "/outbox" }
  }

  mutating func showHelp() { verb = .help }

  private mutating func location(_ program: AccountProgram) throws(UsageError) -> AccountLocation {
    if options.file.isEmpty {
      guard let path = DataFolder.accountsFile else {
        throw UsageError("there is no home directory; give \(program.server == nil ? "--file" : "--key-file") FILE")
      }
      options.file = program.server == nil ? path : AccountStore.keyFile(of: path)
    }
    guard let server = program.server else { return .file(options.file) }
    guard let database = options.database else {
      throw UsageError(
        "give --database CONNECTION, which may be empty where the environment or a service file says all")
    }
    do throws(AccountStoreError) {
      return .server(try server(database), keyFile: options.file)
    } catch {
      throw UsageError(error.explanation)
    }
  }

  private func verb(_ command: Command, _ operands: ArraySlice<String>) throws(UsageError) -> Verb {
    switch command {
    case .serve, .list, .add, .check, .exportAccounts, .importAccounts, .move, .key:
      guard operands.isEmpty else { throw UsageError("\(command.rawValue) takes options only") }
    case .show, .remove, .passwd, .expire, .unlock, .disable, .enable, .recoveryCodes, .oneTimeCodes, .passkeys,
      .devices:
      guard operands.count == 1 else {
        throw UsageError("\(command.rawValue) needs one email address or user name")
      }
    case .backup: guard operands.count == 1 else { throw UsageError("backup needs one new file") }
    }
    let identifier = operands.first ?? ""
    switch command {
    case .serve: return .serve
    case .list: return .list
    case .check: return .check
    case .exportAccounts: return .exportAccounts
    case .importAccounts: return .importAccounts
    case .show: return .show(identifier: identifier)
    case .unlock: return .unlock(identifier: identifier)
    case .disable: return .disable(identifier: identifier)
    case .enable: return .enable(identifier: identifier)
    case .backup: return .backUp(to: identifier)
    case .move:
      guard let file = options.movedFile else { throw UsageError("move needs --from FILE") }
      return .move(from: file)
    case .key: return .makeKey(replaces: options.replacesKey)
    case .add:
      guard let email = options.email, let userName = options.userName else {
        throw UsageError("add needs --email and --user-name")
      }
      return .add(email: email, userName: userName)
    case .remove: return .remove(identifier: identifier)
    case .passwd: return options.sendsReset ? .sendReset(identifier: identifier) : .setPassword(identifier: identifier)
    case .expire: return .expirePassword(identifier: identifier)
    case .recoveryCodes:
      guard options.isOff else {
        return .printRecoveryCodes(identifier: identifier, count: options.recoveryCodeCount ?? Self.defaultCount)
      }
      guard options.recoveryCodeCount == nil else { throw UsageError("--count and --off exclude each other") }
      return .removeRecoveryCodes(identifier: identifier)
    case .oneTimeCodes:
      guard options.isOff else { return .enrolOneTimeCodes(identifier: identifier) }
      guard options.issuer == nil else { throw UsageError("--issuer and --off exclude each other") }
      return .removeOneTimeCodes(identifier: identifier)
    case .passkeys:
      return options.removed.map { .removePasskey(identifier: identifier, id: $0) }
        ?? .listPasskeys(identifier: identifier)
    case .devices:
      return options.removed.map { .forgetDevices(identifier: identifier, id: $0) }
        ?? .listDevices(identifier: identifier)
    }
  }

  /// The name that an authenticator app shows without --issuer.
  static let defaultIssuer = "login-engine"
  /// The number of recovery codes printed without --count.
  private static let defaultCount = 10

  /// Refuses options that have no effect on the command, because giving them indicates a mistake.
  private func checkOptions(for command: Command) throws(UsageError) {
    guard command == .key || !options.replacesKey else { throw UsageError("--replace is for key") }
    guard command == .move || options.movedFile == nil else { throw UsageError("--from is for move") }
    guard command == .add || options.email == nil && options.userName == nil else {
      throw UsageError("--email and --user-name are for add")
    }
    let (mails, passwords) = (Self.mailCommands, Self.passwordCommands)
    guard mails.contains(command) || !options.hasMailOptions else {
      throw UsageError("options about mail are for serve, passwd, recovery-codes, one-time-codes and passkeys")
    }
    guard passwords.contains(command) || !options.hasPasswordOptions else {
      throw UsageError("options about new passwords are for serve, add and passwd")
    }
    guard mails.contains(command) || passwords.contains(command) || options.flow == nil else {
      throw UsageError("\(command.rawValue) needs no --flow")
    }
    guard passwords.contains(command) || command == .importAccounts || options.store.pepperFile == nil else {
      throw UsageError("--pepper is for serve, add, passwd and import")
    }
    guard command == .passwd && !options.sendsReset || !options.store.replacesPepper else {
      throw UsageError("--replace-pepper is for passwd without --send-reset")
    }
    guard passwords.contains(command) || command == .check || options.blocklist == nil else {
      throw UsageError("--blocklist is for serve, add, passwd and check")
    }
    guard command == .serve || options.confirmation == .none else {
      throw UsageError("--confirm-email and --conceal-accounts are for serve")
    }
    guard command == .passwd || !options.sendsReset else { throw UsageError("--send-reset is for passwd") }
    guard command == .recoveryCodes || options.recoveryCodeCount == nil else {
      throw UsageError("--count is for recovery-codes")
    }
    guard command == .recoveryCodes || command == .oneTimeCodes || !options.isOff else {
      throw UsageError("--off is for recovery-codes and one-time-codes")
    }
    guard command == .oneTimeCodes || command == .serve || options.issuer == nil else {
      throw UsageError("--issuer is for serve and one-time-codes")
    }
    guard command == .passkeys || command == .devices || options.removed == nil else {
      throw UsageError("--remove is for passkeys and devices")
    }
    guard command == .serve || options.passkeys == PasskeyOrigins() else {
      throw UsageError("options about log-ins are for serve")
    }
  }

  /// Clears options that `command` does not use. The settings file may contain such options, and
  /// the files that they name must not be read.
  private mutating func forgetOptions(withoutUseFor command: Command) {
    if !Self.passwordCommands.contains(command), command != .importAccounts { options.store.pepperFile = nil }
    if !Self.passwordCommands.contains(command), command != .check { options.blocklist = nil }
    if !Self.passwordCommands.contains(command), !Self.mailCommands.contains(command) { options.flow = nil }
  }

  /// Refuses options that contradict each other, on the command line or in the settings file.
  private func checkTogether() throws(UsageError) {
    guard options.confirmation != .concealing || !options.revealsTakenNames else {
      throw UsageError("--conceal-accounts and --tell-taken-names exclude each other")
    }
    try options.passkeys.check()
  }

  private static let mailCommands: [Command] = [.serve, .passwd, .recoveryCodes, .oneTimeCodes, .passkeys]
  private static let passwordCommands: [Command] = [.serve, .add, .passwd]

  static func environment(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
