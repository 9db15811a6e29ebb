import FlowFiles
import JSONCodec
import LoginMachine
import LoginProtocol
import Testing

/// How texts and messages are written.
struct MessageTextTests {
  private func flow(_ strings: [String: [String: String]]) throws -> Flow {
    try standardFlow().with(strings: StringTables(strings.mapValues { StringTable($0) }))
  }

  /// The snapshot of a machine with the texts of a locale.
  private func snapshot(_ machine: SessionMachine, _ locale: String) throws -> JSONValue {
    var machine = machine
    return try JSONValue(parsing: TestWriter().snapshot(of: &machine, FlowTemplate(machine.flow, locale: locale)))
  }

  private func failed(_ flow: Flow, _ message: Message, items: [Draft.Remark] = []) -> SessionMachine {
    var machine = SessionMachine(flow: flow, screen: 0)
    _ = machine.change(0, to: Array("a@b".utf8).span)
    _ = machine.changeSecret(1, isFilled: true, failing: RuleSet())
    _ = machine.press(.submit, question: 1)
    _ = machine.handleAnswer(.failed(message, items: items), to: 1, question: 2)
    return machine
  }

  @Test("a rule's message has its code, the flow's text, and its parameters") func ruleMessage() throws {
    var machine = SessionMachine(flow: try standardFlow(), screen: 1)
    let rules = machine.screen.items[2].rules
    _ = machine.changeSecret(2, isFilled: true, failing: RuleSet(of: rules, failingOn: Array("short".utf8).span))
    let item = try snapshot(machine, "en")["sections"]?[0]?["items"]?[2]
    #expect(
      try item?["messages"]
        == JSONValue(
          parsing: #"[{"code":"password.tooShort","text":"Use at least 9 characters.","params":{"length":9}}]"#))
  }

  @Test(
    "the parameters of a message are written unchanged, and their numbers keep the notation in which they were given")
  func parameters() throws {
    let message = Message("throttled", [.init("seconds", .number("1.50e2")), .init("a\"b", .text("\\ \n"))])
    let error = try snapshot(failed(standardFlow(), message), "en")["error"]
    #expect(
      try error
        == JSONValue(
          parsing:
            #"{"code":"throttled","text":"Too many tries. Try again in 1.50e2 s.","params":{"seconds":1.50e2,"a\"b":"\\ \n"}}"#
        ))
  }

  @Test("a message without parameters is written without the member params") func noParameters() throws {
    #expect(try snapshot(failed(standardFlow(), Message("invalidCredentials")), "en")["error"]?.members?.count == 2)
  }

  @Test(
    "a message has the flow's text for its code, else its own text, else the flow's text for unknown errors",
    arguments: [
      (Message("invalidCredentials", text: "theirs"), "The email address or the password is wrong."),
      (Message("their.code", text: "theirs"), "theirs"), (Message("their.code"), "Unknown error"),
    ])
  func choice(_ message: Message, _ text: String) throws {
    let said = Draft.Remark(item: 1, message: message)
    let shown = try snapshot(failed(standardFlow(), message, items: [said]), "en")
    #expect(shown["error"]?["text"]?.string == text && shown["error"]?["code"]?.string == message.code)
    #expect(shown["sections"]?[0]?["items"]?[1]?["messages"]?[0]?["text"]?.string == text)
    #expect(shown["sections"]?[0]?["items"]?[1]?["validity"]?.string == "invalid")
  }

  @Test("all texts in a snapshot are in the session's locale", arguments: ["en", "de"]) func locale(_ locale: String)
    throws
  {
    // Every text consists of its locale and its key, so that a text of another locale is detected.
    let keys = try #require(standardFlow().strings["en"]).texts.keys
    let strings = ["en", "de"].reduce(into: [String: [String: String]]()) { tables, name in
      tables[name] = Dictionary(uniqueKeysWithValues: keys.map { ($0, "\(name):\($0)") })
    }
    let machine = failed(try flow(strings), Message("invalidCredentials"))
    let shown = try snapshot(machine, locale)
    #expect(shown["title"]?.string == "\(locale):login.title")
    #expect(shown["error"]?["text"]?.string == "\(locale):invalidCredentials")
    #expect(shown["actions"]?[0]?["title"]?.string == "\(locale):action.retry")
    #expect(shown["actions"]?[1]?["title"]?.string == "\(locale):login.setup")
    let items = shown["sections"]?[0]?["items"]
    #expect(items?[0]?["title"]?.string == "\(locale):email.title")
    #expect(items?[0]?["placeholder"]?.string == "\(locale):email.placeholder")
    #expect(items?[1]?["placeholder"] == nil)
  }

  @Test("a snapshot has its members in the order that the protocol documents") func members() throws {
    let shown = try snapshot(SessionMachine(flow: standardFlow(), screen: 0), "en")
    #expect(
      shown.members?.map(\.key)
        == [
          "screen", "state", "title", "locale", "direction", "sections", "actions", "activity", "error", "notice",
          "alert",
          "scene", "retryAt", "focus",
        ])
    #expect(
      shown["sections"]?[0]?["items"]?[0]?.members?.map(\.key)
        == [
          "id", "kind", "inputType", "title", "placeholder", "required", "value", "editable", "validity", "messages",
        ])
    #expect(
      shown["sections"]?[0]?["items"]?[2]?.members?.map(\.key) == ["id", "kind", "title", "value", "editable"])
    #expect(shown["actions"]?[0]?.members?.map(\.key) == ["id", "title", "role", "enabled"])
  }

  @Test("a scene has the authenticator's principal and data, unchanged, and the values that are not secret")
  func scene() throws {
    var machine = failed(try standardFlow(), Message("no"))
    _ = machine.press(.retry, question: 2)
    _ = machine.handleAnswer(
      .accepted(principal: "a\"b", data: Array(#"{"n":1.00,"deep":[{}]}"#.utf8)), to: 2, question: 3)
    #expect(
      try snapshot(machine, "en")["scene"]
        == JSONValue(
          parsing:
            #"{"id":"home","principal":"a\"b","data":{"n":1.00,"deep":[{}]},"values":{"email":"a@b","remember":false}}"#
        ))
  }
}
