import FlowFiles
import JSONCodec
import LoginMachine
import Testing

/// Screens of challenges, which use the notation of flow definitions.
@Suite("Screens of challenges")
struct ChallengeFileTests {
  private static let smallest = #"{"id":"code","title":"A code","sections":[]}"#

  private func origin() throws -> Screen {
    try FlowFile.read(fixture("flows/example.json"), name: "example.json").screens[0]
  }

  private func read(
    _ json: String, origin: Screen? = nil, texts: [String: String] = [:]
  ) throws -> Screen {
    try ChallengeFile.read(
      Array(json.utf8), name: "challenge", origin: origin ?? self.origin(), strings: StringTable(texts))
  }

  @Test(
    "members that a challenge omits are taken from the flow's screen, and a challenge always has a link to leave it")
  func smallest() throws {
    let origin = try origin()
    let screen = try read(Self.smallest, origin: origin)
    #expect(screen.id == "code" && screen.title == "A code" && screen.items.isEmpty)
    #expect(screen.primary == origin.primary && screen.request == origin.request && screen.success == origin.success)
    #expect(screen.links == [.init(action: .init(id: "leave", title: "Back"), target: .leave)])
    let german = try read(Self.smallest, texts: ["challenge.leave": "Zurück"])
    #expect(german.links.map(\.action.title) == ["challenge.leave"])
  }

  @Test("items of a challenge may be external and have literal texts") func external() throws {
    let screen = try read(
      #"{"id":"q","title":"Q","sections":[{"id":"s","items":["#
        + #"{"id":"k","apiKey":"k","kind":"external","type":"x.y","title":"Key","text":"No keys here.","request":[ 1 ],"#
        + #""rules":[{"rule":"required","message":"Use it."}]}]}]}"#)
    #expect(
      screen.items[0].kind == .external(.init(type: "x.y", request: Array("[1]".utf8), text: "No keys here.")))
    #expect(screen.items[0].rules[0].text == "Use it.")
  }

  @Test("items of a challenge may be links and read-only inputs") func fixedItems() throws {
    let screen = try read(
      #"{"id":"q","title":"Q","sections":[{"id":"s","items":["#
        + #"{"id":"to","kind":"input","inputType":"text","value":"+43 1","readOnly":true},"#
        + #"{"id":"terms","kind":"link","title":"Our terms","url":"https://example.com"}]}]}"#)
    #expect(screen.items.map(\.isReadOnly) == [true, false])
    #expect(screen.items[1].kind == .link(url: "https://example.com") && screen.items[1].title == "Our terms")
    #expect(throws: FlowFileError.self) {
      try read(
        #"{"id":"q","title":"Q","sections":[{"id":"s","items":["#
          + #"{"id":"terms","kind":"link","title":"Our terms","url":"file:///etc/passwd"}]}]}"#)
    }
  }

  @Test(
    "items of a challenge cannot have checks or other field names",
    arguments: [("check", #"{"afterMs":500}"#), ("as", #""b""#)])
  func flowsOwn(member: String, value: String) throws {
    let error = #expect(throws: FlowFileError.self) {
      try read(
        #"{"id":"q","title":"Q","sections":[{"id":"s","items":["#
          + #"{"id":"a","apiKey":"a","kind":"input","inputType":"text","\#(member)":\#(value)}]}]}"#)
    }
    #expect(error?.pointer == "/sections/0/items/0/\(member)")
  }

  @Test("a challenge can define the roles of the button, links, and the link to leave") func actions() throws {
    let origin = try origin()
    let screen = try read(
      #"{"id":"code","title":"t","sections":[],"actions":{"submit":{"id":"check","title":"Check"}},"#
        + #""links":[{"id":"resend","title":"Again"}],"leave":{"id":"no","title":"No, thanks"}}"#, origin: origin)
    #expect(
      screen.primary.submit == .init(id: "check", title: "Check") && screen.primary.cancel == origin.primary.cancel)
    #expect(
      screen.links == [
        .init(action: .init(id: "resend", title: "Again"), target: .ask),
        .init(action: .init(id: "no", title: "No, thanks"), target: .leave),
      ])
  }

  @Test("in a challenge, titles are literal texts, and a rule's message has a code and optionally a text")
  func texts() throws {
    let screen = try read(
      #"{"id":"q","title":"Ça va?\n","sections":[{"id":"s","title":"","items":["#
        + #"{"id":"a","kind":"input","inputType":"text","title":"What is it?","placeholder":"…","rules":["#
        + #"{"rule":"required","message":"a.missing"},"#
        + #"{"rule":"minLength","length":2,"message":{"code":"a.short","text":"{length}!"}},"#
        + #"{"rule":"email","message":{"code":"a.email"}}]}]}]}"#)
    #expect(screen.title == "Ça va?\n" && screen.items[0].title == "What is it?" && screen.items[0].placeholder == "…")
    let rules = screen.items[0].rules
    #expect(rules.map(\.message) == ["a.missing", "a.short", "a.email"])
    #expect(rules.map(\.text) == ["a.missing", "{length}!", nil])
    let table = StringTable(["a.missing": "Say something."])
    #expect(table.text(rules[0].failure) == "Say something.")
    #expect(StringTable([:]).text(rules[0].failure) == "a.missing")
  }

  @Test("an error in a challenge's screen is reported with its position, as in a flow definition", arguments: refusals)
  func refused(_ json: String, _ pointer: String, _ expected: String) throws {
    let error = try #require(throws: FlowFileError.self) { try read(json) }
    #expect(error.pointer == pointer, "\(error)")
    #expect(error.expected.contains(expected), "\(error)")
  }

  private static func with(_ members: String) -> String { #"{"id":"c","title":"t","sections":[],\#(members)}"# }

  private static func item(_ members: String) -> String {
    #"{"id":"c","title":"t","sections":[{"id":"s","items":[{"id":"a",\#(members)}]}]}"#
  }

  private static let refusals: [(String, String, String)] = [
    ("7", "", "an object"), ("[]", "", "an object"), (#"{"title":"t","sections":[]}"#, "", "one"),
    (#"{"id":"c","sections":[]}"#, "", "one"), (#"{"id":"c","title":"t"}"#, "", "one"),
    (#"{"id":"no name","title":"t","sections":[]}"#, "/id", "a name"),
    (#"{"id":"c","title":7,"sections":[]}"#, "/title", "a string"),
    (#"{"id":"c","title":null,"sections":[]}"#, "/title", "a string"),
    (with(#""request":"login""#), "/request", "one of"), (with(#""success":{"scene":"x"}"#), "/success", "one of"),
    (with(#""alert":{}"#), "/alert", "one of"), (with(#""actions":7"#), "/actions", "an object"),
    (with(#""actions":{"submit":{"id":"x"}}"#), "/actions/submit", "one"),
    (with(#""actions":{"go":{"id":"x","title":"t"}}"#), "/actions/go", "one of"),
    // The ids of actions that a challenge omits are reserved.
    (with(#""actions":{"submit":{"id":"cancel","title":"t"}}"#), "/actions/submit/id", "no other action"),
    (with(#""links":[{"id":"submit","title":"t"}]"#), "/links/0/id", "no other action"),
    (with(#""links":[{"id":"leave","title":"t"}]"#), "/links/0/id", "no other action"),
    (with(#""links":[{"id":"x","title":"t"},{"id":"x","title":"t"}]"#), "/links/1/id", "no other action"),
    (with(#""links":[{"id":"x","title":"t","screen":"login"}]"#), "/links/0/screen", "one of"),
    (with(#""leave":{"id":"retry","title":"t"}"#), "/leave/id", "no other action"),
    (with(#""leave":{"title":"t"}"#), "/leave", "one"), (with(#""leave":null"#), "/leave", "an object"),
    (item(#""kind":"input","inputType":"pin","title":"t""#), "/sections/0/items/0/inputType", "one of"),
    (item(#""kind":"text""#), "/sections/0/items/0", "one"),
    (item(#""kind":"input","inputType":"password","value":"x""#), "/sections/0/items/0/value", "secret"),
    (
      item(#""kind":"input","inputType":"text","rules":[{"rule":"required","message":""}]"#),
      "/sections/0/items/0/rules/0/message", "a code or a text"
    ),
    (
      item(#""kind":"input","inputType":"text","rules":[{"rule":"required","message":{"text":""}}]"#),
      "/sections/0/items/0/rules/0/message", "a code, a text, or both"
    ),
    (
      item(#""kind":"input","inputType":"text","rules":[{"rule":"required","message":{"code":"c","text":7}}]"#),
      "/sections/0/items/0/rules/0/message/text", "a string"
    ),
    (
      item(#""kind":"input","inputType":"text","visibleWhen":{"item":"b","is":true}"#),
      "/sections/0/items/0/visibleWhen/item", "earlier"
    ),
  ]

  @Test("a challenge inherits the alerts of the flow's screen, and no link may have the id of their dismissal")
  func alerts() throws {
    let screens = BuiltInFlows.names.compactMap { BuiltInFlows.flow(named: $0) }.flatMap(\.screens)
    let origin = try #require(screens.first { $0.alert != nil })
    let dismiss = try #require(origin.alert?.dismiss.id)
    #expect(try read(Self.smallest, origin: origin).alert == origin.alert)
    let error = try #require(throws: FlowFileError.self) {
      try read(Self.with(#""links":[{"id":"\#(dismiss)","title":"t"}]"#), origin: origin)
    }
    #expect(error.pointer == "/links/0/id")
  }
}
