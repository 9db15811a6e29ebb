import Accounts
import Foundation
import Testing

@Suite struct RegistrationTests {
  let file: TemporaryFile
  let store: AccountStore

  init() throws {
    file = try TemporaryFile()
    store = try file.store()
  }

  @Test func `a user can log in with the email address or with the user name`() throws {
    let outcome = try store.register("Ada@example.com", "Ada", now: 77)
    let account = Account(id: 1, email: "Ada@example.com", userName: "Ada", createdMs: 77)
    #expect(outcome == .accepted(account))
    #expect(try store.login("ada@EXAMPLE.com") == .accepted(account))
    #expect(try store.login("ADA") == .accepted(account))
    #expect(try store.login("ada", "correct horsf") == .rejected)
    #expect(try store.login("ada", "correct hors") == .rejected)
    #expect(try store.login("ada", "") == .rejected)
    #expect(try store.login("adb") == .rejected)
  }

  @Test func `an account still exists after the file is reopened`() throws {
    _ = try store.register("ada@example.com", "ada")
    let again = try file.store()
    #expect(try again.login("ada").isAccepted)
  }

  @Test func `a taken email address and a taken user name are reported together`() throws {
    _ = try store.register("ada@example.com", "ada")
    _ = try store.register("bob@example.com", "bob")
    #expect(try store.register("ADA@example.com", "eve") == .refused([RefusedValue(.email, .taken)]))
    #expect(try store.register("eve@example.com", "Bob") == .refused([RefusedValue(.userName, .taken)]))
    let both: RegistrationOutcome = .refused([RefusedValue(.email, .taken), RefusedValue(.userName, .taken)])
    #expect(try store.register("ada@example.com", "bob") == both)
    #expect(try store.register("ada@example.com", "ada") == both)
    #expect(try store.accounts().map(\.userName) == ["ada", "bob"])
  }

  @Test func `a registration repeated with its idempotency key is accepted again`() throws {
    let first = try store.register("ada@example.com", "ada", key: "run:1")
    let again = try store.register("ada@example.com", "ada", key: "run:1")
    #expect(first == again)
    #expect(first.isAccepted)
    #expect(try store.accounts().count == 1)
  }

  @Test(
    arguments: [
      ("ada@example.com", "ada", "correct horse", "run:2"), ("ada@example.com", "ada", "wrong horse", "run:1"),
      ("ada@example.com", "adb", "correct horse", "run:1"), ("adb@example.com", "ada", "correct horse", "run:1"),
    ])
  func `a registration that differs in anything from an earlier one is not taken for a retry of it`(
    email: String, userName: String, password: String, key: String
  ) throws {
    _ = try store.register("ada@example.com", "ada", key: "run:1")
    let outcome = try store.register(email, userName, password, key: key)
    guard case .refused(let refused) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(refused.allSatisfy { $0.problem == .taken })
  }

  @Test func `an idempotency key that was used for other names does not block a registration`() throws {
    _ = try store.register("ada@example.com", "ada", key: "run:1")
    #expect(try store.register("bob@example.com", "bob", key: "run:1").isAccepted)
  }

  @Test func `exactly one of several concurrent registrations of a name succeeds`() async throws {
    let path = file.path
    let outcomes = try await withThrowingTaskGroup(of: RegistrationOutcome.self) { group in
      for index in 0..<8 {
        group.addTask {
          let store = try TemporaryFile.store(at: path)
          return try store.register("ada@example.com", index.isMultiple(of: 2) ? "ada" : "ADA")
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes.count(where: \.isAccepted) == 1)
    #expect(try store.accounts().count == 1)
  }

  @Test func `concurrent requests with one idempotency key for the same registration are all accepted`() async throws {
    let path = file.path
    let outcomes = try await withThrowingTaskGroup(of: RegistrationOutcome.self) { group in
      for _ in 0..<4 {
        group.addTask {
          return try TemporaryFile.store(at: path).register("ada@example.com", "ada", key: "run:1")
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes.count(where: \.isAccepted) == 4)
    #expect(try store.accounts().count == 1)
  }

  @Test(.onFile) func `no file ever contains the password of a registration`() throws {
    _ = try store.register("ada@example.com", "ada", "correct horse battery staple")
    _ = try store.login("ada", "correct horse battery staple")
    _ = try store.login("ada", "correct horse battery staplf")
    for name in try FileManager.default.contentsOfDirectory(atPath: file.directory) {
      let data = try Data(contentsOf: URL(fileURLWithPath: file.directory + "/" + name))
      #expect(data.range(of: Data("correct horse battery stap".utf8)) == nil)
    }
    let log = try Data(contentsOf: URL(fileURLWithPath: file.path + "-wal"))
    #expect(log.range(of: Data("ada@example.com".utf8)) != nil)
  }
}
