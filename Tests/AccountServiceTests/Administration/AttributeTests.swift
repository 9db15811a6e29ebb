import AccountService
import JSONCodec
import TestSupport
import Testing

@Suite(.waits) struct AttributeTests {
  let directory: TemporaryDirectory
  let service: Service

  init() throws {
    directory = try TemporaryDirectory()
    service = try Service(directory.file)
    try service.introduce(#""secretValues":["answer","code","password","pin"]"#)
  }

  private func setup(_ id: Int, _ more: String, name: String = "ada") throws -> JSONValue {
    try service.ask(
      #"{"jsonrpc":"2.0","id":\#(id),"method":"authenticator/submit","params":{"attempt":\#(id),"request":"setup","values":{"email":"\#(name)@example.com","userName":"\#(name)","password":"correct horse"\#(more)}}}"#
    )
  }

  @Test
  func `attributes of a sign-up are stored unchanged, returned at each login, and shown to administrators`() throws {
    let more = #","team":"bl\u00fce \"x\"","news":true,"age":41,"phone":null"#
    let kept = "{\"team\":\"bl\u{FC}e \\\"x\\\"\",\"news\":true,\"age\":41,\"phone\":null}"
    #expect(try setup(1, more)["result"]?["data"]?["attributes"]?.text == kept)
    let login = try service.ask(2, "login", ["userName": "ada", "password": "correct horse"])
    #expect(login["result"]?["data"]?["attributes"]?.text == kept)
    #expect(try Service.run(directory.file, ["show", "ada"]).output.contains("\nattributes: \(kept)\n"))
    #expect(try Service.run(directory.file, ["export"]).output.contains("\"attributes\":\(kept)"))
    // A sign-up without attributes gets no member `attributes`.
    #expect(try setup(3, "", name: "bob")["result"]?["data"]?["attributes"] == nil)
  }

  @Test(
    arguments: [
      (#","pin":"1234""#, "values.pin"), (#","answer":"Rex""#, "values.answer"), (#","a b":"x""#, "values.a b"),
      (#","key":{"id":"x"}"#, "values.key"), (#","list":[1]"#, "values.list"),
      (#","long":"\#(String(repeating: "x", count: 4_097))""#, "values.long"),
      ((0..<33).map { #","a\#($0)":true"# }.joined(), nil),
      ((0..<5).map { #","a\#($0)":"\#(String(repeating: "x", count: 4_000))""# }.joined(), nil),
    ] as [(String, String?)])
  func `a sign-up with attributes that cannot be stored creates no account, and the error gives no values`(
    more: String, param: String?
  ) throws {
    let answer = try setup(1, more)
    #expect((answer.errorCode, answer.errorNumber) == ("unsupportedValue", 108))
    #expect(answer["error"]?["data"]?["param"]?.string == param)
    for value in ["1234", "Rex"] { #expect(!answer.text.contains(value)) }
    #expect(try service.ask(2, "login", ["userName": "ada", "password": "correct horse"]).outcome == "rejected")
  }

  @Test func `a sign-up may have as many and as long attributes as the limits allow, or none`() throws {
    let members = (0..<32).map { JSONValue.Member("a\($0)", .string(String(repeating: "x", count: 490))) }
    #expect(try Attributes.text(members)?.utf8.count == 32 * 490 + 22 * 9 + 10 * 8 + 1)
    #expect(try Attributes.text([]) == nil)
  }
}
