import Accounts
import Testing

@Suite struct ImportedHashTests {
  let file: TemporaryFile
  let store: AccountStore

  init() throws {
    file = try TemporaryFile()
    store = try file.store()
  }

  /// Hashes of "correct horse" made by Python's crypt and hashlib.
  static let hashes = [
    "$2b$04$abcdefghijklmnopqrstuujydOTSfIH/d5oUHpsygqV5X9xJLQc6e",
    "$2a$04$abcdefghijklmnopqrstuujydOTSfIH/d5oUHpsygqV5X9xJLQc6e",
    "$2y$04$abcdefghijklmnopqrstuujydOTSfIH/d5oUHpsygqV5X9xJLQc6e",
    "$gy$j75$abcdefghijklmnop$5ajbgv/UanA5M5qJVWF5whKEQl5QwuhPGXEZ6W8eONC",
    "$5$saltsalt$myjXcpMpE2Ofk7fj9hqyNYSn6lmWG4Mqnjx.KIRRr4/",
    "$6$rounds=1000$saltsaltsalt$Dt0JGUnDdc4DdUjlyySCHRPx7U2pABqWbPrinz5ntgKXqDPocxu0xlsHum4.yrEVleQdkaDZxTsKnM8ZF88Lz1",
    "$pbkdf2-sha256$1000$c2FsdHNhbHRzYWx0$F7o7.5VTVzFAO998X6s3AHrDsJVdMiIlgndIMe19NvY",
    "pbkdf2_sha256$1000$saltsaltsalt$F7o7+5VTVzFAO998X6s3AHrDsJVdMiIlgndIMe19NvY=",
    "$pbkdf2-sha512$1000$c2FsdHNhbHRzYWx0$oSKce4SGrSKsJabCWZfpe2MmVOPtl4paOjoD1njLdjo3le9sMBwq0q7ivJFcrXSTMQ0HjlOn/J48J9WZe4uR0g",
    "pbkdf2_sha512$1000$saltsaltsalt$oSKce4SGrSKsJabCWZfpe2MmVOPtl4paOjoD1njLdjo3le9sMBwq0q7ivJFcrXSTMQ0HjlOn/J48J9WZe4uR0g==",
  ]

  @Test(arguments: hashes)
  func `a password is checked against an imported hash, which the first login renews`(hash: String) throws {
    let account = TransferredAccount(email: "ada@example.com", userName: "ada", passwordHash: hash)
    #expect(try store.importAccounts([account], now: 7) == [.imported])
    #expect(try store.accountStatus(identifier: "ada")?.hashKind != "y")
    // A name without an account, which costs this hash as well, is still rejected.
    for name in ["ada", "nobody"] { #expect(try store.login(name, "correct hors") == .rejected) }
    #expect(try store.accountStatus(identifier: "ada")?.hashKind != "y")
    #expect(try store.login("ada").isAccepted)
    #expect(try store.accountStatus(identifier: "ada")?.hashKind == "y")
    #expect(try store.login("ada").isAccepted)
    #expect(try store.login("ada", "correct hors") == .rejected)
  }

  @Test(
    arguments: [
      // Keycloak uses 64 bytes from SHA-256, in base64 with padding; Kratos names its parameters;
      // LDAP servers add a scheme; Django prefixes bcrypt with its name.
      "$pbkdf2-sha256$27500$yMnKy8zNzs/Q0dLT1NXW1w==$wf5sz4c9P5d4P8LQ1QqvZV5d+oBcIgqW8WUjK3PI7ecVUZkC4dFHX77498MY/Bp9wWEdps/QHeRHrf+fTvXOAw==",
      "$pbkdf2-sha256$27500$yMnKy8zNzs/Q0dLT1NXW1w$wf5sz4c9P5d4P8LQ1QqvZV5d.oBcIgqW8WUjK3PI7ecVUZkC4dFHX77498MY/Bp9wWEdps/QHeRHrf+fTvXOAw",
      "$pbkdf2-sha256$27500$yMnKy8zNzs/Q0dLT1NXW1w$wf5sz4c9P5d4P8LQ1QqvZV5d.oBcIgqW8WUjK3PI7ec",
      "$pbkdf2-sha256$i=100000,l=32$yMnKy8zNzs/Q0dLT1NXW1w$wvhfbLCIJDycwku+VK+dyusWT4dQmDqVh9c+zvKSJoc",
      "{PBKDF2-SHA512}10000$yMnKy8zNzs/Q0dLT1NXW1w$Z58SQrLO58Uk97Jk2YBoWmkEyrqBC6fw/3tpVGqMvvjwUpkXLer.gfoG9B91jYUjWk2yjWEo5WksyaBpbIzVTw",
      "{CRYPT}$2b$04$abcdefghijklmnopqrstuujydOTSfIH/d5oUHpsygqV5X9xJLQc6e",
      "{crypt}$5$saltsalt$myjXcpMpE2Ofk7fj9hqyNYSn6lmWG4Mqnjx.KIRRr4/",
      "bcrypt$$2b$04$abcdefghijklmnopqrstuujydOTSfIH/d5oUHpsygqV5X9xJLQc6e",
      // Bits of the salt and of the hash without a meaning.
      "$2b$04$abcdefghijklmnopqrstuvjydOTSfIH/d5oUHpsygqV5X9xJLQc6e",
      "$2a$04$abcdefghijklmnopqrstu9jydOTSfIH/d5oUHpsygqV5X9xJLQc6e",
      "$2y$04$abcdefghijklmnopqrstuujydOTSfIH/d5oUHpsygqV5X9xJLQc6f",
    ])
  func `a password is checked against hashes as other programs write them`(hash: String) throws {
    let account = TransferredAccount(email: "ada@example.com", userName: "ada", passwordHash: hash)
    #expect(try store.importAccounts([account], now: 7) == [.imported])
    #expect(try store.login("ada", "correct hors") == .rejected)
    #expect(try store.login("ada").isAccepted)
    #expect(try store.accountStatus(identifier: "ada")?.hashKind == "y")
  }

  @Test func `a bcrypt test vector with unused bits set in its salt matches its password`() throws {
    let hash = "$2a$12$oaQbBqq8JnSM1NHRPQGXORm4GCUMqp7meTnkft4zgSnrbhoKdDV0C"
    let account = TransferredAccount(email: "ada@example.com", userName: "ada", passwordHash: hash)
    #expect(try store.importAccounts([account], now: 7) == [.imported])
    #expect(try store.login("ada", "loppux").isAccepted)
  }

  /// The text "000.001.002." and so on. Its bcrypt hash follows.
  private static let long = (0..<20).map { "0" + ($0 < 10 ? "0" : "") + "\($0)." }.joined()
  private static let bcryptOfLong = "$2b$04$abcdefghijklmnopqrstuuwmSe9MJAqjWSSqVnKOukJipl2M5RlF."

  @Test(
    arguments: [
      // The right text, one that differs after 72 bytes, one that ends there, and a longer one.
      long, String(long.prefix(75)) + "X" + String(long.suffix(4)), String(long.prefix(72)), long + "more",
    ])
  func `a bcrypt hash is not renewed at a login with a password whose end bcrypt ignores`(typed: String) throws {
    let account = TransferredAccount(email: "ada@example.com", userName: "ada", passwordHash: Self.bcryptOfLong)
    #expect(try store.importAccounts([account], now: 7) == [.imported])
    // bcrypt ignores the rest.
    #expect(try store.login("ada", typed).isAccepted)
    #expect(try store.accountStatus(identifier: "ada")?.hashKind == "2b")
    #expect(try store.login("ada", Self.long).isAccepted)
    #expect(try store.login("ada", String(Self.long.prefix(71))) == .rejected)
  }

  @Test func `a bcrypt hash is renewed at a login with a password that it covers completely`() throws {
    let hash = "$2b$04$abcdefghijklmnopqrstuurA0RtIyBklFJGcwMq6JoplouAl/f27C"
    let account = TransferredAccount(email: "ada@example.com", userName: "ada", passwordHash: hash)
    #expect(try store.importAccounts([account], now: 7) == [.imported])
    #expect(try store.login("ada", Self.long) == .rejected)
    #expect(try store.login("ada", String(Self.long.prefix(71))).isAccepted)
    #expect(try store.accountStatus(identifier: "ada")?.hashKind == "y")
  }

  @Test func `a bcrypt hash is not renewed from a password whose end bcrypt ignores, even to add a pepper`() throws {
    let peppered = try file.store { $0.pepperFile = file.directory + "/pepper" }
    let account = TransferredAccount(email: "ada@example.com", userName: "ada", passwordHash: Self.bcryptOfLong)
    #expect(try peppered.importAccounts([account], now: 7) == [.imported])
    #expect(try peppered.login("ada", Self.long + "x").isAccepted)
    #expect(try peppered.login("ada", Self.long).isAccepted)
    #expect(try peppered.accountStatus(identifier: "ada")?.hashKind == "2b")
  }

  @Test(arguments: [
    nil, "", "!", "!!", "*", "*LK*", "!$6$saltsalt$x", "{CRYPT}!", "{crypt}*", "!pK3FhX8dUe1bB5rUqXqvDkq4",
  ])
  func `an account without a password accepts none until a mailed reset sets one`(hash: String?) throws {
    let account = TransferredAccount(email: "ada@example.com", userName: "ada", passwordHash: hash)
    #expect(try store.importAccounts([account], now: 7) == [.imported])
    #expect(try store.accountStatus(identifier: "ada")?.hashKind == nil)
    for password in ["correct horse", "!", "*", hash ?? "x"] where !password.isEmpty {
      #expect(try store.login("ada", password) == .rejected)
    }
    #expect(try store.exportedAccounts(after: 0, limit: 9).map(\.passwordHash) == [nil])
    let code = try #require(try store.code(for: "ada@example.com"))
    #expect(try store.reset("ada@example.com", code) == .done)
    #expect(try store.login("ada", "another horse").isAccepted)
  }

  @Test func `a login to an account without a password computes the same hash as one with an unknown name`() throws {
    _ = try file.store { $0.hashCost = 2 }.register("bob@example.com", "bob")
    #expect(
      try store.importAccounts(
        [TransferredAccount(email: "ada@example.com", userName: "ada", passwordHash: nil)], now: 7)
        == [.imported])
    let drawn = try (0..<100).map { try store.substituteSetting(identifierHash: "\($0)", now: 7) }
    #expect(drawn.allSatisfy { $0.hasPrefix("$y$") || $0.hasPrefix("!") })
    for name in ["ada", "nobody"] { #expect(try store.login(name, "x") == .rejected) }
  }

  @Test(
    arguments: [
      "$2b$31$abcdefghijklmnopqrstuujydOTSfIH/d5oUHpsygqV5X9xJLQc6e",
      "$6$rounds=999999999$saltsalt$" + String(repeating: "a", count: 86),
      "$pbkdf2-sha256$10000000$c2FsdHNhbHRzYWx0$F7o7.5VTVzFAO998X6s3AHrDsJVdMiIlgndIMe19NvY",
      "$pbkdf2-sha512$4294967295$c2FsdHNhbHRzYWx0$F7o7.5VTVzFAO998X6s3AHrDsJVdMiIlgndIMe19NvY",
      "$y$jKT$saltsalt$" + String(repeating: "a", count: 43),
      "$y$j9zzzzz$saltsalt$" + String(repeating: "a", count: 43),
      "$gy$jzz$saltsalt$" + String(repeating: "a", count: 43), "$y$j9T$x$y", "$y$", "$", "", "\u{7}", "$$$$",
      "$2b$04$", "$7$CU..../....salt$hash",
      "hmac-sha256:00:$2b$31$abcdefghijklmnopqrstuujydOTSfIH/d5oUHpsygqV5X9xJLQc6e",
    ])
  func `a stored text that is no usable hash affects only its account`(hash: String)
    throws
  {
    _ = try store.register("ada@example.com", "ada")
    _ = try store.register("bob@example.com", "bob")
    try file.other { try run("UPDATE accounts SET password_hash = '\(hash)' WHERE user_name = 'ada'", on: $0) }
    let start = ContinuousClock.now
    #expect(try store.login("ada") == .rejected)
    for number in 0..<30 { #expect(try store.login("nobody \(number)") == .rejected) }
    #expect(try store.login("bob").isAccepted)
    // A hash with any of these settings would take minutes.
    #expect(ContinuousClock.now - start < .seconds(60))
    let code = try #require(try store.code(for: "ada@example.com"))
    #expect(try store.reset("ada@example.com", code) == .done)
    #expect(try store.login("ada", "another horse").isAccepted)
  }

  @Test
  func `a stored hash setting that would take too long is refused for codes, and for names counts as damage`() throws {
    _ = try store.register("ada@example.com", "ada")
    let codes = try store.codes()
    try file.other { try run("UPDATE recovery_codes SET code_hash = replace(code_hash, '$y$j75$', '$y$jKz$')", on: $0) }
    let login = try #require(try store.pending())
    #expect(throws: AccountStoreError.self) { try store.use(codes[0], login) }
    let code = try #require(try store.code(for: "ada@example.com"))
    try file.other { try run("UPDATE reset_codes SET code_hash = '$2b$31$abcdefghijklmnopqrstuu'", on: $0) }
    #expect(try store.reset("ada@example.com", code) == .rejected)
    try file.other {
      try run("UPDATE settings SET value = '$5$rounds=999999999$x' WHERE name = 'identifierSetting'", on: $0)
    }
    #expect(throws: AccountStoreError.damaged) { try file.store() }
  }

  /// Imported hashes must be ones that libcrypt accepts and would write in the same way; otherwise
  /// no password would ever match.
  @Test func `libcrypt accepts every hash that is imported`() throws {
    let letters = Array("./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
    var generator = SystemRandomNumberGenerator()
    func text(_ counts: ClosedRange<Int>) -> String {
      String(
        (0..<Int.random(in: counts, using: &generator)).map { _ in letters[Int.random(in: 0..<64, using: &generator)] })
    }
    var taken: [String: Int] = [:]
    for _ in 0..<1_500 {
      let number = Int.random(in: 0..<64, using: &generator)
      let made = [
        "$y$j7\(letters[number])$\(text(0...90))$\(text(43...43))",
        "$gy$j\(letters[number % 9])5$\(text(1...8))$\(text(43...43))",
        "$2b$04$\(text(53...53))", "$2a$\(["04", "4", "+4", "-4", " 4", "05"][number % 6])$\(text(53...53))",
        "$6$rounds=\(["1000", "01000", "+1000", "999", "1001", ""][number % 6])$\(text(0...17))$\(text(86...86))",
        "$5$\(text(0...17))$\(text(43...43))",
      ][Int.random(in: 0..<6, using: &generator)]
      guard let hash = try? ImportedHash(made) else { continue }
      let kept = hash.text
      let again = try Array("x".utf8).withUnsafeBytes { try PasswordHasher().hash($0, setting: kept) }
      #expect(again.lastIndex(of: "$").map { again[..<$0] } == kept.lastIndex(of: "$").map { kept[..<$0] }, "\(kept)")
      if kept.hasPrefix("$2") { #expect(again.prefix(29) == kept.prefix(29), "\(kept)") }
      taken[String(made.prefix(3)), default: 0] += 1
    }
    #expect(taken.count >= 4, "\(taken)")
  }

  @Test(
    arguments: [
      ("secret", .unknown), ("{SSHA}hashhash", .unknown), ("$P$BDSdKx2nglM.5UErwjQGeVtVWvjEvD1", .unknown),
      ("$wp$2y$10$aaaaaaaaaaaaaaaaaaaaaeOaO0PzO0PzO0PzO0PzO0PzO0PzO0PzO", .unknown), ("{CRYPT}rLqXnGz9Ylz3A", .unknown),
      ("rLqXnGz9Ylz3A", .unknown), ("$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$aGFzaA", .unknown),
      ("$1$saltsalt$aaaaaaaaaaaaaaaaaaaaaa", .unknown), ("pbkdf2_sha1$1000$salt$F7o7", .unknown), ("$y$", .malformed),
      ("$y$j9T$salt$" + String(repeating: "a", count: 42), .malformed),
      ("$y$jGT$saltsalt$" + String(repeating: "a", count: 43), .tooExpensive),
      ("$2b$31$" + String(repeating: "a", count: 53), .tooExpensive),
      ("$2b$10$" + String(repeating: "a", count: 52), .malformed),
      ("$2b$1a$" + String(repeating: "a", count: 53), .malformed), ("$6$salt$short", .malformed),
      ("$6$rounds=999999999$salt$" + String(repeating: "a", count: 86), .tooExpensive),
      ("$pbkdf2-sha256$3000001$c2FsdA$F7o7.5VTVzFAO998X6s3AHrDsJVdMiIlgndIMe19NvY", .tooExpensive),
      ("$pbkdf2-sha256$99999999999999999999$c2FsdA$F7o7.5VTVzFAO998X6s3AHrDsJVdMiIlgndIMe19NvY", .tooExpensive),
      ("$pbkdf2-sha256$i=0,l=32$c2FsdA$F7o7.5VTVzFAO998X6s3AHrDsJVdMiIlgndIMe19NvY", .malformed),
      ("$6$rounds=+5000$salt$" + String(repeating: "a", count: 85) + "/", .malformed),
      ("$2b$+9$" + String(repeating: "a", count: 53), .malformed),
      // A hash whose unused bits are set.
      ("$y$j75$saltsalt$" + String(repeating: "z", count: 43), .malformed),
      ("$5$saltsalt$" + String(repeating: "z", count: 43), .malformed),
      ("$y$j75$saltsa$" + String(repeating: "a", count: 42) + "/", .malformed),
      ("$6$rounds=1$salt$" + String(repeating: "a", count: 86), .malformed),
      ("$6$sa:lt$" + String(repeating: "a", count: 86), .malformed),
      ("$pbkdf2-sha256$4000000000$c2FsdA$F7o7.5VTVzFAO998X6s3AHrDsJVdMiIlgndIMe19NvY", .tooExpensive),
      ("$pbkdf2-sha256$0$c2FsdA$F7o7.5VTVzFAO998X6s3AHrDsJVdMiIlgndIMe19NvY", .malformed),
      ("$pbkdf2-sha256$1000$c2FsdA$F7o7", .malformed), ("$pbkdf2-sha256$1000$c2FsdA", .malformed),
      ("pbkdf2_sha256$1000$salt$F7!7", .malformed),
    ] as [(String, ImportedHash.Problem)])
  func `a text that is not a supported hash is refused with the reason`(hash: String, problem: ImportedHash.Problem)
    throws
  {
    #expect(throws: problem) { try ImportedHash(hash) }
    let account = TransferredAccount(email: "ada@example.com", userName: "ada", passwordHash: hash)
    #expect(try store.importAccounts([account], now: 7) == [.unusableHash(problem)])
    #expect(try store.accounts().isEmpty)
  }
}
