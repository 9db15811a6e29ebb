import Foundation
import JSONCodec
import TestServer
import TestSupport
import Testing

@Suite(.waits) struct CrashTests {
  @Test func `every acknowledged account survives SIGKILL, and the file stays intact`() throws {
    try Self.killAtRegistrations(40)
  }

  /// Kills the process repeatedly at random moments while it processes registrations. All rounds
  /// use one file.
  static func killAtRegistrations(_ kills: Int) throws {
    let seed = SeededRandom.seed(in: "ACCOUNT_SEED")
    var random = SeededRandom(seed: seed)
    let directory = try TemporaryDirectory()
    var acknowledged: Set<String> = []
    var lost = 0
    for round in 0..<kills {
      let service = try Service(directory.file, environment: ["LOGIN_ENGINE_RUN": "crash"])
      for index in 0..<20 {
        let name = "r\(round)n\(index)"
        let values = ["email": name + "@example.com", "userName": name, "password": "correct horse"]
        service.send(Service.submit(round * 100 + index, "setup", values))
      }
      // The process is killed at a random moment between its start and its last answer, chosen in
      // answers and in microseconds.
      for _ in 0..<Int.random(in: 0...6, using: &random) {
        guard let line = try service.line() else { break }
        let answer = try JSONValue(parsing: line)
        #expect(answer.outcome == "accepted")
        if let name = answer["result"]?["principal"]?.string { acknowledged.insert(name) }
      }
      usleep(UInt32.random(in: 0...8_000, using: &random))
      service.signal(SIGKILL)
      // Answers that the process had written before it died count as acknowledged as well.
      while let line = try service.line() {
        if let name = (try? JSONValue(parsing: line))?["result"]?["principal"]?.string { acknowledged.insert(name) }
      }
      _ = service.wait()
      lost += round % 25 == 24 || round == kills - 1 ? try missing(acknowledged, directory) : 0
    }
    #expect(acknowledged.count > kills / 2)
    #expect(lost == 0, "seed \(seed)")
  }

  @Test func `a registration that was committed and never answered is accepted on retry`() throws {
    let directory = try TemporaryDirectory()
    let environment = ["LOGIN_ENGINE_RUN": "crash"]
    for round in 0..<10 {
      let name = "n\(round)"
      let values = ["email": name + "@example.com", "userName": name, "password": "correct horse"]
      let service = try Service(directory.file, environment: environment)
      service.send(Service.submit(round, "setup", values))
      // Waits until the account is in the file, whether or not the service has answered.
      let reader = try Service(directory.file)
      while try reader.ask(1, "login", ["userName": name, "password": "correct horse"]).outcome != "accepted" {
        _ = try Service(directory.file, ["remove", "nobody"]).wait()
      }
      service.signal(SIGKILL)
      _ = service.wait()
      let again = try Service(directory.file, environment: environment).ask(1_000, "setup", values, retryOf: round)
      #expect(again.outcome == "accepted")
    }
  }

  private static func missing(_ names: Set<String>, _ directory: TemporaryDirectory) throws -> Int {
    if !TestServer.isUsed { #expect(try directory.run("PRAGMA integrity_check") == "ok") }
    return try names.count { try directory.run("SELECT 1 FROM accounts WHERE user_name = '\($0)'") != "1" }
  }
}
