import Accounts
import CAccountLibraries
import CCrypto
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite struct HashTests {
  @Test(arguments: ["", "*0", "*1", "$y$", "x", "$1$abc$", "ab", "$y$zzzz$$$", "$5$rounds=x$"])
  func `a malformed hash setting is refused and never mistaken for a hash`(setting: String) {
    #expect(throws: AccountStoreError.self) { try hash("secret", setting) }
  }

  @Test(arguments: ["a\0b", "\0", String(repeating: "x", count: 512)])
  func `a passphrase that libcrypt would truncate is refused`(passphrase: String) throws {
    let setting = try PasswordHasher.setting(cost: 1)
    #expect(throws: AccountStoreError.self) { try hash(passphrase, setting) }
  }

  @Test func `each new hash setting has its own salt`() throws {
    let settings = try (0..<100).map { _ in try PasswordHasher.setting(cost: 1) }
    #expect(Set(settings).count == 100)
    #expect(settings.allSatisfy { $0.hasPrefix("$y$j75$") })
  }

  @Test func `hashes with libcrypt's default cost are made and compared`() throws {
    let setting = try PasswordHasher.setting(cost: 5)
    #expect(setting.hasPrefix("$y$j9T$"))
    let made = try hash("secret", setting)
    #expect(try hash("secret", made) == made)
    #expect(try hash("secres", made) != made)
  }

  @Test func `a stored hash has the complete output of yescrypt and a salt of 128 bits`() throws {
    let file = try TemporaryFile()
    _ = try file.store().register("ada@example.com", "ada")
    var stored = ""
    try file.other { stored = try run("SELECT password_hash FROM accounts", on: $0) }
    // In base64, 22 digits are 132 bits, and 43 are 258.
    #expect(stored.split(separator: "$").map(\.count) == [1, 3, 22, 43])
    #expect(try hash("correct horse", stored) == stored)
  }

  @Test(arguments: [12, UInt.max]) func `a hash cost that libcrypt does not support is an error`(cost: UInt) throws {
    let file = try TemporaryFile()
    #expect(throws: AccountStoreError.self) { try file.store { $0.hashCost = cost } }
  }

  @Test func `a hash whose cost is not the configured one is renewed at the user's next login, and only then`() throws {
    let file = try TemporaryFile()
    _ = try file.store().register("ada@example.com", "ada")
    let dearer = try file.store { $0.hashCost = 2 }
    #expect(try dearer.login("ada", "wrong") == .rejected)
    #expect(try parameters(file) == "$y$j75$")
    #expect(try dearer.login("ada").isAccepted)
    #expect(try parameters(file) == "$y$j85$")
    #expect(try dearer.login("ada").isAccepted)
    #expect(try file.store { $0.hashCost = 2 }.login("ada", "wrong") == .rejected)
  }

  @Test func `a login with an unknown name computes a hash of the stored hashes' cost, not of a new hash's`() throws {
    let file = try TemporaryFile()
    let store = try file.store()
    #expect(try store.substituteSetting(identifierHash: "x", now: 0).hasPrefix("$y$j75$"))
    _ = try file.store { $0.hashCost = 2 }.register("ada@example.com", "ada")
    #expect(try store.substituteSetting(identifierHash: "x", now: 0).hasPrefix("$y$j85$"))
    _ = try store.register("bob@example.com", "bob")
    let drawn = try (0..<100).map { try store.substituteSetting(identifierHash: "\($0)", now: 0).prefix(7) }
    #expect(Set(drawn) == ["$y$j75$", "$y$j85$"])
    #expect(
      try store.substituteSetting(identifierHash: "x", now: 0) == store.substituteSetting(identifierHash: "x", now: 0))
  }

  @Test func `hashes computed concurrently equal those computed one after another`() throws {
    // Two sizes, and bcrypt, which maps no memory.
    let settings = try [3, 4].map { try PasswordHasher.setting(cost: $0) } + ["$2b$04$abcdefghijklmnopqrstuu"]
    @Sendable func made(_ number: Int) throws -> String { try hash("secret \(number)", settings[number % 3]) }
    let alone = try (0..<48).map(made)
    let together = Mutex([Int: String]())
    // More threads than cores, so that some wait.
    let threads = (0..<8).map { first in
      Thread {
        for number in stride(from: first, to: alone.count, by: 8) {
          let made = try? made(number)
          together.withLock { $0[number] = made }
        }
      }
    }
    for thread in threads { thread.start() }
    #expect(eventually { together.withLock { $0.count } == alone.count })
    #expect(together.withLock { together in alone.indices.map { together[$0] } } == alone)
  }

  @Test(.enabled("the kernel has huge pages") { access("/sys/kernel/mm/transparent_hugepage/enabled", F_OK) == 0 })
  func `memory mapped for a hash may use huge pages, and no other memory does`() throws {
    /// Whether the kernel was asked to use huge pages for memory that is mapped now.
    func isAsked(isHashing: Bool) throws -> Bool {
      let length = 4 << 20
      if isHashing { ccrypto_begin_hash() }
      defer { ccrypto_end_hash() }
      let memory = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
      try #require(memory != MAP_FAILED)
      defer { munmap(memory, length) }
      let address = UInt(bitPattern: memory)
      var isInside = false
      for line in try systemFile("/proc/self/smaps").split(separator: "\n") {
        let ends = line.prefix { $0 != " " }.split(separator: "-").compactMap { UInt($0, radix: 16) }
        if ends.count == 2 { isInside = (ends[0]..<ends[1]).contains(address) }
        if isInside, line.hasPrefix("VmFlags:") { return line.split(separator: " ").contains("hg") }
      }
      return false
    }
    #expect(try isAsked(isHashing: true))
    #expect(try !isAsked(isHashing: false))
  }

  private func parameters(_ file: TemporaryFile) throws -> String {
    var result = ""
    try file.other { result = try run("SELECT substr(password_hash, 1, 7) FROM accounts", on: $0) }
    return result
  }

  private func hash(_ passphrase: String, _ setting: String) throws -> String {
    let hasher = PasswordHasher()
    return try Array(passphrase.utf8).withUnsafeBytes { try hasher.hash($0, setting: setting) }
  }
}
