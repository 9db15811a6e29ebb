import Foundation
import JSONCodec
import TestSupport
import Testing

@Suite(.waits) struct RecoveryCrashTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    _ = try Service(directory.file).ask(1, "setup", ada)
  }

  /// Kills the service repeatedly, around the moment at which it uses a recovery code.
  @Test
  func `a recovery code whose use was acknowledged is never accepted again, even if the service is killed`() throws {
    // One recovery code stays unused, so that no new ones are offered.
    let codes = try Service.codes(directory.file, count: 21).dropLast()
    var acknowledged = 0
    for (round, code) in codes.enumerated() {
      let service = try Service(directory.file, environment: ["LOGIN_ENGINE_RUN": "run\(round)"])
      #expect(try service.ask(2, "login", adasLogin).screen == "recoveryCode")
      service.send(Service.proceed(3, 2, ["code": code]))
      // In every fourth round, the test waits for the service's answer before it kills the service.
      var line = round % 4 == 3 ? try service.line() : nil
      if line == nil { usleep(UInt32(round * 500)) }
      service.signal(SIGKILL)
      if line == nil { line = try service.line() }
      _ = service.wait()
      let wasTaken = try line.map { try JSONValue(parsing: $0).outcome } == "accepted"
      if wasTaken {
        acknowledged += 1
        #expect(try isUsed(round))
      }
    }
    #expect(acknowledged >= codes.count / 4)
    // Each code is entered again, whatever happened before. No code whose use was acknowledged is
    // accepted.
    let service = try Service(directory.file, ["--clock", "manual"])
    for (round, code) in codes.enumerated() {
      let wasUsed = try isUsed(round)
      _ = try service.ask(100 + round, "login", adasLogin)
      var answer = try service.proceed(200 + round, 100 + round, ["code": code])
      // Attempts during which the service died are counted as well, so the login may be throttled.
      if answer.outcome == "throttled" {
        try service.advance(900_000)
        _ = try service.ask(300 + round, "login", adasLogin)
        answer = try service.proceed(400 + round, 300 + round, ["code": code])
      }
      #expect(answer.outcome == (wasUsed ? "challenge" : "accepted"))
      #expect(try isUsed(round))
    }
  }

  private func isUsed(_ index: Int) throws -> Bool {
    try directory.run(
      "SELECT CASE WHEN used IS NULL THEN 'no' ELSE 'yes' END FROM recovery_codes ORDER BY id LIMIT 1 OFFSET \(index)")
      == "yes"
  }
}
