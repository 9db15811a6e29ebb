import LoginMachine
import Testing

@Suite("Selections and absent values")
struct SelectionDraftTests {
  private static let options = [Item.Option(id: "en", title: "t"), Item.Option(id: "fr", title: "t")]
  private let screen = Screen.sample([
    .sample("language", .selection(options), rules: [.required, .oneOf([Array("en".utf8)])]),
    .sample("first", .selection(options, initial: "fr"), rules: [.oneOf([Array("en".utf8)])]),
    .sample("name", .input(.text, initial: nil)),
    .sample("town", .input(.text, initial: "Ulm")),
    .sample("note", .text),
  ])

  @Test("a draft starts with the initial values of the flow, and an absent value differs from an empty one")
  func initial() {
    let draft = Draft(of: screen)
    #expect(draft.entries.map(\.isAbsent) == [true, false, true, false, false])
    #expect(draft.entries.map(\.text) == [[], Array("fr".utf8), [], Array("Ulm".utf8), []])
    #expect(draft.entries.map { $0.failing.positions } == [[0], [0], [], [], []])
    #expect(!Draft(of: .sample([.sample("s", .input(.password))])).entries[0].isAbsent)
  }

  @Test("picking an option validates and marks the selection, and the pick can be cleared")
  func picking() {
    var draft = Draft(of: screen)
    draft.pick("fr", at: 0, of: screen)
    #expect(draft.entries[0].text == Array("fr".utf8))
    #expect(draft.entries[0].failing.positions == [1])
    #expect(draft.marks(0))
    draft.pick("en", at: 0, of: screen)
    #expect(draft.entries[0].failing.isEmpty)
    #expect(!draft.entries[0].isAbsent)
    draft.pick(nil, at: 0, of: screen)
    #expect(draft.entries[0].isAbsent)
    #expect(draft.entries[0].text == [])
    #expect(draft.entries[0].failing.positions == [0])
  }

  @Test("after an edit an item has a value, even if the value is empty", arguments: ["", "Ada"])
  func editing(text: String) {
    var draft = Draft(of: screen)
    draft.enter(text, into: 2, of: screen)
    #expect(!draft.entries[2].isAbsent)
    #expect(draft.entries[2].text == Array(text.utf8))
  }

  @Test("a text that users only read and a selection without rules show no validity")
  func traits() {
    #expect(screen.traits[0] == [.isSelection, .showsValidity])
    #expect(screen.traits[4] == [.isText])
    let fixed = Screen.sample([.sample("a", .link(url: "https://a")), .sample("b", .input(.text))])
    #expect(fixed.traits[0] == [.isText] && fixed.traits[1] == [.showsValidity])
    #expect(Screen.sample([.sample("s", .selection(Self.options))]).traits[0] == [.isSelection])
  }
}

@Suite("Dynamic items")
struct DynamicDraftTests {
  private static let on = Item.Condition(item: 0, expected: .position(true))
  private static let post = Item.Condition(item: 1, expected: .options([Array("post".utf8), Array("both".utf8)]))
  private static let options = ["mail", "post", "both"].map { Item.Option(id: $0, title: "t") }

  /// A screen with a switch that shows a selection, a secret and a text. The selection shows a
  /// section.
  private let screen = Screen.sample(
    [
      .sample("more", .switch(initial: nil)),
      .sample("way", .selection(options, initial: "mail"), rules: [.required], when: on),
      .sample("secret", .input(.password), rules: [.required], when: on),
      .sample("name", .input(.text), rules: [.required], when: on),
      .sample("street", .input(.text), rules: [.required]),
      .sample("town", .input(.text)),
    ],
    sections: [.init(id: "all", items: 0..<4), .init(id: "address", items: 4..<6, visibility: post)])

  private func hidden(_ draft: Draft) -> [Int] { draft.entries.indices.filter { draft.entries[$0].isHidden } }

  private func shown() -> Draft {
    var draft = Draft(of: screen)
    draft.set(true, at: 0, of: screen)
    return draft
  }

  @Test("a screen is dynamic only if it has visibility conditions")
  func dynamic() {
    #expect(screen.isDynamic)
    #expect(!Screen.sample().isDynamic)
    #expect(Screen.sample([.sample("a", .text, when: Self.on)]).isDynamic)
  }

  @Test("items that depend on an unset switch are hidden and do not make a draft invalid")
  func initial() {
    let draft = Draft(of: screen)
    #expect(hidden(draft) == [1, 2, 3, 4, 5])
    #expect(draft.isValid)
    #expect(draft.validated()?.entries[3].isHidden == true)
  }

  @Test("items that appear are unmarked, and a draft is valid only if the items that appeared are valid")
  func coming() {
    let draft = shown()
    #expect(hidden(draft) == [4, 5])
    #expect(!draft.isValid)
    #expect(draft.entries.map(\.isMarked) == [true, false, false, false, false, false])
  }

  @Test(
    "a conditional section is shown if one of the options that its condition names is picked",
    arguments: [("mail", true), ("post", false), ("both", false)])
  func section(option: String, isHidden: Bool) {
    var draft = shown()
    draft.pick(option, at: 1, of: screen)
    #expect(draft.entries[4].isHidden == isHidden)
    #expect(draft.entries[5].isHidden == isHidden)
    draft.pick(nil, at: 1, of: screen)
    #expect(draft.entries[4].isHidden)
  }

  @Test("an item whose condition refers to a hidden item is hidden too, whatever the value of the hidden item")
  func chain() {
    var draft = shown()
    draft.pick("post", at: 1, of: screen)
    draft.set(false, at: 0, of: screen)
    #expect(hidden(draft) == [1, 2, 3, 4, 5])
    #expect(draft.entries[1].text == Array("post".utf8))
    draft.set(true, at: 0, of: screen)
    #expect(hidden(draft) == [])
  }

  @Test("an item that is hidden keeps its value unless it is a secret, and is unmarked when it appears again")
  func values() {
    var draft = shown()
    draft.enter("Ada", into: 3, of: screen)
    draft.setSecret(isFilled: true, failing: RuleSet(), at: 2, of: screen)
    draft.set(false, at: 0, of: screen)
    #expect(draft.entries[3].text == Array("Ada".utf8))
    #expect(!draft.entries[2].isFilled)
    #expect(draft.entries[2].failing.positions == [0])
    draft.set(true, at: 0, of: screen)
    #expect(draft.entries[3].text == Array("Ada".utf8))
    #expect(!draft.entries[2].isFilled)
    #expect(!draft.marks(2) && !draft.marks(3))
    #expect(!draft.isValid)
  }

  @Test("an authenticator's messages about an item are removed when the item is hidden")
  func remarks() {
    var draft = shown()
    draft.add(Message("a"), to: 3)
    draft.add(Message("b"), to: 0)
    draft.set(true, at: 0, of: screen)
    draft.add(Message("c"), to: 0)
    draft.set(false, at: 0, of: screen)
    #expect(draft.remarks == [])
    draft = shown()
    draft.pick("post", at: 1, of: screen)
    draft.add(Message("street"), to: 4)
    draft.add(Message("name"), to: 3)
    draft.pick("mail", at: 1, of: screen)
    #expect(draft.remarks.map(\.message.code) == ["name"])
  }

  @Test("marking all items marks only those on the screen")
  func markAll() {
    var draft = Draft(of: screen)
    draft.markAll()
    #expect(draft.entries.map(\.isMarked) == [true, false, false, false, false, false])
  }
}

@Suite("Drafts that are validated only on submit")
struct SubmitDraftTests {
  private let screen = Screen.sample()

  @Test("if values are validated only on submit, an edit unmarks the edited item and no other")
  func edits() {
    var draft = Draft(of: screen)
    draft.enter("ada", into: 0, of: screen, marks: false)
    #expect(!draft.marks(0))
    #expect(draft.entries[0].isTouched)
    draft.markAll()
    draft.enter("ada@", into: 0, of: screen, marks: false)
    #expect((0..<3).map { draft.marks($0) } == [false, true, true])
    draft.setSecret(isFilled: true, failing: RuleSet(), at: 1, of: screen, marks: false)
    draft.set(true, at: 2, of: screen, marks: false)
    #expect((0..<3).map { draft.marks($0) } == [false, false, false])
  }

  @Test("if values are validated only on submit, an edit validates values but marks none")
  func judged() {
    var draft = Draft(of: screen)
    draft.enter("ada", into: 0, of: screen, marks: false)
    #expect(draft.entries[0].failing.positions == [1])
    #expect(!draft.isValid)
  }

  @Test("if values are validated only on submit, discarding all secrets removes all marks")
  func forgetting() {
    var draft = Draft(of: screen)
    draft.enter("ada", into: 0, of: screen, marks: false)
    draft.markAll()
    draft.discardSecrets(of: screen, marks: false)
    #expect((0..<3).allSatisfy { !draft.marks($0) })
  }
}
