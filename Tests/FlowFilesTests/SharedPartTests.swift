import FlowFiles
import LoginMachine
import Testing

@Suite("Shared items, default rules and omitted actions")
struct SharedPartTests {
  private let section = "/screens/0/sections/0"
  private let shared = #"""
    [{"id":"nick","apiKey":"nick","kind":"input","inputType":"text","title":"unknownError","value":"Ada",
    "rules":[{"rule":"maxLength","length":9,"message":"unknownError"}]},
    {"id":"pin","apiKey":"pin","kind":"input","inputType":"text"},
    {"id":"terms","apiKey":"terms","kind":"switch"}]
    """#

  private func flow(_ edits: Edit...) throws -> Flow {
    try FlowFile.read(definition([Edit("/items", shared)] + edits), name: "f.json")
  }

  @Test("a section can refer to a shared item by its id alone")
  func named() throws {
    let flow = try flow(Edit(section + "/items/3", #""nick""#), Edit("/screens/1/sections/0/items/0", #""nick""#))
    let item = Item(
      id: "nick", apiKey: "nick", kind: .input(.text, initial: "Ada"), title: "unknownError", placeholder: nil,
      rules: [Rule(.maxLength(9), message: "unknownError")])
    #expect(flow.screens[0].items[3] == item)
    #expect(flow.screens[1].items[0] == item)
  }

  @Test("members of a reference override those of the shared item")
  func replaced() throws {
    let use = #"{"use":"nick","id":"name","rules":[],"value":null,"title":null,"emphasis":"subdued"}"#
    let item = try flow(Edit(section + "/items/3", use)).screens[0].items[3]
    #expect(
      item
        == Item(
          id: "name", apiKey: "nick", kind: .input(.text, initial: nil), title: nil, placeholder: nil, rules: [],
          emphasis: .subdued))
  }

  @Test("a screen can use a shared item twice with two ids and API keys")
  func twice() throws {
    let again = #"{"use":"nick","id":"name","apiKey":"name"}"#
    let items = try flow(Edit(section + "/items/3", #""nick""#), Edit(section + "/items/4", again)).screens[0].items
    #expect(items.map(\.id).suffix(2) == ["nick", "name"])
    #expect(items.map(\.apiKey).suffix(2) == ["nick", "name"])
  }

  @Test("rules and conditions of a shared item refer to items of the screen that uses it")
  func references() throws {
    let flow = try flow(
      Edit("/items/1/rules", #"[{"rule":"equalTo","item":"nick","message":"unknownError"}]"#),
      Edit("/items/0/visibleWhen", #"{"item":"terms","is":true}"#),
      Edit("/items/1/visibleWhen", #"{"item":"terms","is":true}"#),
      Edit("/screens/0/sections/1", #"{"id":"a","items":["terms","nick","pin"]}"#),
      Edit("/screens/1/sections/1", #"{"id":"a","items":["terms","pin",{"use":"nick","value":""}]}"#))
    let start = flow.screens[0].sections[1].items.lowerBound
    #expect(flow.screens[0].items[start + 2].rules.map(\.requirement) == [.equalTo(start + 1)])
    #expect(flow.screens[0].items[start + 1].visibility == .init(item: start, expected: .position(true)))
    let other = flow.screens[1].sections[1].items.lowerBound
    #expect(flow.screens[1].items[other + 1].rules.map(\.requirement) == [.equalTo(other + 2)])
  }

  @Test("a shared item may be unused")
  func unused() throws {
    #expect(try flow().screens[0].items.map(\.id) == ["email", "password", "remember"])
  }

  @Test("default rules apply to every input that defines no rules, and to no other item")
  func defaults() throws {
    let rules = #"[{"rule":"minLength","length":3,"acceptsEmpty":false,"message":"unknownError"}]"#
    let selection = #"{"id":"s","kind":"selection","options":[{"id":"a","title":"unknownError"}]}"#
    let text = #"{"id":"t","kind":"text","title":"unknownError"}"#
    let without = #"{"use":"pin","id":"p","apiKey":"p","rules":[]}"#
    let items = try flow(
      Edit("/defaultRules", rules), Edit(section + "/items/1/rules", nil), Edit(section + "/items/3", #""pin""#),
      Edit(section + "/items/4", without), Edit(section + "/items/5", selection), Edit(section + "/items/6", text)
    ).screens[0].items
    let rule = Rule(.minLength(3, acceptsEmpty: false), message: "unknownError")
    #expect(items.map(\.rules).dropFirst() == [[rule], [], [rule], [], [], []])
    #expect(items[0].rules.map(\.requirement) == [.required, .email])
  }

  @Test(
    "the cancel and retry actions may be omitted, as may their ids and titles",
    arguments: [
      (nil, "cancel", "action.cancel"), ("{}", "cancel", "action.cancel"), (#"{"id":"stop"}"#, "stop", "action.cancel"),
      (#"{"title":"unknownError"}"#, "cancel", "unknownError"),
    ] as [(String?, String, String)])
  func actions(cancel: String?, id: String, title: String) throws {
    let primary = try flow(
      Edit("/screens/0/actions/cancel", cancel), Edit("/screens/0/actions/retry", nil)
    ).screens[0].primary
    #expect(primary.cancel == .init(id: id, title: title))
    #expect(primary.retry == .init(id: "retry", title: "action.retry"))
  }

  @Test(
    "a screen has an again action only if it defines one, whose id and title may be omitted",
    arguments: [
      (nil, nil), ("{}", .init(id: "again", title: "action.again")),
      (#"{"id":"anew"}"#, .init(id: "anew", title: "action.again")),
      (#"{"title":"unknownError"}"#, .init(id: "again", title: "unknownError")),
    ] as [(String?, Screen.Action?)])
  func again(definition: String?, action: Screen.Action?) throws {
    let flow =
      try definition.map { try self.flow(Edit("/screens/0/actions/again", $0)) } ?? flow()
    #expect(flow.screens[0].primary.again == action && flow.screens[1].primary.again == nil)
    #expect(flow.strings["en"]?.text("action.again") == "Start over")
  }

  @Test("omitted titles of actions are the common texts in the flow's language, unless the flow has its own")
  func titles() throws {
    let bare = [
      Edit("/screens/0/actions/cancel", nil), Edit("/strings/en/action.cancel", nil),
      Edit("/strings/de/action.cancel", nil), Edit("/strings/en/action.retry", #""Again""#),
      Edit("/strings/de/action.retry", nil),
    ]
    let flow = try FlowFile.read(definition(bare), name: "f.json")
    let standard = try #require(BuiltInFlows.defaultFlow)
    for locale in ["en", "de"] {
      let text = flow.strings[locale]?.text("action.cancel")
      #expect(text != nil && text == standard.strings[locale]?.text("action.cancel"))
      #expect(flow.strings[locale]?.text("action.retry") == "Again")
    }
  }
}
