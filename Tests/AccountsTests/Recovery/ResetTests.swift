import Accounts
import Foundation
import SecretMemory
import Testing

@Suite struct ResetTests {
  let file: TemporaryFile
  let store: AccountStore
  static let minute: Int64 = 60_000

  init() throws {
    file = try TemporaryFile()
    store = try file.store()
    _ = try store.register("Ada@example.com", "ada")
  }

  @Test func `a mailed reset code sets a new password, and works only once`() throws {
    let code = try #require(try store.code(for: "ada@EXAMPLE.com"))
    #expect(try store.reset("ADA@example.com", code) == .done)
    #expect(try store.login("ada", "another horse").isAccepted)
    #expect(try store.login("ada") == .rejected)
    #expect(try store.reset("ada@example.com", code, "a third horse") == .rejected)
    #expect(try store.login("ada", "another horse").isAccepted)
  }

  @Test func `a reset code has ten characters that are hard to confuse, and no two are equal`() throws {
    var codes: Set<String> = []
    for _ in 0..<200 {
      codes.insert(ResetCode.fresh().withBytes { String(decoding: $0, as: UTF8.self) })
    }
    #expect(codes.count == 200)
    #expect(codes.allSatisfy { $0.count == 10 && $0.allSatisfy { "0123456789ABCDEFGHJKMNPQRSTVWXYZ".contains($0) } })
    // In 200 draws, fewer than 20 of the 32 values at a position would be suspicious.
    for place in 0..<10 { #expect(Set(codes.map { Array($0)[place] }).count > 20) }
  }

  @Test(
    arguments: [
      ("ABCDE-FGHJK", "ABCDEFGHJK"), (" abcde fghjk ", "ABCDEFGHJK"), ("a-b-c-d-e-f-g-h-j-k", "ABCDEFGHJK"),
      ("OoIiLl0123", "0011110123"), ("ABCDEFGHJ", nil), ("ABCDEFGHJKM", nil), ("ABCDEFGHJU", nil), ("ABCDEFGHJ!", nil),
      ("", nil), ("ABCDEFGHJ\0", nil), ("ABCDEFGHJÄ", nil),
    ])
  func `a reset code is read in all forms in which users type it`(typed: String, normal: String?) {
    let read = Array(typed.utf8).withUnsafeBytes { bytes -> String? in
      guard let code = ResetCode.normal(bytes) else { return nil }
      return code.withBytes { String(decoding: $0, as: UTF8.self) }
    }
    #expect(read == normal)
  }

  @Test func `the accounts file never contains a reset code, only its hash`() throws {
    let code = try #require(try store.code(for: "ada@example.com"))
    for name in try FileManager.default.contentsOfDirectory(atPath: file.directory) {
      let data = try Data(contentsOf: URL(fileURLWithPath: file.directory + "/" + name))
      #expect(data.range(of: Data(code.utf8)) == nil)
    }
    try file.other { connection throws in
      #expect(try run("SELECT substr(code_hash, 1, 7) FROM reset_codes", on: connection) == "$y$j75$")
    }
  }

  @Test
  func `a request for a reset code leaves the same rows with and without an account, and none contains the address`()
    throws
  {
    #expect(try store.code(for: "ada@example.com") != nil)
    #expect(try store.code(for: "eve@example.com") == nil)
    try file.other { connection throws in
      #expect(try run("SELECT count(*) FROM reset_codes", on: connection) == "2")
      #expect(
        try run("SELECT count(DISTINCT length(code_hash) || substr(code_hash, 1, 7)) FROM reset_codes", on: connection)
          == "1")
      #expect(try run("SELECT count(*) FROM tries WHERE subject LIKE 'reset:$pbkdf2-sha256$%'", on: connection) == "2")
      #expect(try run("SELECT count(*) FROM tries WHERE subject LIKE '%example%'", on: connection) == "0")
    }
  }

  @Test func `a reset with a wrong code, an expired code or a wrong address gets the same answer`() throws {
    let code = try #require(try store.code(for: "ada@example.com"))
    let wrong = code.hasPrefix("0") ? "1" + code.dropFirst() : "0" + code.dropFirst()
    #expect(try store.reset("ada@example.com", wrong) == .rejected)
    #expect(try store.reset("eve@example.com", code) == .rejected)
    _ = try store.code(for: "eve@example.com")
    #expect(try store.reset("eve@example.com", code) == .rejected)
    #expect(try store.reset("ada@example.com", code, now: 1_000 + 15 * Self.minute) == .rejected)
    #expect(try store.login("ada").isAccepted)
  }

  @Test(arguments: [(15 * minute - 1, true), (15 * minute, false), (-minute, true), (-minute - 1, false)])
  func `a reset code works for fifteen minutes`(after: Int64, works: Bool) throws {
    let code = try #require(try store.code(for: "ada@example.com", now: 10_000_000))
    #expect(try store.reset("ada@example.com", code, now: 10_000_000 + after) == (works ? .done : .rejected))
  }

  @Test func `a new reset code replaces the previous one`() throws {
    let first = try #require(try store.code(for: "ada@example.com"))
    let second = try #require(try store.code(for: "ada@example.com"))
    #expect(try store.reset("ada@example.com", first) == .rejected)
    #expect(try store.reset("ada@example.com", second) == .done)
  }

  @Test(arguments: [nil, "run session"])
  func `wrong reset codes from other sessions do not block the code of the account's owner`(requester: String?) throws {
    let code = try #require(try store.code(for: "ada@example.com", requester: requester))
    // As many as have no delay, and more at the same moment.
    for _ in 0..<20 { #expect(try store.reset("ada@example.com", "0000000000", requester: "others") == .rejected) }
    #expect(try store.reset("ada@example.com", code, requester: requester) == .done)
  }

  @Test func `after a thousand wrong reset codes, all sessions wait except the one that requested the code`() throws {
    for (email, expected) in [("ada@example.com", ResetOutcome.done), ("eve@example.com", .rejected)] {
      let code = try store.code(for: email, requester: "run ada") ?? "0000000000"
      try file.other {
        try run(
          "INSERT INTO tries SELECT 'resetTry:' || address, 1, 1000, 1000, 1000, NULL FROM reset_codes", on: $0)
      }
      for requester in [nil, "", "run eve"] {
        #expect(try store.reset(email, code, requester: requester) == .throttled(retryAfterMs: 1_000))
      }
      #expect(try store.reset(email, code, requester: "run ada") == expected)
      try file.other { try run("DELETE FROM tries", on: $0) }
    }
  }

  @Test func `at most 2,100 attempts are checked during the lifetime of a reset code`() throws {
    _ = try store.code(for: "ada@example.com", requester: "run ada", now: Self.minute)
    var tries = 0
    for requester in ["run ada", "others"] {
      var now = Self.minute
      if requester == "others" {
        // Simulates the thousand attempts without a delay, just before the code is issued.
        try file.other {
          try run(
            "INSERT INTO tries SELECT 'resetTry:' || address, 1, 999, 60000, 60000, NULL FROM reset_codes", on: $0)
        }
        tries += 999 * 2 + 20
      }
      while now < 16 * Self.minute {
        switch try store.reset("ada@example.com", "0000000000", requester: requester, now: now) {
        case .throttled(let wait): now += wait
        case .rejected: tries += 1
        case .done, .doneRemovingFactors, .refused: Issue.record("no code is right")
        }
      }
    }
    #expect(tries > 2_000)
    #expect(tries < 2_100)
  }

  @Test(arguments: ["ada@example.com", "eve@example.com"])
  func `the delay after wrong reset codes doubles from the fifth one on, up to a minute, also without an account`(
    email: String
  ) throws {
    _ = try store.code(for: email, requester: "run 1")
    var now: Int64 = 1_000
    for delay: Int64 in [0, 0, 0, 0, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000] {
      #expect(try store.reset(email, "0000000000", requester: "run 1", now: now) == .rejected)
      if delay > 0 {
        #expect(try store.reset(email, "0000000000", requester: "run 1", now: now) == .throttled(retryAfterMs: delay))
      }
      now += delay
    }
    // Another code can be entered at once.
    _ = try store.code(for: email, requester: "run 1", now: now)
    #expect(try store.reset(email, "0000000000", requester: "run 1", now: now) == .rejected)
  }

  @Test func `a request by a server whose clock is behind deletes no valid reset code of another account`() throws {
    let code = try #require(try store.code(for: "ada@example.com", now: 10_000_000))
    _ = try store.code(for: "eve@example.com", now: 10_000_000 - 20 * Self.minute)
    #expect(try store.reset("ada@example.com", code, now: 10_000_000) == .done)
  }

  @Test func `a reset with an invalid code, address or password is refused and not counted`() throws {
    let code = try #require(try store.code(for: "ada@example.com"))
    for _ in 0..<20 {
      let outcome = try store.reset("ada", "abc", "short")
      #expect(
        outcome
          == .refused([
            RefusedValue(.email, .invalid), RefusedValue(.resetCode, .invalid),
            RefusedValue(.password, .tooShort(minimum: 9)),
          ]))
    }
    #expect(try store.reset("ada@example.com", code) == .done)
  }

  @Test func `changing the password or removing the account revokes a reset code`() throws {
    let code = try #require(try store.code(for: "ada@example.com"))
    _ = try store.setPassword("ada", "administrator's")
    #expect(try store.reset("ada@example.com", code) == .rejected)
    let later = try #require(try store.code(for: "ada@example.com"))
    _ = try store.remove(identifier: "ada")
    _ = try store.register("ada@example.com", "ada")
    #expect(try store.reset("ada@example.com", later) == .rejected)
  }

  @Test func `resetting the password ends a lockout`() throws {
    for _ in 0..<5 { _ = try store.login("ada", "wrong") }
    let code = try #require(try store.code(for: "ada@example.com"))
    #expect(try store.reset("ada@example.com", code) == .done)
    #expect(try store.login("ada", "another horse").isAccepted)
  }

  @Test func `a reset code is mailed to the address as the account has it, not as it was typed`() throws {
    guard case .taken(let issued?) = try store.requestReset(email: "ADA@EXAMPLE.COM", now: 0) else {
      Issue.record("the account is there")
      return
    }
    #expect(issued.address == "Ada@example.com")
  }

  @Test func `a repeated reset is accepted only with its idempotency key and its password`() throws {
    let code = try #require(try store.code(for: "ada@example.com"))
    #expect(try store.reset("ada@example.com", code, key: "run:1") == .done)
    #expect(try store.reset("ada@example.com", code, key: "run:2") == .rejected)
    #expect(try store.reset("ada@example.com", code, "other password", key: "run:1") == .rejected)
    #expect(try store.reset("eve@example.com", code, key: "run:1") == .rejected)
    #expect(try store.reset("ada@example.com", code, key: "run:1", now: 9_000_000) == .done)
    _ = try store.setPassword("ada", "administrator's")
    #expect(try store.reset("ada@example.com", code, key: "run:1") == .rejected)
  }

  @Test
  func `exactly one of several concurrent uses of a reset code succeeds, unless all have one idempotency key`()
    async throws
  {
    let path = file.path
    for (keys, winners) in [((0..<4).map { "run:\($0)" }, 1), (Array(repeating: "same", count: 4), 4)] {
      let code = try #require(try store.code(for: "ada@example.com"))
      let outcomes = try await withThrowingTaskGroup(of: ResetOutcome.self) { group in
        for key in keys {
          group.addTask {
            return try TemporaryFile.store(at: path).reset("ada@example.com", code, key: key)
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(outcomes.count { $0 == .done } == winners)
    }
  }
}
