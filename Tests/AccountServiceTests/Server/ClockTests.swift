import JSONCodec
import TestSupport
import Testing

@Suite(.waits) struct ClockTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test func `a lockout under a manual clock lasts until the clock is advanced`() throws {
    let service = try Service.withAda(directory.file, ["--clock", "manual"])
    let wrong = ["userName": "ada", "password": "wrong"]
    let right = ["userName": "ada", "password": "correct horse"]
    for attempt in 2...6 { #expect(try service.ask(attempt, "login", wrong).outcome == "rejected") }
    let throttled = try service.ask(7, "login", right)
    #expect(throttled.text == #"{"jsonrpc":"2.0","id":7,"result":{"outcome":"throttled","retryAfterMs":1000}}"#)
    let advanced = try service.ask(#"{"jsonrpc":"2.0","id":8,"method":"clock/advance","params":{"milliseconds":999}}"#)
    #expect(advanced.text == #"{"jsonrpc":"2.0","id":8,"result":{}}"#)
    #expect(try service.ask(9, "login", right)["result"]?["retryAfterMs"]?.integer == 1)
    _ = try service.ask(#"{"jsonrpc":"2.0","id":10,"method":"clock/advance","params":{"milliseconds":1}}"#)
    #expect(try service.ask(11, "login", right).outcome == "accepted")
  }

  @Test func `a manual clock can be advanced repeatedly, by any length of time`() throws {
    let service = try Service(directory.file, ["--clock", "manual"])
    for id in 1...3 {
      let line = #"{"jsonrpc":"2.0","id":\#(id),"method":"clock/advance","params":{"milliseconds":\#(Int64.max)}}"#
      #expect(try service.ask(line)["result"]?.members?.isEmpty == true)
    }
    #expect(try service.ask(4, "setup", ada).outcome == "accepted")
  }

  @Test func `a lockout under the system's clock continues after a restart of the service`() throws {
    let wrong = ["userName": "nobody", "password": "wrong"]
    // Each failed attempt lengthens the wait, until even a slow machine can observe it.
    for tries in 1...12 {
      let service = try Service(directory.file)
      var isThrottled = false
      for attempt in 1...10 where !isThrottled {
        isThrottled = try service.ask(attempt, "login", wrong).outcome == "throttled"
      }
      service.signal(9)
      _ = service.wait()
      let answer = try Service(directory.file).ask(1, "login", wrong)
      if answer.outcome == "throttled" { return }
      #expect(tries < 12, "\(answer)")
    }
  }
}
