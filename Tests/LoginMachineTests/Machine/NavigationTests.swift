import LoginMachine
import Testing

/// Navigation between screens.
struct NavigationTests {
  @Test("a screen that is left keeps its plain values and loses its secrets") func keepsAndEmpties() throws {
    var machine = try Situation.validated.machine(standardFlow())
    _ = machine.change(try machine.item("remember"), to: true)
    let login = machine.screenReference
    #expect(machine.press(.link(0), question: 1) == .shown(wiping: .all))
    #expect(machine.screenReference != login && machine.phase == .initial)
    try machine.type("ada", into: "userName")
    try machine.type("long enough", into: "password")
    #expect(machine.press(.link(0), question: 1) == .shown(wiping: .all))
    #expect(machine.screenReference == login && machine.phase == .unvalidated)
    let view = machine.view
    #expect(view.text(of: try machine.item("email")) == "ada@example.com")
    #expect(view.items[try machine.item("remember")].isOn == true)
    #expect(!view.items[try machine.item("password")].isFilled)
    #expect(view.items[try machine.item("password")].validity == .unknown)
    _ = machine.press(.link(0), question: 1)
    #expect(machine.view.text(of: try machine.item("userName")) == "ada")
    #expect(!machine.view.items[try machine.item("password")].isFilled)
  }

  @Test("a screen that is left without an edit and entered again is in its initial state") func initialAgain() throws {
    var machine = try Situation.initial.machine(standardFlow())
    for _ in 0..<5 {
      _ = machine.press(.link(0), question: 1)
      #expect(machine.phase == .initial)
    }
    #expect(machine.revision == 6)
  }

  @Test("leaving a screen removes its failure and the authenticator's messages about its items")
  func forgetsFailure() throws {
    var machine = try Situation.requestPending.machine(standardFlow())
    _ = machine.handleAnswer(
      .failed(Message("no"), items: [.init(item: 0, message: Message("said"))]), to: Situation.question)
    #expect(machine.view.remarks.count == 1 && machine.view.items[0].validity == .invalid)
    _ = machine.press(.link(0), question: 8)
    _ = machine.press(.link(0), question: 8)
    #expect(machine.view.remarks.isEmpty && machine.view.error == nil && machine.view.items[0].validity == .valid)
  }

  @Test("an authenticator's message about an item is removed by the next edit of the item or by the next request")
  func answersEnd() throws {
    var machine = try Situation.requestPending.machine(standardFlow())
    let said = [0, 1].map { Draft.Remark(item: $0, message: Message("said")) }
    _ = machine.handleAnswer(.failed(Message("no"), items: said), to: Situation.question)
    try machine.type("grace@example.com", into: "email")
    #expect(machine.view.remarks.map(\.item) == [1])
    // Only the authenticator can tell whether the other item's value is still invalid.
    #expect(machine.view.items[1].validity == .invalid)
    #expect(machine.phase == .validated && machine.view.primaryIsEnabled)
    _ = machine.press(.submit, question: 8)
    #expect(machine.view.remarks.isEmpty)
  }

  @Test("success clears every screen of the session") func successEmpties() throws {
    var machine = try Situation.initial.machine(standardFlow())
    _ = machine.press(.link(0), question: 1)
    try machine.type("ada", into: "userName")
    _ = machine.press(.link(0), question: 1)
    try machine.type("ada@example.com", into: "email")
    try machine.type("correct horse", into: "password")
    _ = machine.press(.submit, question: 1)
    #expect(machine.handleAnswer(acceptance, to: 1) == .shown(wiping: .all))
    #expect(machine.draft == Draft(of: machine.screen))
    let view = machine.view
    #expect(view.items.indices.allSatisfy { view.withText(of: $0) { $0.isEmpty } })
  }

  @Test("after a link from a screen to itself, what the screen shows does not count as new") func toItself() throws {
    let screen = try standardFlow().screens[0]
    let link = Screen.Link(action: .init(id: "again", title: "t"), screen: 0)
    let flow = Flow(
      id: "loop", start: 0,
      screens: [
        Screen(
          id: screen.id, title: screen.title, request: screen.request, sections: screen.sections, items: screen.items,
          primary: screen.primary, links: [link], success: screen.success)
      ], strings: StringTables([:]), defaultLocale: "en")
    var machine = try Situation.validated.machine(flow)
    let before = machine.view
    _ = machine.press(.link(0), question: 1)
    #expect(machine.screenSince == 1 && machine.since(.submit) == 1 && machine.since(.link(0)) == 1)
    var changes: [ViewChange] = []
    Presenter.appendChanges(
      from: before, to: machine.view, edited: nil, on: machine.screen, StringTable([:]), to: &changes)
    #expect(changes == [.phase, .item(1, [.filled, .validity]), .primaryEnabled, .focus])
  }

  @Test("a screen's initial values are validated at once") func beginning() throws {
    var machine = SessionMachine(flow: try standardFlow(), screen: 0)
    machine.prefill(text: Array("ada@example.com".utf8).span, in: try machine.item("email"))
    machine.prefill(isOn: true, in: try machine.item("remember"))
    #expect(machine.phase == .unvalidated && machine.revision == 1 && machine.events == 0)
    #expect(machine.view.items[try machine.item("email")].validity == .valid)
    #expect(machine.view.items[try machine.item("remember")].isOn == true)
  }
}
