import LoginMachine
import Testing

/// Items and sections with visibility conditions.
struct VisibilityTests {
  private let isOn = Item.Condition(item: 0, expected: .position(true))

  /// A machine with a switch, and with a text, a secret and the same secret again that are shown
  /// while the switch is on.
  private func machine() -> SessionMachine {
    let items = [
      switchItem("more"), input("name", [Rule(.required, message: "missing")], visibleWhen: isOn),
      input("secret", [Rule(.required, message: "missing")], .newPassword, visibleWhen: isOn),
      input("again", [Rule(.equalTo(2), message: "other")], .newPassword, visibleWhen: isOn),
    ]
    return SessionMachine(flow: testFlow([testScreen(items)]), screen: 0)
  }

  @Test("validation and marking skip items that are hidden by a condition") func notValidated() throws {
    var machine = machine()
    #expect(machine.draft.isValid && machine.view.primaryIsEnabled)
    try machine.flip("more", to: true)
    #expect(!machine.draft.isValid && machine.phase == .unvalidated)
    _ = machine.press(.submit, question: 1)
    #expect(machine.view.items[1].validity == .invalid)
    try machine.flip("more", to: false)
    #expect(machine.phase == .validated)
    try machine.flip("more", to: true)
    #expect(machine.view.items[1].validity == .unknown, "what comes is not marked")
  }

  @Test("when items are hidden, plain values are kept and secrets are discarded") func kept() throws {
    var machine = machine()
    try machine.flip("more", to: true)
    try machine.type("ada", into: "name")
    _ = machine.changeSecret(2, isFilled: true, failing: RuleSet())
    _ = machine.changeSecret(3, isFilled: true, failing: RuleSet())
    #expect(machine.phase == .validated)
    try machine.flip("more", to: false)
    #expect(
      machine.draft.entries[1].isHidden && !machine.draft.entries[2].isFilled && !machine.draft.entries[3].isFilled)
    try machine.flip("more", to: true)
    #expect(machine.view.text(of: 1) == "ada" && !machine.view.items[2].isFilled && machine.phase == .unvalidated)
    #expect(machine.draft.entries[3].failing.isEmpty, "an empty repetition breaks no rule")
  }

  @Test("a question does not contain the values of hidden items") func notSubmitted() throws {
    var machine = machine()
    guard let question = machine.press(.submit, question: 1).questions.first else {
      Issue.record("it is asked")
      return
    }
    #expect(question.values?.entries.map(\.isHidden) == [false, true, true, true])
  }

  @Test("an item counts as shown since it appeared, and if it never was hidden, since its screen was shown")
  func ages() throws {
    var machine = machine()
    try machine.flip("more", to: true)
    #expect(machine.since(item: 1) == 2 && machine.since(item: 0) == 1)
    try machine.flip("more", to: false)
    try machine.flip("more", to: true)
    #expect(machine.since(item: 1) == 4 && machine.since(item: 0) == 1)
    try machine.type("ada", into: "name")
    #expect(machine.since(item: 1) == 4)
  }

  @Test("if a link or a notice leads to the same screen, items count as shown since the same revision as before")
  func sameScreen() throws {
    let items = [switchItem("more"), input("name", visibleWhen: isOn)]
    var machine = SessionMachine(flow: testFlow([testScreen(items, links: [0])]), screen: 0)
    try machine.flip("more", to: true)
    _ = machine.press(.link(0), question: 1)
    #expect(machine.since(item: 1) == 2)
    _ = machine.press(.submit, question: 1)
    _ = machine.handleAnswer(.notice(Message("n"), screen: 0), to: 1)
    #expect(machine.since(item: 1) == 2)
  }

  @Test("an authenticator's message about an item is not shown any more after the item was hidden and reappears")
  func answers() throws {
    var machine = machine()
    _ = machine.press(.submit, question: 1)
    _ = machine.handleAnswer(.failed(Message("no"), items: [.init(item: 1, message: Message("said"))]), to: 1)
    try machine.flip("more", to: true)
    #expect(machine.view.remarks.isEmpty && machine.view.items[1].validity == .unknown)
  }

  @Test("a condition that refers to a hidden item is false, whatever the value of the hidden item") func chain() throws
  {
    let items = [
      switchItem("more"), selection("kind", ["a", "b"], visibleWhen: isOn),
      input("detail", visibleWhen: .init(item: 1, expected: .options([Array("b".utf8)]))),
    ]
    var machine = SessionMachine(flow: testFlow([testScreen(items)]), screen: 0)
    try machine.flip("more", to: true)
    try machine.pick("a", at: "kind")
    #expect(machine.draft.entries[2].isHidden)
    try machine.pick("b", at: "kind")
    #expect(!machine.draft.entries[2].isHidden)
    try machine.flip("more", to: false)
    #expect(machine.draft.entries[1].isHidden && machine.draft.entries[2].isHidden)
    try machine.flip("more", to: true)
    #expect(!machine.draft.entries[2].isHidden)
    try machine.pick(nil, at: "kind")
    #expect(machine.draft.entries[2].isHidden)
  }

  @Test("commands first remove items and sections and then insert others, at positions that count only what is shown")
  func commands() throws {
    let off = Item.Condition(item: 0, expected: .position(false))
    let items = [
      switchItem("more", false), input("x", visibleWhen: off), input("y", visibleWhen: isOn), input("p"), input("q"),
    ]
    let sections: [Screen.Section] = [
      .init(id: "always", items: 0..<3), .init(id: "off", items: 3..<4, visibility: off),
      .init(id: "on", items: 4..<5, visibility: isOn),
    ]
    var machine = SessionMachine(flow: testFlow([testScreen(items, sections: sections)]), screen: 0)
    let before = machine.view
    try machine.flip("more", to: true)
    var changes: [ViewChange] = []
    Presenter.appendChanges(
      from: before, to: machine.view, edited: 0, on: machine.screen, StringTable([:]), to: &changes)
    #expect(
      changes == [
        .phase, .itemRemoved(1), .sectionRemoved(1), .itemInserted(2, at: 1, section: 0), .sectionInserted(2, at: 1),
        .focus,
      ])
  }

  @Test("an item that appears because a link resets the form counts as shown since the reset") func freshForm() throws {
    let items = [switchItem("more", true), input("name", visibleWhen: isOn)]
    let base = testScreen(items)
    let screen = Screen(
      id: base.id, title: base.title, request: base.request, sections: base.sections, items: base.items,
      primary: base.primary, links: [.init(action: .init(id: "anew", title: "t"), screen: 0, values: .go)],
      success: base.success)
    var machine = SessionMachine(flow: testFlow([screen]), screen: 0)
    try machine.flip("more", to: false)
    #expect(machine.press(.link(0), question: 1) == .shown(wiping: .all))
    #expect(!machine.hides(1) && machine.since(item: 1) == machine.revision)
    #expect(machine.since(item: 0) == machine.screenSince && machine.screenSince < machine.revision)
  }

  @Test("an item that appears because success clears the form counts as shown since the success")
  func success() throws {
    let items = [switchItem("more", true), input("name", visibleWhen: isOn)]
    var machine = SessionMachine(flow: testFlow([testScreen(items)]), screen: 0)
    try machine.flip("more", to: false)
    _ = machine.press(.submit, question: 1)
    _ = machine.handleAnswer(.accepted(principal: nil, data: nil), to: 1)
    #expect(!machine.hides(1) && machine.since(item: 1) == machine.revision && machine.since(item: 0) == 1)
  }

  @Test("an edit of a text shows and hides items that depend on it, which count as shown since the edit")
  func typing() throws {
    let isEmpty = Item.Condition.item(0, .isEmpty(true))
    let items = [
      input("name"), input("help", visibleWhen: isEmpty), input("town", visibleWhen: .not(isEmpty)), input("other"),
    ]
    let sections: [Screen.Section] = [
      .init(id: "all", items: 0..<3), .init(id: "more", items: 3..<4, visibility: .not(isEmpty)),
    ]
    var machine = SessionMachine(flow: testFlow([testScreen(items, sections: sections)]), screen: 0)
    let before = machine.view
    try machine.type("a", into: "name")
    #expect(machine.hides(1) && !machine.hides(2) && machine.since(item: 2) == 2 && machine.since(item: 3) == 2)
    var changes: [ViewChange] = []
    Presenter.appendChanges(
      from: before, to: machine.view, edited: 0, on: machine.screen, StringTable([:]), to: &changes)
    #expect(
      changes == [
        .phase, .itemRemoved(1), .itemInserted(2, at: 1, section: 0), .sectionInserted(1, at: 1),
        .item(0, .validity),
      ])
    try machine.type("ad", into: "name")
    #expect(machine.since(item: 2) == 2, "what stays is as old as it was")
    try machine.type("", into: "name")
    #expect(!machine.hides(1) && machine.since(item: 1) == 4)
  }

  @Test("an item that appears because success carried a text to its screen counts as shown since that success")
  func carried() throws {
    let first = testScreen([input("name")], success: .screen(1))
    let second = testScreen(
      [input("name"), input("town", visibleWhen: .item(0, .texts([Array("ada".utf8)])))], id: "second",
      success: .screen(1))
    var machine = SessionMachine(flow: testFlow([first, second]), screen: 0)
    try machine.type("ada", into: "name")
    _ = machine.press(.submit, question: 1)
    _ = machine.handleAnswer(.accepted(principal: nil, data: nil), to: 1)
    #expect(!machine.hides(1) && machine.since(item: 1) == machine.revision)
    try machine.type("", into: "name")
    try machine.type("ada", into: "name")
    let since = machine.revision
    _ = machine.press(.submit, question: 2)
    _ = machine.handleAnswer(.accepted(principal: nil, data: nil), to: 2)
    #expect(!machine.hides(1) && machine.since(item: 1) == since, "it was never off the screen")
  }
}
