import Foundation
import JSONCodec
import TestSupport
import Testing

/// Tests in which several sessions of two services receive the same code at the same time.
@Suite struct ServiceRaceTests {
  @Test(arguments: Race.Code.allCases)
  func `if four sessions of two services send the same code at the same time, exactly one is accepted`(code: Race.Code)
    throws
  {
    try Race(code).run(rounds: Workload.amount(10, atLeast: 3))
  }
}

@Suite(
  "Stress tests of concurrent uses of one code",
  .enabled(if: Workload.includesStress, "\(Workload.stressHint)"), .waits)
struct RaceStressTests {
  /// `.ci/nightly/run` does a thousand.
  @Test(arguments: Race.Code.allCases)
  func `if four sessions of two services send the same code at the same time, exactly one wins, a hundred times`(
    code: Race.Code
  )
    throws
  {
    try Race(code).run(rounds: Workload.amount(100))
  }
}

@Suite struct PasskeyRaceTests {
  @Test
  func `if a passkey challenge is answered four times at once in two services, exactly one answer is accepted`() throws
  {
    try PasskeyRace().run(rounds: Workload.amount(10, atLeast: 3))
  }
}

@Suite(
  "Stress tests of concurrent uses of one passkey challenge",
  .enabled(if: Workload.includesStress, "\(Workload.stressHint)"), .waits)
struct PasskeyRaceStressTests {
  /// `.ci/nightly/run` does a thousand.
  @Test
  func `if a passkey challenge is answered four times at once, exactly one answer is accepted, a hundred times`() throws
  {
    try PasskeyRace().run(rounds: Workload.amount(100))
  }
}

/// Races for one challenge of a passkey. In each round, the signed answer is used twice in the
/// challenge's conversation, and twice in a conversation of another service that asks for the same
/// passkey.
struct PasskeyRace {
  private let directory: TemporaryDirectory
  private let key = SoftwareKey()
  private let services: [Service]

  init() throws {
    let directory = try TemporaryDirectory()
    self.directory = directory
    let first = try Service.withAda(directory.file, Service.passkeyOptions)
    try first.registerPasskey(key, 2)
    // A login with the password then asks for the passkey as well.
    _ = try Service.codes(directory.file)
    services = try ["one", "other"].map {
      try Service(directory.file, Service.passkeyOptions, environment: ["LOGIN_ENGINE_RUN": $0])
    }
  }

  func run(rounds: Int) throws {
    for round in 0..<rounds {
      let attempt = 10 + round * 10
      let isAlone = round % 2 == 0
      let asked = try services.map {
        try $0.ask(attempt, isAlone ? "passkey" : "login", isAlone ? [:] : adasLogin, supports: Service.both)
      }
      #expect(asked.allSatisfy { $0.screen == "passkey" }, "round \(round)")
      let proof = asked[round / 2 % 2].used(by: key)
      for service in services {
        for id in [attempt + 1, attempt + 2] { service.send(try Service.proceedLine(id, attempt, json: proof)) }
      }
      let answers = try services.flatMap { service in try (0..<2).map { _ in try service.nextAnswer() } }
      let winners = answers.count { $0.outcome == "accepted" }
      #expect(winners == 1, "round \(round): \(answers.map { ($0.outcome, $0.reason) })")
      // While one answer of a conversation is checked, another is refused.
      #expect(answers.allSatisfy { $0.errorCode == nil || $0.errorCode == "invalidParams" }, "round \(round)")
    }
  }
}

/// Races for one code, in several rounds.
struct Race {
  enum Code: CaseIterable {
    case recovery, oneTime
    /// The user sets another password with a mailed code, without a login.
    case mailed
  }

  private let code: Code
  private let directory: TemporaryDirectory

  init(_ code: Code) throws {
    self.code = code
    directory = try TemporaryDirectory()
    _ = try Service(directory.file).ask(1, "setup", ada)
  }

  func run(rounds: Int) throws {
    let app = code == .oneTime ? try Service.enrol(directory.file) : nil
    let services = try ["one", "other"].map {
      try Service(directory.file, ["--clock", "manual"], environment: ["LOGIN_ENGINE_RUN": $0])
    }
    var codes: [String] = []
    var now: Int64 = 0
    for round in 0..<rounds {
      // In this time, the limit on mails allows another one.
      let step: Int64 = code == .mailed ? 86_400_000 : 60_000
      now += step
      for service in services { try service.advance(Int(step)) }
      if code == .recovery, codes.isEmpty { codes = try Service.codes(directory.file, count: 100) }
      let next =
        switch code {
        case .recovery: codes.removeLast()
        case .oneTime: app?.code(now) ?? ""
        case .mailed: try mailed(services[0], round)
        }
      // All sessions are asked before any of them has answered.
      let ids = [10 + round * 10, 13 + round * 10]
      if code != .mailed {
        for service in services {
          for id in ids { #expect(try service.ask(id, "login", adasLogin).outcome == "challenge") }
        }
      }
      for (number, service) in services.enumerated() {
        for id in ids { service.send(line(id, next, "another horse \(number) \(id)")) }
      }
      let answers = try services.flatMap { service in try ids.map { _ in try service.nextAnswer() } }
      // A user who has used the last recovery code is offered new ones. Some attempts may come so
      // late that the wrong attempts of others have been counted.
      let winners = answers.count { ["accepted", "notice"].contains($0.outcome) || $0.screen == "newRecoveryCodes" }
      #expect(winners == 1, "round \(round): \(answers.map { ($0.outcome, $0.screen) })")
      #expect(answers.allSatisfy { $0.errorCode == nil }, "round \(round)")
    }
  }

  private func line(_ id: Int, _ next: String, _ password: String) -> String {
    guard code == .mailed else { return Service.proceed(id + 1, id, ["code": next]) }
    return Service.submit(id, "resetPassword", ["email": "ada@example.com", "code": next, "password": password])
  }

  /// Requests a code and reads it from the outbox.
  private func mailed(_ service: Service, _ round: Int) throws -> String {
    let mails = Mails(directory: directory.path)
    try? FileManager.default.removeItem(atPath: mails.outbox)
    _ = try service.ask(8 + round * 10, "forgotPassword", ["email": "ada@example.com"])
    let texts = try mails.waiting {
      mails.namesNow.filter { $0.hasSuffix(".eml") }
        .compactMap { try? String(contentsOfFile: mails.outbox + "/" + $0, encoding: .utf8) }
        .filter { $0.contains("Your code") }
    } until: {
      !$0.isEmpty
    }
    return try Mails.code(texts.first ?? "")
  }
}
