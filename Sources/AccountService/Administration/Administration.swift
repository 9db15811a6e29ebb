import Accounts
import SecretMemory

/// The commands with which administrators manage accounts. Each process runs one command.
struct Administration {
  private let arguments: Arguments
  private let texts: MailTexts

  init(_ arguments: Arguments, texts: @escaping MailTexts) {
    self.arguments = arguments
    self.texts = texts
  }

  /// Runs the command that the arguments name. Returns the exit status: 0 for success, 1 for
  /// failure.
  func run() -> Int32 {
    // Only these commands create the accounts file if there is none.
    let isMaking =
      switch arguments.verb {
      case .add, .importAccounts, .makeKey: true
      default: false
      }
    if case .file(let file) = arguments.location, !isMaking, !AccountFile.isThere(file) {
      return fail("There is no accounts file \(file).")
    }
    do throws(AccountStoreError) {
      // `check` opens the accounts itself, because a damaged file may fail to open.
      if case .check = arguments.verb { return try check() }
      // `move` opens the database itself, because a database that is the target of a move cannot be
      // opened in the usual way.
      if case .move(let file) = arguments.verb { return try move(from: file) }
      let store = try arguments.location.open(arguments.options.store)
      switch arguments.verb {
      case .list: return try list(store)
      case .add(let email, let userName): return try add(email, userName, store)
      case .remove(let identifier): return try remove(identifier, store)
      case .setPassword(let identifier): return try setPassword(identifier, store)
      case .sendReset(let identifier): return try sendReset(identifier, store)
      case .printRecoveryCodes(let identifier, let count):
        return try printRecoveryCodes(identifier, count, store)
      case .removeRecoveryCodes(let identifier):
        return notify(.recoveryCodesOff, try store.removeRecoveryCodes(identifier: identifier))
      case .enrolOneTimeCodes(let identifier): return try enrolOneTimeCodes(identifier, store)
      case .removeOneTimeCodes(let identifier):
        return notify(.oneTimeCodesOff, try store.removeOneTimeCodes(identifier: identifier))
      case .expirePassword(let identifier): return found(try store.expirePassword(identifier: identifier))
      case .show(let identifier): return try show(identifier, store)
      case .unlock(let identifier): return found(try store.unlock(identifier: identifier))
      case .disable(let identifier):
        return found(try store.disable(identifier: identifier, now: AccountClock(isManual: false).now))
      case .enable(let identifier): return found(try store.enable(identifier: identifier))
      case .exportAccounts: return try exportAccounts(store)
      case .importAccounts: return try importAccounts(store)
      case .listPasskeys(let identifier): return try listPasskeys(identifier, store)
      case .removePasskey(let identifier, let id): return try removePasskey(identifier, id, store)
      case .listDevices(let identifier): return try listDevices(identifier, store)
      case .forgetDevices(let identifier, let id): return try forgetDevices(identifier, id, store)
      case .backUp(let file): return try backUp(to: file, store)
      case .makeKey(let replaces): return try makeKey(store, replaces: replaces)
      case .serve, .help, .version, .check, .move: return 2
      }
    } catch {
      switch error {
      case .pepperUnusable, .blocklistUnusable, .server: return fail(error.explanation)
      default:
        guard let file = arguments.location.file(of: error) else { return fail(error.explanation) }
        return fail(error.explanation + " It is \(file).")
      }
    }
  }

  private func makeKey(_ store: AccountStore, replaces: Bool) throws(AccountStoreError) -> Int32 {
    guard let id = try store.makeKey(replaces: replaces) else {
      return fail(
        "Some accounts have one-time codes that only the lost key can decrypt. Turn them off first: one-time-codes IDENTIFIER --off."
      )
    }
    guard Console.print(id + "\n") else { return fail("The id of the key could not be written: it is \(id).") }
    return 0
  }

  private func backUp(to file: String, _ store: AccountStore) throws(AccountStoreError) -> Int32 {
    guard !AccountFile.isThere(file) else { return fail("There is a file \(file) already.") }
    do throws(AccountStoreError) {
      try store.backUp(to: file)
      return 0
    } catch {
      return fail("The backup was not made. " + error.explanation)
    }
  }

  private func check() throws(AccountStoreError) -> Int32 {
    let findings =
      switch arguments.location {
      case .file(let file):
        try AccountStore.findings(at: file, busyTimeoutMs: arguments.options.store.busyTimeoutMs)
      case .server: try arguments.location.open(arguments.options.store).keyFindings()
      }
    var texts = findings.map(\.explanation)
    var isBlocklistUsable = true
    if let path = arguments.options.blocklist {
      do throws(BlocklistError) {
        try Blocklist.check(path: path)
      } catch {
        isBlocklistUsable = false
        texts.append(error.explanation)
      }
    }
    for text in texts {
      guard Console.print(text + "\n") else { return fail("The findings could not be written.") }
    }
    // Every finding makes the command fail.
    return isBlocklistUsable && findings.isEmpty ? 0 : 1
  }

  /// Copies an accounts file to a database server.
  private func move(from file: String) throws(AccountStoreError) -> Int32 {
    guard case .server(let server, _) = arguments.location else { return 2 }
    guard AccountFile.isThere(file) else { return fail("There is no accounts file \(file).") }
    let source: AccountStore
    do throws(AccountStoreError) {
      source = try AccountStore(path: file)
      try source.requireIntact(maximumBytes: .max)
    } catch {
      return fail(error.explanation + " It is \(error.file(file)).")
    }
    if let problem = try server.move(source, { Console.reportError($0) }) { return fail(problem) }
    let findings = try arguments.location.open(arguments.options.store).keyFindings()
    for finding in findings {
      var text = finding.explanation
      if case .key = finding { text += " Copy \(AccountStore.keyFile(of: file)) to where --key-file says." }
      Console.reportError(text)
    }
    return findings.isEmpty ? 0 : 1
  }

  private func add(_ email: String, _ userName: String, _ store: AccountStore) throws(AccountStoreError) -> Int32 {
    guard let password = readPassword() else { return 1 }
    let now = AccountClock(isManual: false).now
    let outcome = try password.withBytes { bytes throws(AccountStoreError) in
      try store.add(email: email, userName: userName, password: bytes, now: now)
    }
    switch outcome {
    case .accepted(let account):
      guard Console.print("\(account.id)\n") else {
        return fail("The account was added, but its id could not be written: it is \(account.id).")
      }
      return 0
    case .refused(let refused): return fail(refused.map(Self.text).joined(separator: " "))
    case .throttled: return fail("Too many attempts.")
    }
  }

  private func remove(_ identifier: String, _ store: AccountStore) throws(AccountStoreError) -> Int32 {
    found(try store.remove(identifier: identifier))
  }

  private func printRecoveryCodes(
    _ identifier: String, _ count: Int, _ store: AccountStore
  ) throws(AccountStoreError) -> Int32 {
    guard let codes = try store.printRecoveryCodes(identifier: identifier, count: count) else { return found(nil) }
    guard codes.withLines({ Console.print(secret: $0) }) else {
      return fail("The new codes could not be written, and the former ones are void. Print new ones.")
    }
    return notify(.recoveryCodes, codes.account)
  }

  /// Prints a new secret for one-time codes. Stores the secret after the administrator has entered
  /// a code that was generated from it.
  private func enrolOneTimeCodes(_ identifier: String, _ store: AccountStore) throws(AccountStoreError) -> Int32 {
    guard let account = try store.account(identifier: identifier) else { return found(nil) }
    let secret = OneTimeSecret.random()
    var text = secret.uri(issuer: arguments.options.issuer ?? Arguments.defaultIssuer, account: account.email)
    text.append(byte: 0x0A)
    secret.text().withBytes { text.append($0) }
    text.append(byte: 0x0A)
    guard text.withBytes({ Console.print(secret: $0) }) else {
      return fail("The secret could not be written, and nothing has changed.")
    }
    text.wipe()
    var prompt = CodePrompt()
    for _ in 0..<Self.maximumCodes {
      guard let code = prompt.read() else { return fail("There is no code, and nothing has changed.") }
      let now = AccountClock(isManual: arguments.options.isClockManual).now
      let outcome = try code.withBytes { code throws(AccountStoreError) in
        try store.enrol(identifier: identifier, secret: secret, code: code, now: now)
      }
      switch outcome {
      case .done: return notify(.oneTimeCodes, account)
      case .noSuchAccount: return found(nil)
      case .wrongCode: Console.reportError("This is not the code of the time.")
      }
    }
    return fail("Too many codes were wrong, and nothing has changed.")
  }

  /// How many codes an administrator may enter to confirm a new secret for one-time codes.
  private static let maximumCodes = 5

  func found(_ account: Account?) -> Int32 {
    account == nil ? fail("There is no such account.") : 0
  }

  private func setPassword(_ identifier: String, _ store: AccountStore) throws(AccountStoreError) -> Int32 {
    guard try store.account(identifier: identifier) != nil else { return fail("There is no such account.") }
    guard let password = readPassword() else { return 1 }
    let change = try password.withBytes { bytes throws(AccountStoreError) in
      try store.setPassword(identifier: identifier, password: bytes)
    }
    switch change {
    case .changed(let account): return notify(.passwordChanged, account)
    case .noSuchAccount: return fail("There is no such account.")
    case .refused(let problem): return fail(Self.text(RefusedValue(.password, problem)))
    }
  }

  /// Mails a code with which the user can choose a new password. The current password stays valid
  /// until the user has done so.
  private func sendReset(_ identifier: String, _ store: AccountStore) throws(AccountStoreError) -> Int32 {
    let now = AccountClock(isManual: false).now
    guard let code = try store.issueReset(identifier: identifier, now: now) else {
      let isDisabled = try store.accountStatus(identifier: identifier)?.isDisabled ?? false
      return isDisabled ? fail("The account is disabled. Enable it first, with enable.") : found(nil)
    }
    return MailSender.send(MailDraft(.reset, code, locale: "", now: now), arguments, texts: texts) ? 0 : 1
  }

  /// Mails the account's user a notice of a change. If the mail fails, the change stays in effect.
  func notify(_ kind: MailKind, _ account: Account?) -> Int32 {
    guard let account else { return found(nil) }
    let now = AccountClock(isManual: false).now
    _ = MailSender.send(MailDraft(kind, to: account, locale: "", now: now), arguments, texts: texts)
    return 0
  }

  private func readPassword() -> SecretBytes? {
    do throws(PasswordPrompt.Problem) {
      return try PasswordPrompt.read()
    } catch {
      switch error {
      case .noInput: _ = fail("There is no password: give one on standard input.")
      case .tooLong: _ = fail("The password is too long.")
      case .different: _ = fail("The two passwords are not the same.")
      }
      return nil
    }
  }

  func fail(_ text: String) -> Int32 {
    Console.reportError(text)
    return 1
  }

  static func text(_ refused: RefusedValue) -> String {
    let name =
      switch refused.field {
      case .email: "email address"
      case .userName: "user name"
      case .password: "password"
      case .identifier: "identifier"
      case .resetCode, .recoveryCode: "code"
      }
    return switch refused.problem {
    case .missing: "The \(name) is missing."
    case .unusable: "The \(name) is too long or contains characters that cannot be used."
    case .invalid: "This is no \(name) that can be used."
    case .tooShort(let minimum): "The \(name) needs at least \(minimum) characters."
    case .taken: "Another account has this \(name)."
    case .unchanged: "The account already has this \(name)."
    case .common: "This \(name) is too common."
    case .guessable: "This \(name) consists of names that others know."
    }
  }
}
