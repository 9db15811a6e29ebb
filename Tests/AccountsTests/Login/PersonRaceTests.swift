import Accounts
import Foundation
import Synchronization
import Testing

/// Changes of accounts that several processes make at the same time.
@Suite struct PersonRaceTests {
  private func outcomes<Outcome: Sendable>(
    _ path: String, _ work: @escaping @Sendable (AccountStore, Int) throws -> Outcome
  ) async throws -> [Outcome] {
    try await withThrowingTaskGroup(of: Outcome.self) { group in
      for index in 0..<6 { group.addTask { try work(try TemporaryFile.store(at: path), index) } }
      var all: [Outcome] = []
      for try await outcome in group { all.append(outcome) }
      return all
    }
  }

  private static func proof(_ store: AccountStore) throws -> PendingLogin? {
    let outcome = try Array("correct horse".utf8).withUnsafeBytes {
      try store.prove(principal: "ada", password: $0, now: 1_000)
    }
    if case .proven(let proof) = outcome { return proof }
    return nil
  }

  @Test func `exactly one of several concurrent password changes succeeds`() async throws {
    for _ in 0..<5 {
      let file = try TemporaryFile()
      let store = try file.store()
      _ = try store.register("ada@example.com", "ada", now: 0)
      let proof = try #require(try Self.proof(store))
      let all = try await outcomes(file.path) { store, index in
        try store.replace(proof, "another horse \(index)", key: "k\(index)").isAccepted
      }
      #expect(all.count { $0 } == 1)
      #expect(try store.login("ada") == .rejected)
    }
  }

  @Test func `exactly one of several concurrent deletions of an account succeeds, and other changes leave no rows`()
    async throws
  {
    for _ in 0..<5 {
      let file = try TemporaryFile()
      let store = try file.store()
      _ = try store.register("ada@example.com", "ada", now: 0)
      let proof = try #require(try Self.proof(store))
      let codes = try store.prepareRecoveryCodes(for: proof.account, count: 2)
      let all = try await outcomes(file.path) { store, index in
        index % 2 == 0 ? try store.delete(by: proof) : try store.storeRecoveryCodes(codes, by: proof) && false
      }
      #expect(all.count { $0 } == 1)
      var left = ""
      try file.other { left = try run("SELECT count(*) FROM recovery_codes", on: $0) }
      #expect(left == "0")
    }
  }

  @Test(.onFile, arguments: LateChange.allCases)
  func `a change that waits for the database fails if the password was changed meanwhile`(change: LateChange) throws {
    let file = try TemporaryFile()
    let store = try file.store()
    _ = try store.register("ada@example.com", "ada", now: 0)
    if change == .device { _ = try store.codes("ada") }
    let proof = try #require(change == .device ? try store.pending("ada") : try Self.proof(store))
    let path = file.path
    let outcome = Mutex<Bool?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    try file.other { connection throws in
      try run("BEGIN IMMEDIATE", on: connection)
      try run("UPDATE accounts SET password_hash = 'another'", on: connection)
      Thread.detachNewThread {
        let isMade = try? change.make(TemporaryFile.store(at: path), proof)
        outcome.withLock { $0 = isMade }
        isDone.signal()
      }
      // Waits until the change has most likely read the file and is waiting.
      Thread.sleep(forTimeInterval: 0.2)
      try run("COMMIT", on: connection)
      isDone.wait()
      #expect(outcome.withLock { $0 } == false)
      #expect(try run("SELECT count(*) FROM accounts", on: connection) == "1")
      let kept = "SELECT (SELECT count(*) FROM one_time_codes) + (SELECT count(*) FROM remembered_devices)"
      #expect(try run(kept, on: connection) == "0")
    }
  }

  enum LateChange: CaseIterable {
    case deletion, enrolment, device

    func make(_ store: AccountStore, _ proof: PendingLogin) throws -> Bool {
      switch self {
      case .deletion: try store.delete(by: proof)
      case .enrolment: try store.enrol(by: proof) == .done
      case .device: try store.rememberDevice(of: proof.account, after: proof, lifetimeMs: 1_000, now: 1_000) != nil
      }
    }
  }

  @Test func `several concurrent imports of the same accounts import each account once`() async throws {
    let file = try TemporaryFile()
    _ = try file.store()
    let accounts = (0..<50).map {
      TransferredAccount(email: "n\($0)@example.com", userName: "n\($0)", passwordHash: ImportedHashTests.hashes[0])
    }
    let all = try await outcomes(file.path) { store, _ in
      try store.importAccounts(accounts, now: 1).count { $0 == .imported }
    }
    #expect(all.reduce(0, +) == 50)
    #expect(try file.store().accounts().count == 50)
  }
}
