import LoginMachine
import Testing

/// The values of a request, typed by the kind of their items.
struct ItemValueTests {
  private let screen = Screen(
    id: "s", title: "s", request: "r", sections: [.init(id: "all", items: 0..<10)],
    items: [
      item("text", .input(.text)), item("absent", .input(.text, initial: nil)), item("secret", .input(.password)),
      item("option", .selection([.init(id: "a", title: "a")])), item("switch", .switch(initial: nil)),
      item("words", .text),
      item("hidden", .input(.text), visibility: .init(item: 4, expected: .position(true))),
      item("external", .external(.init(type: "x"))), item("page", .link(url: "https://a")),
      item("device", .code(text: "WDJB", .plain)),
    ],
    primary: .init(
      submit: .init(id: "submit", title: ""), cancel: .init(id: "cancel", title: ""),
      retry: .init(id: "retry", title: "")),
    links: [], success: .scene("done"))

  private static func item(_ id: String, _ kind: Item.Kind, visibility: Item.Condition? = nil) -> Item {
    Item(id: id, apiKey: id, kind: kind, title: nil, placeholder: nil, rules: [], visibility: visibility)
  }

  @Test("each kind of item has its own kind of value in a request") func kinds() throws {
    var draft = Draft(of: screen)
    let blank = try #require(draft.validated())
    #expect(blank.value(of: "text", on: screen) == .text(""))
    #expect(blank.value(of: "absent", on: screen) == .text(nil))
    #expect(blank.value(of: "secret", on: screen) == .secret(isFilled: false))
    #expect(blank.value(of: "option", on: screen) == .option(nil))
    #expect(blank.value(of: "switch", on: screen) == .position(nil))
    #expect(blank.value(of: "external", on: screen) == .json(nil))
    draft.enter("Ada".utf8.span, into: 0, of: screen)
    draft.setSecret(isFilled: true, failing: RuleSet(), at: 2, of: screen)
    draft.pick("a".utf8.span, at: 3, of: screen)
    draft.set(true, at: 4, of: screen)
    draft.pick("{}".utf8.span, at: 7, of: screen)
    let filled = try #require(draft.validated())
    #expect(filled.value(of: "text", on: screen) == .text("Ada"))
    #expect(filled.value(of: "secret", on: screen) == .secret(isFilled: true))
    #expect(filled.value(of: "option", on: screen) == .option("a"))
    #expect(filled.value(of: "switch", on: screen) == .position(true))
    #expect(filled.value(of: "hidden", on: screen) == .text(""))
    #expect(filled.value(of: "external", on: screen) == .json(Array("{}".utf8)))
  }

  @Test("an item without an API key has no value in a request") func none() throws {
    let values = try #require(Draft(of: screen).validated())
    for key in ["words", "hidden", "page", "nothing"] { #expect(values.value(of: key, on: screen) == nil) }
  }
}
