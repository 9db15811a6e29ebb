import AuthenticatorKit
import JSONCodec
import LoginMachine
import Testing

/// The values and secrets that an authenticator reads from a question.
struct EnteredValueTests {
  private func with<Result>(_ params: String, _ body: (inout EngineLine, EngineCall) throws -> Result) throws -> Result
  {
    let text =
      #"{"jsonrpc":"2.0","id":3,"method":"authenticator/submit","params":{"attempt":3,"request":"login",\#(params)}}"#
    return try Array(text.utf8).withUnsafeBytes { bytes in
      var line = EngineLine()
      let call = try line.read(bytes)
      return try body(&line, call)
    }
  }

  @Test("entered values are found by the authenticator's names of the fields, whatever names the flow has for them")
  func fields() throws {
    try with(#""values":{"mail":"ada","remember":true,"email":"eve","none":null},"fields":{"email":"mail"}"#) {
      line, _ in
      let texts = ["email", "mail", "remember", "nothing"].map { line.text($0) }
      #expect(texts == ["ada", "ada", nil, nil])
      let (isOn, kind) = (line.isOn("remember"), line.kind("none"))
      #expect(isOn == true && kind == .null)
      let found = [line.field("mail", among: ["userName", "email"]), line.field("email", among: ["email"])]
      #expect(found == ["email", nil])
      let others = line.others(than: ["email"]).map(\.key)
      #expect(others == ["remember", "email", "none"])
    }
  }

  @Test(
    "an authenticator reads a secret exactly as it was entered, and the secret matches only the same bytes",
    arguments: ["", "plain", "\"\\\n", "é\u{1F511}", "\u{0}"])
  func secrets(_ secret: String) throws {
    let escaped = JSONValue.string(secret).text
    try with(#""values":{"password":\#(escaped)},"secrets":{"device":\#(escaped)}"#) { line, _ in
      let expected = Array(secret.utf8)
      let lent = [
        line.withSecret("password") { Array($0) }, line.withOpeningSecret("device") { Array($0) },
        line.withOpeningSecret("other") { Array($0) },
      ]
      #expect(lent == [expected, expected, nil])
      let matches = [
        line.matches("password", expected), line.matches("password", expected + [1]), line.matches("other", expected),
      ]
      #expect(matches == [true, false, false])
    }
  }

  @Test(
    "the error about an engine's call names the member that is missing or has the wrong type",
    arguments: [
      (#"{"request":"login","values":{}}"#, "attempt"), (#"{"attempt":1,"values":{}}"#, "request"),
      (#"{"attempt":1,"request":7,"values":{}}"#, "request"), (#"{"attempt":1,"request":"x","values":[]}"#, "values"),
      (#"{"attempt":1,"request":"x","values":{},"key":""}"#, "key"), ("[]", "params"),
      (#"{"attempt":1,"request":"x","values":{},"locale":1}"#, "locale"),
    ])
  func invalid(_ params: String, _ name: String) throws {
    let text = #"{"jsonrpc":"2.0","id":3,"method":"authenticator/submit","params":\#(params)}"#
    let call = try Array(text.utf8).withUnsafeBytes { bytes in
      var line = EngineLine()
      return try line.read(bytes)
    }
    #expect(call == .invalid(InvalidMember(name), MessageID(3)))
  }

  @Test("a notification gets no answer from an authenticator, and a request with an unknown method gets an error")
  func others() throws {
    for (text, expected) in [
      (#"{"jsonrpc":"2.0","method":"authenticator/submit","params":{}}"#, EngineCall.nothing),
      (#"{"jsonrpc":"2.0","id":1,"result":{}}"#, .nothing), ("[]", .nothing),
      (#"{"jsonrpc":"2.0","method":"authenticator/later"}"#, .unknown(nil)),
      (#"{"jsonrpc":"2.0","id":1,"method":"authenticator/later"}"#, .unknown(MessageID(1))),
    ] {
      let call = try Array(text.utf8).withUnsafeBytes { bytes in
        var line = EngineLine()
        return try line.read(bytes)
      }
      #expect(call == expected, "\(text)")
    }
  }
}
