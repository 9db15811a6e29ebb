import Accounts
import SecretMemory
import TestServer
import Testing

/// Sign-ups whose address is confirmed by a mailed code.
@Suite struct SignUpTests {
  let file: TemporaryFile
  let store: AccountStore

  init() throws {
    file = try TemporaryFile()
    store = try file.store()
  }

  @Test func `a sign-up creates an account only after its mailed code was entered`() throws {
    let signUp = try #require(try store.begin("Ada@example.com", "ada"))
    #expect(signUp.code.issued.address == "Ada@example.com")
    #expect(try store.accounts().isEmpty)
    #expect(try store.login("ada") == .rejected)
    #expect(try store.confirm(signUp, "0000000000") == .rejected)
    guard case .accepted(let account) = try store.confirm(signUp, signUp.text.lowercased()) else {
      Issue.record("it is the code")
      return
    }
    #expect(try store.accounts() == [account])
    #expect(try store.login("ada").isAccepted)
    // As after a lost answer.
    #expect(try store.confirm(signUp, signUp.text) == .accepted(account))
    #expect(try store.confirm(signUp, "0000000000") == .rejected)
  }

  @Test func `the code of a sign-up is valid for fifteen minutes, or until another code is mailed`() throws {
    let signUp = try #require(try store.begin("ada@example.com", "ada"))
    #expect(try store.confirm(signUp, signUp.text, now: 1_000 + 900_000) == .rejected)
    guard case .pending(let renewed) = try store.renewCode(of: signUp, now: 900_000) else {
      Issue.record("another code is made")
      return
    }
    #expect(try store.confirm(renewed, signUp.text, now: 900_001) == .rejected)
    #expect(try store.confirm(renewed, renewed.text, now: 900_001).isAccepted)
  }

  @Test func `mails with sign-up codes to one address are limited, whoever asks and with or without an account`() throws
  {
    _ = try store.register("eve@example.com", "eve")
    for (email, now) in [("ada@example.com", Int64(1_000)), ("eve@example.com", 100_000)] {
      guard case .pending(let signUp) = try store.outcome(email, "name", concealsTaken: true, now: now) else {
        Issue.record("the first code is mailed")
        return
      }
      for _ in 0..<2 { #expect(try store.wait(store.renewCode(of: signUp, now: now)) == nil) }
      #expect(try store.wait(store.renewCode(of: signUp, now: now)) == 60_000)
      #expect(try store.wait(store.outcome(email.uppercased(), "other", concealsTaken: true, now: now)) == 60_000)
      #expect(try store.wait(store.renewCode(of: signUp, now: now + 60_000)) == nil)
    }
  }

  @Test func `when two sign-ups wait for the same address, the one whose code is entered first gets it`() throws {
    let first = try #require(try store.begin("ada@example.com", "ada", key: "run:1"))
    let second = try #require(try store.begin("ada@example.com", "countess", key: "run:2"))
    #expect(try store.confirm(second, second.text).isAccepted)
    #expect(try store.confirm(first, first.text) == .refused([RefusedValue(.email, .taken)]))
    #expect(try store.accounts().map(\.userName) == ["countess"])
  }

  @Test func `a sign-up reports a taken address or, if it must be concealed, has only the mail say so`() throws {
    _ = try store.register("ada@example.com", "ada")
    let open = try store.outcome("ada@example.com", "countess", concealsTaken: false)
    guard case .refused([RefusedValue(.email, .taken)]) = open else {
      Issue.record("it is told")
      return
    }
    let signUp = try #require(try store.begin("ADA@example.com", "countess", concealsTaken: true))
    #expect(signUp.isTaken && signUp.email == "ADA@example.com")
    // Another spelling may be another mailbox.
    #expect(signUp.code.issued.address == "ada@example.com")
    guard case .pending(let renewed) = try store.renewCode(of: signUp, now: 1_000) else {
      Issue.record("another code is made")
      return
    }
    #expect(renewed.code.issued.address == "ada@example.com")
    #expect(try store.confirm(signUp, signUp.text) == .rejected)
    #expect(try store.accounts().count == 1)
  }

  @Test func `a taken user name is reported in the same way with a free and with a taken address`() throws {
    _ = try store.register("ada@example.com", "ada")
    _ = try store.register("eve@example.com", "eve")
    for email in ["ada@example.com", "free@example.com", "eve@example.com"] {
      guard case .refused([RefusedValue(.userName, .taken)]) = try store.outcome(email, "ada", concealsTaken: true)
      else {
        Issue.record("\(email)")
        return
      }
    }
  }

  @Test func `if taken addresses are concealed, sign-ups with free and taken addresses leave the same rows`() throws {
    _ = try store.register("ada@example.com", "ada")
    var rows: [String] = []
    let gathered = TestServer.isUsed ? "string_agg" : "group_concat"
    for (email, name) in [("ada@example.com", "one"), ("free@example.com", "two")] {
      try file.other { connection throws in _ = try run("DELETE FROM tries", on: connection) }
      _ = try store.begin(email, name, concealsTaken: true)
      try file.other { connection throws in
        rows.append(
          try run(
            "SELECT \(gathered)(substr(subject, 1, 12) || known || failures || first_ms || last_ms, ',') FROM tries",
            on: connection))
      }
    }
    #expect(rows[0] == rows[1])
    #expect(rows[0].contains("confirmation"))
  }

  @Test func `a sign-up needs an acceptable password, and stores no account before its code is entered`() throws {
    let refused = try store.outcome("ada@example.com", "ada", "short")
    guard case .refused([RefusedValue(.password, .tooShort(minimum: 9))]) = refused else {
      Issue.record("it is too short")
      return
    }
    #expect(try store.begin("ada@example.com", "ada") != nil)
    try file.other { connection throws in #expect(try run("SELECT count(*) FROM accounts", on: connection) == "0") }
  }
}

/// Changes of an email address.
@Suite struct EmailChangeTests {
  let file: TemporaryFile
  let store: AccountStore

  init() throws {
    file = try TemporaryFile()
    store = try file.store()
    _ = try store.register("ada@example.com", "ada")
    _ = try store.register("eve@example.com", "eve")
  }

  private func begin(_ email: String, conceals: Bool = false, now: Int64 = 1_000) throws -> PendingEmailChange {
    guard case .pending(let change) = try store.beginEmailChange(of: 1, to: email, concealsTaken: conceals, now: now)
    else { throw AccountStoreError.moved }
    return change
  }

  private func confirm(_ change: PendingEmailChange, _ code: String, now: Int64 = 1_000) throws -> EmailChangeOutcome {
    try Array(code.utf8).withUnsafeBytes { try store.confirm(change, code: $0, now: now) }
  }

  @Test func `a new address is used once its code was entered, and the old address until then`() throws {
    let change = try begin("Countess@example.com")
    #expect(change.account.email == "ada@example.com" && change.email == "Countess@example.com")
    #expect(try confirm(change, "0000000000") == .rejected)
    #expect(try store.login("ada@example.com").isAccepted)
    let changed = try confirm(change, change.code.text)
    #expect(changed == .changed(try #require(try store.account(identifier: "ada"))))
    #expect(try store.login("countess@example.com").isAccepted)
    #expect(try store.login("ada@example.com") == .rejected)
    #expect(try confirm(change, change.code.text) == changed)
    #expect(try store.code(for: "ada@example.com") == nil)
    #expect(try store.code(for: "countess@example.com") != nil)
  }

  @Test func `a change of address revokes reset codes mailed to the old address`() throws {
    let code = try #require(try store.code(for: "ada@example.com"))
    let change = try begin("countess@example.com")
    _ = try confirm(change, change.code.text)
    #expect(try store.reset("ada@example.com", code) == .rejected)
    #expect(try store.reset("countess@example.com", code) == .rejected)
  }

  @Test func `a change to a taken address is refused or, if that must be concealed, only the mail says so`() throws {
    guard case .refused(.taken) = try store.beginEmailChange(of: 1, to: "EVE@example.com", concealsTaken: false, now: 1)
    else {
      Issue.record("it is told")
      return
    }
    let change = try begin("EVE@example.com", conceals: true)
    #expect(change.isTaken && change.email == "EVE@example.com" && change.code.issued.address == "eve@example.com")
    #expect(try confirm(change, change.code.text) == .rejected)
  }

  @Test func `an account's address can be changed to another spelling of itself`() throws {
    let change = try begin("Ada@Example.com")
    #expect(try confirm(change, change.code.text) == .changed(try #require(try store.account(identifier: "ada"))))
    #expect(try store.accounts().first?.email == "Ada@Example.com")
  }

  @Test func `a pending change of address ends if the address is taken or changed, or the account removed`() throws {
    let (first, second) = (try begin("one@example.com"), try begin("two@example.com"))
    let third = try begin("three@example.com")
    _ = try store.register("three@example.com", "three")
    #expect(try confirm(third, third.code.text) == .taken)
    _ = try confirm(first, first.code.text)
    #expect(try confirm(second, second.code.text) == .over)
    _ = try store.remove(identifier: "ada")
    #expect(try confirm(first, first.code.text) == .over)
  }

  @Test func `a change of the password ends a pending change of address`() throws {
    let change = try begin("countess@example.com")
    let code = try #require(try store.code(for: "ada@example.com"))
    #expect(try store.reset("ada@example.com", code, "another horse") == .done)
    #expect(try confirm(change, change.code.text) == .over)
    #expect(try store.account(identifier: "ada")?.email == "ada@example.com")
  }

  @Test func `a change to an invalid address or to the current address is refused`() throws {
    for (email, problem) in [("ada", ValueProblem.invalid), ("", .missing), ("ada@example.com", .unchanged)] {
      guard case .refused(problem) = try store.beginEmailChange(of: 1, to: email, concealsTaken: false, now: 1) else {
        Issue.record("\(email)")
        return
      }
    }
  }
}

extension MailedCode {
  var text: String { issued.code.withBytes { String(decoding: $0, as: UTF8.self) } }
}

extension PendingSignUp {
  var text: String { code.text }
}

extension ConfirmationOutcome {
  var isAccepted: Bool { if case .accepted = self { true } else { false } }
}

extension AccountStore {
  fileprivate func outcome(
    _ email: String, _ userName: String, _ password: String = "correct horse", key: String = "run:1",
    concealsTaken: Bool = false, now: Int64 = 1_000
  ) throws -> SignUpOutcome {
    try Array(password.utf8).withUnsafeBytes {
      try beginSignUp(
        email: email, userName: userName, password: $0, key: key, concealsTaken: concealsTaken, now: now)
    }
  }

  fileprivate func begin(
    _ email: String, _ userName: String, key: String = "run:1", concealsTaken: Bool = false
  ) throws -> PendingSignUp? {
    guard case .pending(let signUp) = try outcome(email, userName, key: key, concealsTaken: concealsTaken) else {
      return nil
    }
    return signUp
  }

  func confirm(_ signUp: PendingSignUp, _ code: String, now: Int64 = 1_000) throws -> ConfirmationOutcome {
    try Array(code.utf8).withUnsafeBytes { try confirm(signUp, code: $0, now: now) }
  }

  fileprivate func wait(_ outcome: SignUpOutcome) -> Int64? {
    if case .throttled(let milliseconds) = outcome { milliseconds } else { nil }
  }
}
