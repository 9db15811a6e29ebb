import TestSupport
import Testing

@testable import EngineCore

@Suite("The secrets of a session")
struct VaultTests {
  private func secret(_ vault: borrowing Vault, _ item: Int) -> String { vault.withSecret(at: item) { text($0) } }

  @Test("a vault stores the secret of an item, and replaces it by the item's next secret")
  func keeping() {
    var vault = Vault()
    #expect(secret(vault, 0) == "")
    withBytes(of: "hunter2") { vault.keep($0, at: 1, of: 3) }
    #expect(secret(vault, 0) == "")
    #expect(secret(vault, 1) == "hunter2")
    withBytes(of: "pw") { vault.keep($0, at: 1, of: 3) }
    #expect(secret(vault, 1) == "pw")
  }

  @Test("a vault stores no secret for an index that is no item of the screen")
  func outside() {
    var vault = Vault()
    withBytes(of: "a") { vault.keep($0, at: 0, of: 2) }
    withBytes(of: "b") { vault.keep($0, at: 2, of: 2) }
    withBytes(of: "b") { vault.keep($0, at: -1, of: 2) }
    #expect(secret(vault, 2) == "" && secret(vault, -1) == "")
    vault.wipe(at: 2)
    #expect(secret(vault, 0) == "a")
  }

  @Test("a copy of a vault has the same secrets, and is independent of the original")
  func copying() {
    var vault = Vault()
    withBytes(of: "hunter2") { vault.keep($0, at: 1, of: 3) }
    var other = Vault()
    vault.copy(to: &other)
    other.wipe(at: 1)
    vault.copy(to: &other)
    #expect(secret(other, 1) == "hunter2" && secret(other, 0) == "")
    withBytes(of: "other") { other.keep($0, at: 1, of: 3) }
    #expect(secret(vault, 1) == "hunter2")
  }

  @Test("a text equals an item's secret only if all bytes are the same")
  func comparing() {
    var vault = Vault()
    withBytes(of: "abc") { vault.keep($0, at: 0, of: 1) }
    #expect(withBytes(of: "abc") { vault.isSame($0, at: 0) })
    for other in ["abd", "ab", "abcd", ""] {
      let isSame = withBytes(of: other) { vault.isSame($0, at: 0) }
      #expect(!isSame, "\(other)")
    }
    #expect(withBytes(of: "") { vault.isSame($0, at: 5) })
  }

  @Test("one secret or all secrets can be wiped, and new ones can be stored afterwards")
  func wiping() {
    var vault = Vault()
    withBytes(of: "a") { vault.keep($0, at: 0, of: 2) }
    withBytes(of: "b") { vault.keep($0, at: 1, of: 2) }
    vault.wipe(at: 1)
    #expect(secret(vault, 0) == "a")
    #expect(secret(vault, 1) == "")
    withBytes(of: "b") { vault.keep($0, at: 1, of: 2) }
    vault.wipe()
    #expect(secret(vault, 1) == "")
    withBytes(of: "c") { vault.keep($0, at: 4, of: 5) }
    #expect(secret(vault, 4) == "c")
  }

  @Test("after random changes, each item has its last secret, and the vault's memory contains nothing else")
  func walk() {
    for seed in 0..<Workload.amount(200) {
      var random = SeededRandom(seed: UInt64(seed))
      var vault = Vault()
      var expected = [String](repeating: "", count: 4)
      for step in 0..<60 {
        let item = Int.random(in: 0..<4, using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
          vault.wipe(at: item)
          expected[item] = ""
        case 1 where step % 20 == 0:
          vault.wipe()
          expected = [String](repeating: "", count: 4)
        case 2:
          var other = Vault()
          vault.copy(to: &other)
          vault = other
        default:
          let count = Int.random(in: 0..<40, using: &random)
          expected[item] = String((0..<count).map { _ in random.pick(Array("abcdefghijklmnop")) })
          withBytes(of: expected[item]) { vault.keep($0, at: item, of: 4) }
        }
        for item in expected.indices { #expect(secret(vault, item) == expected[item], "seed \(seed), step \(step)") }
        let length = expected.map(\.utf8.count).reduce(0, +)
        let left = vault.withAllBytes { bytes in bytes.dropFirst(4).count { (0x61...0x70).contains($0) } }
        #expect(left == length, "seed \(seed), step \(step)")
      }
    }
  }
}
