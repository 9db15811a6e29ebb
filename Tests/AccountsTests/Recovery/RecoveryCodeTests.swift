import Accounts
import Foundation
import SecretMemory
import Testing

@Suite struct RecoveryCodeTests {
  let file: TemporaryFile
  let store: AccountStore
  static let wrong = "0000-0000-0000-0000"

  init() throws {
    file = try TemporaryFile()
    store = try file.store()
    _ = try store.register("ada@example.com", "ada")
  }

  @Test func `recovery codes are sixteen characters in groups of four, and no two are equal`() throws {
    let codes = try store.codes(count: 100)
    #expect(Set(codes).count == 100)
    for code in codes {
      #expect(code.wholeMatch(of: /[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}/) != nil, "\(code)")
    }
    // Each position has 32 possible values; fewer than 15 different ones in 100 draws would be
    // suspicious.
    for place in [0, 3, 13, 15, 18] { #expect(Set(codes.map { Array($0)[place] }).count > 15) }
  }

  @Test(arguments: [(0, 1), (1, 1), (10, 10), (1_000, 100)])
  func `an account gets from 1 to 100 recovery codes, whatever number is asked for`(
    asked: Int, given: Int
  ) throws {
    #expect(try store.codes(count: asked).count == given)
  }

  @Test func `an account with recovery codes asks for one after the right password, and never after a wrong one`()
    throws
  {
    #expect(try store.login("ada").isAccepted)
    let codes = try store.codes()
    #expect(try store.login("ada", "wrong") == .rejected)
    let login = try #require(try store.pending())
    #expect(login.demand == .recoveryCode)
    #expect(login.account.userName == "ada")
    #expect(try store.use(codes[1], login).isAccepted)
  }

  @Test(
    arguments: [
      { (code: String) in code }, { " " + $0.lowercased().replacingOccurrences(of: "-", with: "  ") },
      { $0.replacingOccurrences(of: "-", with: "") },
      { $0.replacingOccurrences(of: "0", with: "o").replacingOccurrences(of: "1", with: "L") },
    ] as [@Sendable (String) -> String])
  func `a recovery code is accepted in all forms in which users type it`(typed: @Sendable (String) -> String) throws {
    let code = try store.codes(count: 1)[0]
    #expect(try store.use(typed(code), try #require(try store.pending())).isAccepted)
  }

  @Test func `each recovery code works once, in any order, and used ones are refused like wrong ones`() throws {
    let codes = try store.codes()
    for (index, code) in codes.reversed().enumerated() {
      let login = try #require(try store.pending())
      #expect(try store.use(code, login, key: "run:\(index)").isAccepted)
      #expect(try store.use(code, login, key: "again:\(index)") == .rejected)
      #expect(try store.use(Self.wrong, login, key: "wrong:\(index)") == .rejected)
    }
  }

  @Test func `an account whose recovery codes are all used still requires one`() throws {
    let codes = try store.codes(count: 1)
    #expect(try store.use(codes[0], try #require(try store.pending())).isAccepted)
    let login = try #require(try store.pending())
    #expect(try store.use(codes[0], login, key: "run:2") == .rejected)
    #expect(try store.accountStatuses().map(\.recoveryCodesLeft) == [0])
    let others = try store.codes(count: 1)
    #expect(try store.use(others[0], login, key: "run:3").isAccepted)
  }

  @Test func `new recovery codes replace the former ones`() throws {
    let first = try store.codes()
    let second = try store.codes()
    let login = try #require(try store.pending())
    #expect(try store.use(first[0], login) == .rejected)
    #expect(try store.use(second[0], login).isAccepted)
  }

  @Test func `a recovery code of another account is refused as wrong`() throws {
    _ = try store.register("eve@example.com", "eve")
    let eves = try store.codes("eve")
    _ = try store.codes("ada")
    #expect(try store.use(eves[0], try #require(try store.pending("ada"))) == .rejected)
    #expect(try store.use(eves[0], try #require(try store.pending("eve"))).isAccepted)
  }

  @Test func `turning recovery codes off affects an account's next login and ends its pending logins`() throws {
    let codes = try store.codes()
    let login = try #require(try store.pending())
    #expect(try store.removeRecoveryCodes(identifier: "ADA@example.com")?.userName == "ada")
    #expect(try store.use(codes[0], login) == .over)
    #expect(try store.login("ada").isAccepted)
    #expect(try store.removeRecoveryCodes(identifier: "nobody") == nil)
    #expect(try store.codes("nobody") == [])
  }

  @Test
  func `a recovery code repeated with its idempotency key gets the same answer and uses up no other code`() throws {
    let codes = try store.codes()
    let login = try #require(try store.pending())
    #expect(try store.use(codes[0], login, key: "run:7").isAccepted)
    for _ in 0..<9 { #expect(try store.use(codes[0], login, key: "run:7").isAccepted) }
    #expect(try store.use(codes[1], login, key: "run:7") == .rejected)
    #expect(try store.accountStatuses().map(\.recoveryCodesLeft) == [2])
    #expect(try store.use(codes[0], login, key: "run:8") == .rejected)
    #expect(try file.store().use(codes[0], login, key: "run:7").isAccepted)
  }

  @Test
  func `a login that waits for a recovery code ends when its password is changed or its account removed`() throws {
    let codes = try store.codes()
    let login = try #require(try store.pending())
    _ = try store.setPassword("ada", "another horse")
    #expect(try store.use(codes[0], login) == .over)
    let later = try #require(try store.pending("ada", "another horse"))
    _ = try store.remove(identifier: "ada")
    #expect(try store.use(codes[0], later) == .over)
    _ = try store.register("ada@example.com", "ada")
    #expect(try store.login("ada").isAccepted)
  }

  @Test func `after a mailed reset, an account with printed recovery codes still requires one`() throws {
    _ = try store.codes()
    let code = try #require(try store.code(for: "ada@example.com"))
    #expect(try store.reset("ada@example.com", code) == .done)
    #expect(try store.pending("ada", "another horse")?.demand == .recoveryCode)
  }

  @Test func `the accounts file contains no recovery codes, only hashes of them that share one salt`() throws {
    let codes = try store.codes()
    for name in try FileManager.default.contentsOfDirectory(atPath: file.directory) {
      let data = try Data(contentsOf: URL(fileURLWithPath: file.directory + "/" + name))
      for code in codes {
        for text in [code, code.replacingOccurrences(of: "-", with: "")] {
          #expect(data.range(of: Data(text.utf8)) == nil)
        }
      }
    }
    try file.other { connection throws in
      let salts = "SELECT count(DISTINCT substr(code_hash, 1, 29)) FROM recovery_codes"
      #expect(try run(salts, on: connection) == "1")
      #expect(try run("SELECT count(DISTINCT code_hash) FROM recovery_codes", on: connection) == "3")
      #expect(try run("SELECT min(substr(code_hash, 1, 7)) FROM recovery_codes", on: connection) == "$y$j75$")
    }
  }

  @Test func `exactly one of several concurrent uses of a recovery code succeeds, unless all have one idempotency key`()
    async throws
  {
    let path = file.path
    for (keys, winners) in [((0..<4).map { "run:\($0)" }, 1), (Array(repeating: "same", count: 4), 4)] {
      let code = try store.codes(count: 1)[0]
      let login = try #require(try store.pending())
      let outcomes = try await withThrowingTaskGroup(of: CodeOutcome.self) { group in
        for key in keys {
          group.addTask {
            return try TemporaryFile.store(at: path).use(code, login, key: key)
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(outcomes.count { $0.isAccepted } == winners)
    }
  }
}
