import FlowFiles
import LoginMachine
import Testing

@Suite("Accepted items, alerts and conditions")
struct FormDefinitionTests {
  private let more = "/screens/0/sections/0/items/3"
  private let language = #"""
    {"id":"language","kind":"selection",
    "options":[{"id":"en","title":"unknownError"},{"id":"de","title":"throttled"}]}
    """#

  private func screen(_ edits: Edit...) throws -> Screen {
    try FlowFile.read(definition(edits), name: "f.json").screens[0]
  }

  @Test(
    "an input's value may be a text, empty, null or omitted",
    arguments: [(#""Ada""#, "Ada"), (#""""#, ""), ("null", nil), (nil, "")] as [(String?, String?)])
  func inputValues(value: String?, initial: String?) throws {
    let item = #"{"id":"m","apiKey":"m","kind":"input","inputType":"text"}"#
    let edits = [Edit(more, item)] + (value.map { [Edit(more + "/value", $0)] } ?? [])
    let flow = try FlowFile.read(definition(edits), name: "f.json")
    #expect(flow.screens[0].items[3].kind == .input(.text, initial: initial))
  }

  @Test(
    "a selection starts with one of its options or with none",
    arguments: [(#""de""#, "de"), ("null", nil), (nil, nil)] as [(String?, String?)])
  func selections(value: String?, initial: String?) throws {
    let edits = [Edit(more, language)] + (value.map { [Edit(more + "/value", $0)] } ?? [])
    let item = try FlowFile.read(definition(edits), name: "f.json").screens[0].items[3]
    let options = [Item.Option(id: "en", title: "unknownError"), Item.Option(id: "de", title: "throttled")]
    #expect(item.kind == .selection(options, initial: initial))
    #expect(item.apiKey == nil)
  }

  @Test("an input may be read-only, even if it refers to a shared item", arguments: [("true", true), ("false", false)])
  func readOnly(written: String, isReadOnly: Bool) throws {
    let item = #"{"id":"m","apiKey":"m","kind":"input","inputType":"text","readOnly":\#(written)}"#
    #expect(try screen(Edit(more, item)).items[3].isReadOnly == isReadOnly)
    let use = #"{"use":"m","readOnly":\#(written)}"#
    let shared = #"[{"id":"m","apiKey":"m","kind":"input","inputType":"text"}]"#
    #expect(try screen(Edit("/items", shared), Edit(more, use)).items[3].isReadOnly == isReadOnly)
  }

  @Test("an authenticator may check an input or a selection while it is entered, even if it refers to a shared item")
  func checks() throws {
    for kind in [
      #""kind":"input","inputType":"password""#, #""kind":"selection","options":[{"id":"a","title":"unknownError"}]"#,
    ] {
      let item = #"{"id":"m","apiKey":"m",\#(kind),"check":{"afterMs":100}}"#
      let read = try screen(Edit(more, item))
      #expect(read.items[3].check == .init(after: 100) && read.hasChecks && read.traits[3].contains(.isChecked))
      #expect(read.traits[3].contains(.showsValidity))
    }
    let shared = #"[{"id":"m","apiKey":"m","kind":"input","inputType":"text","check":{"afterMs":10000}}]"#
    #expect(try screen(Edit("/items", shared), Edit(more, #"{"use":"m"}"#)).items[3].check == .init(after: 10_000))
    let used = try screen(Edit("/items", shared), Edit(more, #"{"use":"m","check":{"afterMs":500}}"#))
    #expect(used.items[3].check == .init(after: 500) && used.items[0].check == nil)
    #expect(try !screen(Edit(more, nil)).hasChecks)
  }

  @Test("an item may name the authenticator's field, even if it refers to a shared item")
  func fields() throws {
    let item = #"{"id":"m","apiKey":"m","as":"nickname","kind":"input","inputType":"text"}"#
    #expect(try screen(Edit(more, item)).items.map(\.field) == [nil, nil, nil, "nickname"])
    let used = #"{"use":"m","apiKey":"n","as":"name"}"#
    let screen = try screen(Edit("/items", "[\(item)]"), Edit(more, used))
    #expect(screen.items[3].field == "name" && screen.items[3].apiKey == "n")
  }

  @Test("a link has a title and a URL, and may be conditional")
  func links() throws {
    let link = #"{"id":"t","kind":"link","title":"unknownError","url":"mailto:a@b.c","emphasis":"subdued","#
    let item = try screen(Edit(more, link + #""visibleWhen":{"item":"remember","is":true}}"#)).items[3]
    #expect(item.kind == .link(url: "mailto:a@b.c") && item.apiKey == nil && item.title == "unknownError")
    #expect(item.emphasis == .subdued && item.visibility == .init(item: 2, expected: .position(true)))
    let shared = #"[{"id":"t","kind":"link","title":"unknownError","url":"https://a.b"}]"#
    let used = try screen(Edit("/items", shared), Edit(more, #"{"use":"t","url":"http://c.d/"}"#)).items[3]
    #expect(used.kind == .link(url: "http://c.d/"))
  }

  @Test("a code has a text, a format and an optional title, and may be conditional")
  func codes() throws {
    let code = #"{"id":"t","kind":"code","text":"otpauth://totp/ä?secret=JB\"","format":"qr","title":"unknownError","#
    let item = try screen(Edit(more, code + #""visibleWhen":{"item":"remember","is":true}}"#)).items[3]
    #expect(item.kind == .code(text: #"otpauth://totp/ä?secret=JB""#, .qr) && item.title == "unknownError")
    #expect(item.visibility == .init(item: 2, expected: .position(true)) && item.apiKey == nil)
    let longest = String(repeating: "é", count: 1024)
    let bare = try screen(Edit(more, #"{"id":"t","kind":"code","text":"\#(longest)","format":"plain"}"#)).items[3]
    #expect(bare.kind == .code(text: longest, .plain) && bare.title == nil)
  }

  @Test("an external item has a type, a compact request and a text")
  func external() throws {
    let bare = try screen(Edit(more, #"{"id":"m","kind":"external","type":"webauthn.get"}"#)).items[3]
    #expect(bare.kind == .external(.init(type: "webauthn.get")) && bare.title == nil && !bare.showsValidity)
    let whole = #"""
      {"id":"m","apiKey":"m","kind":"external","type":"x","title":"unknownError","text":"throttled","emphasis":"critical",
      "request":{ "b" : [ 1.0 , "\u00e9" ] },"rules":[{"rule":"required","message":"unknownError"}],
      "visibleWhen":{"item":"remember","is":true}}
      """#
    let item = try screen(Edit(more, whole)).items[3]
    let request = Array(#"{"b":[1.0,"é"]}"#.utf8)
    #expect(item.kind == .external(.init(type: "x", request: request, text: "throttled")))
    #expect(item.rules.map(\.requirement) == [.required] && item.showsValidity && item.emphasis == .critical)
    let none = try screen(Edit(more, #"{"id":"m","kind":"external","type":"x","request":null,"text":null}"#)).items[3]
    #expect(none.kind == .external(.init(type: "x")))
  }

  @Test("the request of an external item may have the maximum size and depth", arguments: [true, false])
  func requestLimits(isDeep: Bool) throws {
    let request =
      isDeep
      ? String(repeating: "[", count: 32) + String(repeating: "]", count: 32)
      : "\"" + String(repeating: "x", count: 16_382) + "\""
    let item = try screen(
      Edit(more, #"{"id":"m","kind":"external","type":"x"}"#), Edit(more + "/request", request)
    ).items[3]
    #expect(item.kind == .external(.init(type: "x", request: Array(request.utf8))))
  }

  @Test("a selection with 200 options is accepted")
  func manyOptions() throws {
    let options = repeated(200) { #"{"id":"o\#($0)","title":"unknownError"}"# }
    let item = try screen(Edit(more, language), Edit(more + "/options", options)).items[3]
    guard case .selection(let read, _) = item.kind else { return #expect(Bool(false)) }
    #expect(read.count == 200)
  }

  @Test("an input has hints and an emphasis", arguments: Item.Keyboard.allCases)
  func hints(keyboard: Item.Keyboard) throws {
    let email = "/screens/0/sections/0/items/0"
    let item = try screen(
      Edit(email + "/keyboard", "\"\(keyboard)\""), Edit(email + "/autofill", #""username""#),
      Edit(email + "/emphasis", #""prominent""#)
    ).items[0]
    #expect(item.hints == .init(keyboard: keyboard, autofill: "username"))
    #expect(item.emphasis == .prominent)
  }

  @Test("an input has an enter key, a description and several autofill tokens")
  func moreHints() throws {
    let email = "/screens/0/sections/0/items/0"
    let item = try screen(
      Edit(email + "/autofill", #""username webauthn""#), Edit(email + "/enterKey", #""next""#),
      Edit(email + "/hint", #""unknownError""#)
    ).items[0]
    #expect(item.hints == .init(autofill: "username webauthn", enterKey: .next, description: "unknownError"))
  }

  @Test("every emphasis is accepted", arguments: Item.Emphasis.allCases)
  func emphasis(emphasis: Item.Emphasis) throws {
    let text = #"{"id":"t","kind":"text","title":"unknownError","emphasis":"\#(emphasis)"}"#
    let item = try screen(Edit(more, text)).items[3]
    #expect(
      item
        == Item(
          id: "t", apiKey: nil, kind: .text, title: "unknownError", placeholder: nil, rules: [], emphasis: emphasis))
  }

  @Test("inputs and selections can have the rule oneOf")
  func oneOf() throws {
    let rules = #"[{"rule":"required","message":"throttled"},{"rule":"oneOf","values":["en"],"message":"throttled"}]"#
    #expect(
      try screen(Edit(more, language), Edit(more + "/rules", rules)).items[3].rules.map(\.requirement)
        == [.required, .oneOf([Array("en".utf8)])])
    #expect(
      try screen(Edit("/screens/0/sections/0/items/0/rules", rules)).items[0].rules.map(\.requirement)
        == [.required, .oneOf([Array("en".utf8)])])
  }

  @Test(
    "a selection has up to 2,000 options, one of which may be picked initially", arguments: [200, 2000])
  func options(_ count: Int) throws {
    let options = repeated(count) { #"{"id":"o\#($0)","title":"unknownError"}"# }
    let item = try screen(
      Edit(more, language), Edit(more + "/options", options), Edit(more + "/value", "\"o\(count - 1)\"")
    ).items[3]
    guard case .selection(let read, let initial) = item.kind else {
      Issue.record("it is no selection")
      return
    }
    #expect(read.map(\.id) == (0..<count).map { "o\($0)" } && initial == "o\(count - 1)")
  }

  @Test("an equalTo rule may refer to a later item, and a conditional item's rule to an item with the same conditions")
  func repetitions() throws {
    let rule = #"[{"rule":"equalTo","item":"password","message":"unknownError"}]"#
    let first = #"{"id":"m","kind":"input","inputType":"password","rules":\#(rule)}"#
    #expect(try screen(Edit("/screens/0/sections/0/items/0", first)).items[0].rules.first?.requirement == .equalTo(1))
    let condition = #""visibleWhen":{"item":"remember","is":true}"#
    let pair = #"""
      {"id":"pair","items":[{"id":"a","kind":"input","inputType":"text",\#(condition)},{"id":"b","kind":"input",
      "inputType":"email","rules":[{"rule":"equalTo","item":"a","message":"unknownError"}],\#(condition)}]}
      """#
    #expect(try screen(Edit("/screens/0/sections/1", pair)).items[4].rules.first?.requirement == .equalTo(3))
  }

  @Test(
    "sections and items may depend on switches and selections",
    arguments: [
      (#"{"item":"remember","is":true}"#, 2, .position(true)),
      (#"{"item":"remember","is":false}"#, 2, .position(false)),
      (#"{"item":"language","is":"de"}"#, 3, .options([Array("de".utf8)])),
      (#"{"item":"language","is":["en","de"]}"#, 3, .options([Array("en".utf8), Array("de".utf8)])),
    ] as [(String, Int, Item.Expectation)])
  func conditions(json: String, index: Int, expected: Item.Expectation) throws {
    let screen = try screen(
      Edit(more, language),
      Edit(
        "/screens/0/sections/0/items/4", #"{"id":"s","kind":"input","inputType":"password","visibleWhen":\#(json)}"#),
      Edit("/screens/0/sections/1", #"{"id":"late","title":"throttled","visibleWhen":\#(json),"items":[]}"#))
    #expect(screen.items[4].visibility == .init(item: index, expected: expected))
    #expect(screen.sections[1].visibility == .init(item: index, expected: expected))
    #expect(screen.sections[1].title == "throttled")
    #expect(screen.isDynamic)
  }

  @Test("conditions may refer to texts and to several items")
  func manyConditions() throws {
    let text = #"{"item":"email","matches":".*@example\\.org"}"#
    let json = #"""
      {"any":[\#(text),{"all":[{"item":"email","is":["a","b"]},{"not":{"item":"language","isEmpty":true}}]},
      {"item":"email","is":""},{"item":"email","isEmpty":true}]}
      """#
    let nested = String(repeating: #"{"not":"#, count: 8) + text + String(repeating: "}", count: 8)
    let screen = try screen(
      Edit(more, language),
      Edit("/screens/0/sections/0/items/4", #"{"id":"s","kind":"input","inputType":"text","visibleWhen":\#(json)}"#),
      Edit("/screens/0/sections/1", #"{"id":"late","visibleWhen":\#(nested),"items":[]}"#))
    let matches = Item.Condition.item(0, .matches(try Pattern(".*@example\\.org")))
    #expect(
      screen.items[4].visibility
        == .any([
          matches, .all([.item(0, .texts([[0x61], [0x62]])), .not(.item(3, .isEmpty(true)))]), .item(0, .texts([[]])),
          .item(0, .isEmpty(true)),
        ]))
    #expect(screen.sections[1].visibility == (0..<8).reduce(matches) { condition, _ in .not(condition) })
  }

  @Test("an equalTo rule of a conditional item may refer to an item with the same conditions, even on texts")
  func conditionalRepetitions() throws {
    let condition = #""visibleWhen":{"not":{"item":"email","matches":"a*"}}"#
    let pair = #"""
      {"id":"pair","items":[{"id":"a","kind":"input","inputType":"text",\#(condition)},{"id":"b","kind":"input",
      "inputType":"email","rules":[{"rule":"equalTo","item":"a","message":"unknownError"}],\#(condition)}]}
      """#
    #expect(try screen(Edit("/screens/0/sections/1", pair)).items[4].rules.first?.requirement == .equalTo(3))
  }

  @Test("an alert has titles, and its dismissal has a role", arguments: Screen.AlertRole.allCases)
  func alerts(role: Screen.AlertRole) throws {
    let alert = #"""
      {"dismiss":{"id":"ok","title":"action.cancel","role":"\#(role)"},"invalid":"email.invalid","failure":"throttled",
      "notice":"unknownError"}
      """#
    let screen = try screen(Edit("/screens/0/alert", alert))
    #expect(
      screen.alert
        == .init(
          dismiss: .init(id: "ok", title: "action.cancel"), role: role,
          titles: [.invalid: "email.invalid", .failure: "throttled", .notice: "unknownError"]))
  }

  @Test("a screen's alert needs no role, and no titles unless the flow shows invalid values or failures in alerts")
  func bareAlert() throws {
    let screen = try screen(Edit("/screens/0/alert", #"{"dismiss":{"id":"ok","title":"action.cancel"}}"#))
    #expect(screen.alert == .init(dismiss: .init(id: "ok", title: "action.cancel"), role: .dismiss, titles: [:]))
  }

  @Test("a link defines what happens to the values, which stay by default", arguments: Screen.LinkValues.allCases)
  func linkValues(values: Screen.LinkValues) throws {
    let links = try screen(Edit("/screens/0/links/1/values", "\"\(values)\"")).links
    #expect(links.map(\.values) == [.stay, values])
  }

  @Test("a successful request can lead to a scene or to a screen")
  func success() throws {
    #expect(try screen(Edit("/screens/0/success", #"{"scene":"done"}"#)).success == .scene("done"))
    #expect(try screen(Edit("/screens/0/success", #"{"screen":"setup"}"#)).success == .screen(1))
  }
}
