import Accounts
import Testing

/// The hash settings of unknown names when the accounts' hashes have several settings.
@Suite struct SubstituteTests {
  private static let day: Int64 = 86_400_000

  let file: TemporaryFile
  /// A store whose new hashes have the setting `$y$j75$`.
  let store: AccountStore

  init() throws {
    file = try TemporaryFile()
    store = try file.store()
    let former = try file.store { $0.hashCost = 2 }
    for index in 0..<20 { _ = try former.register("o\(index)@example.com", "o\(index)", now: 0) }
  }

  private func signUp(_ names: Range<Int>, now: Int64) throws {
    for index in names {
      #expect(try store.register("n\(index)@example.com", "n\(index)", key: "k\(index)", now: now).isAccepted)
    }
  }

  private func kinds(now: Int64) throws -> [String] {
    try (0..<400).map { String(try store.substituteSetting(identifierHash: "name \($0)", now: now).prefix(7)) }
  }

  private func isOld(_ kind: String) -> Bool { kind == "$y$j85$" }

  @Test func `the hash settings used for unknown names do not change on the day of a sign-up`() throws {
    try signUp(0..<20, now: 0)
    let now = 3 * Self.day
    let before = try kinds(now: now)
    for count in [1, 2, 10, 20] {
      try signUp(100 * count..<100 * count + count, now: now)
      #expect(try kinds(now: now) == before, "after \(count) more")
    }
  }

  @Test func `the hash settings used for unknown names have the same distribution as those of the accounts`() throws {
    try signUp(0..<60, now: 0)
    let old = try kinds(now: 3 * Self.day).count { isOld($0) }
    // A quarter of 400.
    #expect((60...140).contains(old), "\(old)")
    #expect(try Set(kinds(now: 3 * Self.day)) == ["$y$j75$", "$y$j85$"])
  }

  @Test
  func `a day's sign-ups change the hash settings of a few unknown names on the next day, at different times`() throws {
    try signUp(0..<20, now: 0)
    let start = 3 * Self.day
    try signUp(100..<110, now: start)
    var before = try kinds(now: start)
    var changes: [Int] = []
    for hour in 1...48 {
      let after = try kinds(now: start + Int64(hour) * Self.day / 24)
      let changed = zip(before, after).filter { $0 != $1 }
      #expect(changed.allSatisfy { isOld($0.0) && !isOld($0.1) })
      changes.append(changed.count)
      before = after
    }
    // A fifth of 200 names with the old setting, spread over a day.
    #expect((10...80).contains(changes.reduce(0, +)), "\(changes)")
    #expect(changes.count { $0 > 0 } > 5 && (changes.max() ?? 0) < 20, "\(changes)")
    #expect(changes.dropFirst(24).allSatisfy { $0 == 0 })
  }

  @Test
  func `removing or rehashing an account changes the hash setting only for unknown names that used the account's`()
    throws
  {
    try signUp(0..<20, now: 0)
    let now = 3 * Self.day
    let before = try kinds(now: now)
    _ = try store.remove(identifier: "n3")
    let removed = zip(before, try kinds(now: now)).count { $0 != $1 }
    #expect(removed < 40)
    #expect(try store.login("o3", now: now).isAccepted)
    let after = try kinds(now: now)
    #expect(zip(before, after).count { $0 != $1 } < 80)
  }

  @Test func `importing accounts changes the hash settings used for unknown names at once`() throws {
    let empty = try TemporaryFile()
    let other = try empty.store()
    _ = try other.register("ada@example.com", "ada", key: "k", now: 0)
    let hash = "$2b$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"
    let accounts = (0..<9).map {
      TransferredAccount(email: "b\($0)@example.com", userName: "b\($0)", passwordHash: hash)
    }
    _ = try other.importAccounts(accounts, now: Self.day)
    let kinds = try (0..<100).map { try other.substituteSetting(identifierHash: "\($0)", now: Self.day) }
    #expect((75...100).contains(kinds.count { $0.hasPrefix("$2b$05$") }))
  }
}
