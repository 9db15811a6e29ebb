import JSONCodec
import TestSupport
import Testing

@Suite(.waits) struct RetryTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test func `a retry after the service's process died is accepted within one run of the engine`() throws {
    let environment = ["LOGIN_ENGINE_RUN": "0123abcd"]
    let first = try Service(directory.file, environment: environment).ask(1, "setup", ada)
    let again = try Service(directory.file, environment: environment).ask(5, "setup", ada, retryOf: 1)
    #expect(first.outcome == "accepted")
    #expect(again["result"]?.undatedText == first["result"]?.undatedText)
  }

  @Test(arguments: [["LOGIN_ENGINE_RUN": "another"], [:]])
  func `a request that refers to a request number from another run of the engine is not a retry`(
    environment: [String: String]
  )
    throws
  {
    _ = try Service(directory.file, environment: ["LOGIN_ENGINE_RUN": "0123abcd"]).ask(1, "setup", ada)
    let again = try Service(directory.file, environment: environment).ask(5, "setup", ada, retryOf: 1)
    #expect(again.code(of: "email") == "email.taken")
  }

  @Test func `requests with the same idempotency key are retries in any run, and another key makes another request`()
    throws
  {
    let service = try Service(directory.file, environment: ["LOGIN_ENGINE_RUN": "one"])
    let first = try service.ask(1, "setup", ada, key: "k-1")
    let elsewhere = try Service(directory.file, environment: ["LOGIN_ENGINE_RUN": "other"])
    let again = try elsewhere.ask(9, "setup", ada, key: "k-1")
    #expect(again["result"]?.undatedText == first["result"]?.undatedText)
    #expect(try elsewhere.ask(10, "setup", ada, retryOf: 9, key: "k-2").code(of: "email") == "email.taken")
  }

  @Test func `an invalid idempotency key is refused`() throws {
    let service = try Service(directory.file)
    let answer = try service.ask(1, "setup", ada, key: String(repeating: "k", count: 129))
    #expect(answer["error"]?["data"]?["param"]?.string == "key")
  }

  @Test func `a retry of a sign-up with another password counts as another sign-up`() throws {
    let service = try Service.withAda(directory.file)
    let other = ada.merging(["password": "another horse"]) { $1 }
    #expect(try service.ask(2, "setup", other, retryOf: 1).code(of: "userName") == "userName.taken")
    #expect(try service.ask(3, "setup", ada, retryOf: 1).outcome == "accepted")
  }
}
