import AccountStore
import Testing

@Suite struct ForeignHashTests {
  let file: TemporaryFile
  let store: AccountStore

  init() throws {
    file = try TemporaryFile()
    store = try file.store()
  }

  /// Hashes of "correct horse" by Python's crypt and hashlib.
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
  func `a password is checked with a hash from elsewhere, which the first login renews`(hash: String) throws {
    let account = TransferredAccount(email: "ada@example.com", userName: "ada", passwordHash: hash)
    #expect(try store.importAccounts([account], now: 7) == [.imported])
    #expect(try store.accountStatus(identifier: "ada")?.hashKind != "y")
    // Who has no account, and so the cost of this hash, is rejected all the same.
    for name in ["ada", "nobody"] { #expect(try store.login(name, "correct hors") == .rejected) }
    #expect(try store.accountStatus(identifier: "ada")?.hashKind != "y")
    #expect(try store.login("ada").isAccepted)
    #expect(try store.accountStatus(identifier: "ada")?.hashKind == "y")
    #expect(try store.login("ada").isAccepted)
    #expect(try store.login("ada", "correct hors") == .rejected)
  }

  @Test(
    arguments: [
      ("", .unknown), ("secret", .unknown), ("$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$aGFzaA", .unknown),
      ("$1$saltsalt$aaaaaaaaaaaaaaaaaaaaaa", .unknown), ("pbkdf2_sha1$1000$salt$F7o7", .unknown), ("$y$", .malformed),
      ("$y$j9T$salt$" + String(repeating: "a", count: 42), .malformed),
      ("$y$jGT$saltsalt$" + String(repeating: "a", count: 43), .tooExpensive),
      ("$2b$31$" + String(repeating: "a", count: 53), .tooExpensive),
      ("$2b$10$" + String(repeating: "a", count: 52), .malformed),
      ("$2b$1a$" + String(repeating: "a", count: 53), .malformed), ("$6$salt$short", .malformed),
      ("$6$rounds=999999999$salt$" + String(repeating: "a", count: 86), .tooExpensive),
      ("$6$rounds=1$salt$" + String(repeating: "a", count: 86), .malformed),
      ("$6$sa:lt$" + String(repeating: "a", count: 86), .malformed),
      ("$pbkdf2-sha256$4000000000$c2FsdA$F7o7.5VTVzFAO998X6s3AHrDsJVdMiIlgndIMe19NvY", .tooExpensive),
      ("$pbkdf2-sha256$0$c2FsdA$F7o7.5VTVzFAO998X6s3AHrDsJVdMiIlgndIMe19NvY", .malformed),
      ("$pbkdf2-sha256$1000$c2FsdA$F7o7", .malformed), ("$pbkdf2-sha256$1000$c2FsdA", .malformed),
      ("pbkdf2_sha256$1000$salt$F7!7", .malformed),
    ] as [(String, ForeignHash.Problem)])
  func `what is no hash that can be checked is refused for its reason`(hash: String, problem: ForeignHash.Problem)
    throws
  {
    #expect(throws: problem) { try ForeignHash(hash) }
    let account = TransferredAccount(email: "ada@example.com", userName: "ada", passwordHash: hash)
    #expect(try store.importAccounts([account], now: 7) == [.unusableHash(problem)])
    #expect(try store.accounts().isEmpty)
  }
}
