import Foundation
import JSONCodec
import TestSupport
import Testing

/// Tests with a flow that has changed the names of fields.
@Suite(.waits) struct FieldTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private static let fields = #""fields":{"email":"mail","userName":"nick","password":"pass"}"#

  private func line(_ id: Int, _ method: String, _ params: String) -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"authenticator/\#(method)","params":{"attempt":\#(id),"locale":"en",\#(params)}}"#
  }

  @Test func `sign-ups and logins use the flow's field names, and renamed fields do not become attributes`() throws {
    let service = try Service(directory.file)
    let values = #""values":{"mail":"ada@example.com","nick":"ada","pass":"correct horse","city":"London"}"#
    let made = try service.ask(line(1, "submit", #""request":"setup",\#(values),\#(Self.fields)"#))
    #expect(made.outcome == "accepted")
    #expect(made["result"]?["data"]?["attributes"] == .object([.init("city", .string("London"))]))
    for (id, name) in [(2, #""nick":"ada""#), (3, #""mail":"ada@example.com""#)] {
      let answer = try service.ask(
        line(id, "submit", #""request":"login","values":{\#(name),"pass":"correct horse"},\#(Self.fields)"#))
      #expect(answer["result"]?["principal"]?.string == "ada")
    }
    // Under the default names, these values are not the fields of the flow.
    let lost = try service.ask(
      line(4, "submit", #""request":"login","values":{"userName":"ada","password":"correct horse"},\#(Self.fields)"#))
    #expect(lost["error"]?["data"]?["code"]?.string == "invalidParams")
  }

  @Test func `the check of a typed value identifies its item by the flow's field name`() throws {
    let service = try Service(directory.file)
    for (id, item, value, code) in [
      (1, "mail", "ada@", "email.invalid"), (2, "nick", "a@b", "userName.invalid"),
      (3, "pass", "short", "password.tooShort"),
      (4, "email", "ada@", nil),
    ] {
      let answer = try service.ask(
        line(id, "check", #""request":"setup","item":"\#(item)","values":{"\#(item)":"\#(value)"},\#(Self.fields)"#))
      #expect(answer["result"]?["message"]?["code"]?.string == code, "\(item)")
    }
  }
}
