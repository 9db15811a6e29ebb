import Accounts
import TestSupport
import Testing

/// Answers must not reveal to someone who guesses names and codes which accounts exist.
@Suite struct EnumerationTests {
  /// One action of someone who does not know the password, or who finally guesses it.
  private enum Step: CaseIterable {
    case wrongPassword, rightPassword, otherNames, askForCode, wrongCode, waitLittle, waitLong, clockBehind
  }

  private static let names = ["ada", "ADA", "ada@example.com", "Ada@Example.com"]
  private static let address = "ada@example.com"

  @Test(arguments: seeds)
  func `until a login succeeds, all answers about an account equal those about unknown names`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for round in 0..<Workload.amount(200, atLeast: 5) {
      let (file, empty) = (try TemporaryFile(), try TemporaryFile())
      let stores = try [file, empty].map { try $0.store { $0.maximumUnknownIdentifiers = 6 } }
      for store in stores { _ = try store.register("bob@example.com", "bob") }
      _ = try stores[0].register(Self.address, "ada")
      if round % 2 == 0 {
        // Close to the account's own limit, from attempts whose names both files have forgotten.
        try file.other { try run("INSERT INTO tries VALUES ('account:2', 1, 96, 0, 1000000, NULL)", on: $0) }
      }
      var now: Int64 = 2_000_000
      for step in 0..<60 {
        // Of names typed at the same moment, each file forgets a different one first, because their
        // hashes are random. A failure by a clock that is behind counts as long after the last one
        // as it arrives, so the time between two steps varies.
        now += Int64.random(in: 1..<1_000, using: &random)
        let name = random.pick(Self.names)
        let kind = random.pick([.wrongPassword, .wrongPassword] + Step.allCases)
        let other = "n\(Int.random(in: 0..<20, using: &random))"
        switch kind {
        case .waitLittle: now += Int64.random(in: 0..<5_000, using: &random)
        case .waitLong: now += Int64.random(in: 0..<4_000_000, using: &random)
        default: break
        }
        let time = kind == .clockBehind ? max(0, now - 1_200_000) : now
        let answers = try stores.map { store throws in
          switch kind {
          case .wrongPassword, .clockBehind: "\(try store.login(name, "wrong", now: time))"
          case .rightPassword: "\(try store.login(name, now: time))"
          case .otherNames: "\(try store.login(other, "wrong", now: time))"
          case .askForCode: "\(try store.requestReset(email: Self.address, now: time).wait ?? 0)"
          case .wrongCode: "\(try store.reset(Self.address, "0000000000", now: time))"
          case .waitLittle, .waitLong: ""
          }
        }
        if kind == .rightPassword, answers[0].hasPrefix("accepted") { break }
        guard answers[0] == answers[1] else {
          Issue.record("round \(round), step \(step): \(kind) of \(name): \(answers)")
          return
        }
      }
    }
  }

  @Test
  func `failed logins with an account's address and with its name are counted separately, as for unknown names`() throws
  {
    let file = try TemporaryFile()
    let store = try file.store()
    _ = try store.register(Self.address, "ada")
    for names in [[Self.address, "ada"], ["eve@example.com", "eve"]] {
      for _ in 0..<5 { #expect(try store.login(names[0], "wrong") == .rejected) }
      #expect(try store.login(names[0], "wrong") == .throttled(retryAfterMs: 1_000))
      #expect(try store.login(names[1], "wrong") == .rejected)
    }
  }
}
