import JSONCodec
import TestSupport
import Testing

@Suite struct RetryTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test func `a retry after the process died is accepted within one run of an engine`() throws {
    let environment = ["LOGIN_ENGINE_RUN": "0123abcd"]
    let first = try Service(directory.file, environment: environment).ask(1, "setup", ada)
    let again = try Service(directory.file, environment: environment).ask(5, "setup", ada, retryOf: 1)
    #expect(first.outcome == "accepted")
    #expect(again["result"] == first["result"])
  }

  @Test(arguments: [["LOGIN_ENGINE_RUN": "another"], [:]])
  func `the same number in another run is not a retry`(environment: [String: String]) throws {
    _ = try Service(directory.file, environment: ["LOGIN_ENGINE_RUN": "0123abcd"]).ask(1, "setup", ada)
    let again = try Service(directory.file, environment: environment).ask(5, "setup", ada, retryOf: 1)
    #expect(again.code(of: "email_field") == "email.taken")
  }

  @Test func `a retry with another password is not the same registration`() throws {
    let service = try Service(directory.file)
    _ = try service.ask(1, "setup", ada)
    let other = ada.merging(["password": "another horse"]) { $1 }
    #expect(try service.ask(2, "setup", other, retryOf: 1).code(of: "user_name") == "userName.taken")
    #expect(try service.ask(3, "setup", ada, retryOf: 1).outcome == "accepted")
  }
}
