import LoginMachine
import Testing

@Suite("Conditions")
struct ConditionTests {
  private static let on = Item.Condition.item(0, .position(true))
  private static let options = ["a", "b"].map { Item.Option(id: $0, title: "t") }

  private static func text(_ texts: String...) -> Item.Condition { .item(2, .texts(texts.map { Array($0.utf8) })) }

  private static func matches(_ pattern: String) -> Item.Condition {
    (try? Pattern(pattern)).map { .item(2, .matches($0)) } ?? .any([])
  }

  /// A screen with a switch, a selection, a text that is shown while the switch is on, and an item
  /// with the given condition.
  private func screen(_ condition: Item.Condition?, initial: String? = "") -> Screen {
    .sample([
      .sample("more", .switch(initial: true)), .sample("way", .selection(Self.options)),
      .sample("name", .input(.text, initial: initial), when: Self.on), .sample("last", .input(.text), when: condition),
    ])
  }

  @Test(
    "a condition on a text can test its value, a pattern, or whether it is empty",
    arguments: [
      (text("ada"), "ada", true), (text("ada"), "Ada", false), (text("ada", "bob"), "bob", true), (text(""), "", true),
      (text(""), "x", false), (matches("[0-9]+"), "12", true), (matches("[0-9]+"), "12a", false),
      (matches("[0-9]+"), "", false), (matches("[0-9]*"), "", true), (.item(2, .isEmpty(true)), "", true),
      (.item(2, .isEmpty(true)), " ", false), (.item(2, .isEmpty(false)), " ", true),
      (.item(2, .isEmpty(false)), "", false), (text("\u{E9}"), "e\u{301}", false),
    ] as [(Item.Condition, String, Bool)])
  func texts(condition: Item.Condition, text: String, isShown: Bool) {
    let screen = screen(condition)
    var draft = Draft(of: screen)
    draft.enter("something else", into: 2, of: screen)
    draft.enter(text, into: 2, of: screen)
    #expect(draft.entries[3].isHidden == !isShown)
    draft.enter("something else", into: 2, of: screen)
    draft.enter(text, into: 2, of: screen)
    #expect(draft.entries[3].isHidden == !isShown, "also when it comes or goes a second time")
  }

  @Test("in a condition, an absent text counts as empty, equals no text and matches no pattern")
  func absent() {
    func isShown(_ condition: Item.Condition) -> Bool {
      !Draft(of: screen(condition, initial: nil)).entries[3].isHidden
    }
    #expect(isShown(.item(2, .isEmpty(true))) && !isShown(.item(2, .isEmpty(false))))
    #expect(!isShown(Self.text("")) && !isShown(Self.matches(".*")))
  }

  @Test(
    "in a condition, a switch without a value counts as off",
    arguments: [
      (nil, false), (nil, true), (false, false), (false, true), (true, false), (true, true),
    ] as [(Bool?, Bool)])
  func switchWithoutValue(initial: Bool?, expected: Bool) {
    let condition = Item.Condition.item(0, .position(expected))
    let screen = Screen.sample([
      .sample("more", .switch(initial: initial)), .sample("is", .input(.text), when: condition),
      .sample("isNot", .input(.text), when: .not(condition)),
    ])
    var draft = Draft(of: screen)
    let isMet = (initial ?? false) == expected
    #expect(draft.entries[1].isHidden == !isMet && draft.entries[2].isHidden == isMet)
    // Once the switch is set, the condition tests its position.
    for isOn in [true, false] {
      draft.set(isOn, at: 0, of: screen)
      #expect(draft.entries[1].isHidden == (isOn != expected) && draft.entries[2].isHidden == (isOn == expected))
    }
  }

  @Test("a condition on a selection tests which option is picked, or whether any is")
  func picked() {
    let screen = screen(.item(1, .isEmpty(false)))
    var draft = Draft(of: screen)
    #expect(draft.entries[3].isHidden)
    draft.pick("a", at: 1, of: screen)
    #expect(!draft.entries[3].isHidden)
    draft.pick(nil, at: 1, of: screen)
    #expect(draft.entries[3].isHidden)
  }

  @Test("conditions can be combined with all, any and not, even nested ones and empty lists")
  func several() {
    let (yes, no) = (Self.on, Item.Condition.not(Self.on))
    let screen = screen(yes)
    let draft = Draft(of: screen)
    #expect(draft.meets(nil) && draft.meets(yes) && !draft.meets(no))
    #expect(draft.meets(.all([yes, yes])) && !draft.meets(.all([yes, no])) && draft.meets(.all([])))
    #expect(draft.meets(.any([no, yes])) && !draft.meets(.any([no, no])) && !draft.meets(.any([])))
    #expect(draft.meets(.not(.all([yes, .any([no, .not(yes)])]))))
  }

  @Test("a hidden item meets no condition, whatever its value, so the negation of any such condition is true")
  func hidden() {
    for (condition, isShown) in [
      (Self.text("ada"), false), (.item(2, .isEmpty(false)), false), (.item(2, .isEmpty(true)), false),
      (.not(Self.text("ada")), true), (.any([Self.text("ada"), .item(0, .position(false))]), true),
    ] as [(Item.Condition, Bool)] {
      let screen = screen(condition)
      var draft = Draft(of: screen)
      draft.enter("ada", into: 2, of: screen)
      draft.set(false, at: 0, of: screen)
      #expect(draft.entries[2].isHidden && draft.entries[3].isHidden == !isShown)
    }
  }

  @Test("a draft of a screen with conditional sections says which sections are shown")
  func sections() {
    let items: [Item] = [.sample("name", .input(.text)), .sample("last", .input(.text))]
    let screen = Screen.sample(
      items,
      sections: [
        .init(id: "a", items: 0..<1), .init(id: "b", items: 1..<2, visibility: .item(0, .isEmpty(false))),
        .init(id: "c", items: 2..<2, visibility: .item(0, .isEmpty(true))),
      ])
    var draft = Draft(of: screen)
    #expect(screen.sections.indices.map { draft.shows(section: $0) } == [true, false, true])
    draft.enter("x", into: 0, of: screen)
    #expect(screen.sections.indices.map { draft.shows(section: $0) } == [true, true, false])
    #expect(Draft(of: .sample(items)).shows(section: 0))
  }

  @Test("an item controls the visibility of others only if a condition refers to it")
  func traits() {
    let screen = screen(.all([Self.text("ada"), .not(.item(0, .position(true)))]))
    #expect(screen.traits.map { $0.contains(.controlsVisibility) } == [true, false, true, false])
    #expect(screen.items[3].visibility?.items == [2, 0])
  }
}
