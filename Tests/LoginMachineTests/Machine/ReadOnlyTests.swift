import LoginMachine
import Testing

/// Inputs that show a value of the previous screen.
struct ReadOnlyTests {
  /// A machine with two screens: one asks for an email address, and the other shows the address and
  /// has a link back.
  private func machine(
    _ success: Screen.Success = .screen(1), values: Screen.LinkValues = .stay, initial: String? = "",
    rules: [Rule] = [], _ change: (inout FlowOptions) -> Void = { _ in }
  ) -> SessionMachine {
    let shown = Item(
      id: "account", apiKey: "email", kind: .input(.email, initial: initial), title: nil, placeholder: nil,
      rules: rules, isReadOnly: true)
    let first = testScreen([input("email")], id: "first", success: success)
    let second = testScreen([shown, input("password", [], .password)], id: "second", links: [0])
    let link = Screen.Link(action: .init(id: "on", title: "t"), screen: 1, values: values)
    let linked = Screen(
      id: first.id, title: first.title, request: first.request, sections: first.sections, items: first.items,
      primary: first.primary, links: [link], success: first.success)
    return SessionMachine(flow: testFlow([linked, second], change), screen: 0)
  }

  private func submit(_ machine: inout SessionMachine) {
    _ = machine.press(.submit, question: 7)
    _ = machine.handleAnswer(.accepted(principal: nil, data: nil), to: 7)
  }

  private func account(_ machine: SessionMachine) throws -> String {
    machine.view.text(of: try machine.item("account"))
  }

  @Test("success carries a value into a read-only input of the next screen, where no edit changes it")
  func carried() throws {
    var machine = machine()
    try machine.type("ada@example.com", into: "email")
    submit(&machine)
    #expect(try account(machine) == "ada@example.com")
    let before = machine
    #expect(try !machine.type("eve@example.com", into: "account"))
    #expect(machine == before)
    try machine.type("horse", into: "password")
    guard let question = machine.press(.submit, question: 8).questions.first else { return #expect(Bool(false)) }
    #expect(question.values?.value(of: "email", on: question.screen) == .text("ada@example.com"))
  }

  @Test("success puts the previous screen's new value, even an empty one, into a read-only input")
  func again() throws {
    var machine = machine()
    for text in ["ada@example.com", "grace@example.com", ""] {
      try machine.type(text, into: "email")
      submit(&machine)
      #expect(try account(machine) == text)
      #expect(machine.press(.link(0), question: 9) == .shown(wiping: .all))
    }
  }

  @Test(
    "a link puts a value into a read-only input only if the link has values: carry",
    arguments: Screen.LinkValues.allCases)
  func links(values: Screen.LinkValues) throws {
    var machine = machine(values: values)
    try machine.type("ada@example.com", into: "email")
    #expect(machine.press(.link(0), question: 7) == .shown(wiping: .all))
    #expect(try account(machine) == (values == .carry ? "ada@example.com" : ""))
  }

  @Test("success puts the previous screen's empty value in place of a read-only input's initial value")
  func initial() throws {
    var machine = machine(initial: "nobody")
    submit(&machine)
    #expect(try account(machine) == "")
    var absent = self.machine(initial: nil)
    submit(&absent)
    #expect(absent.view.items[0].isAbsent)
  }

  @Test("a read-only value is validated, and errors are shown on submit") func judged() throws {
    var machine = machine(rules: [Rule(.email, message: "invalid")])
    try machine.type("ada", into: "email")
    submit(&machine)
    #expect(machine.phase == .unvalidated && machine.view.items[0].validity == .invalid)
    #expect(machine.press(.submit, question: 8) == .shown())
    #expect(machine.phase == .unvalidated)
  }

  @Test("a read-only input may start with a value from the view") func prefilled() throws {
    var machine = SessionMachine(flow: machine().flow, screen: 1)
    machine.prefill(text: Array("ada@example.com".utf8).span, in: 0)
    #expect(try account(machine) == "ada@example.com" && machine.phase == .validated)
  }

  @Test("a form with only read-only items can be submitted after a failure without an edit")
  func afterFailure() throws {
    let item = Item(
      id: "a", apiKey: "a", kind: .input(.text), title: nil, placeholder: nil, rules: [], isReadOnly: true)
    let link = Item(
      id: "b", apiKey: nil, kind: .link(url: "https://a"), title: "t", placeholder: nil, rules: [])
    let flow = testFlow([testScreen([item, link], alert: true)]) { ($0.failure, $0.afterFailure) = (.alert, .initial) }
    var machine = SessionMachine(flow: flow, screen: 0)
    _ = machine.press(.submit, question: 7)
    _ = machine.handleAnswer(refusal, to: 7)
    #expect(machine.press(.dismiss, question: 8) == .shown())
    #expect(machine.accepts(.submit))
  }

  @Test("no command makes a read-only input editable") func commands() throws {
    var machine = machine()
    submit(&machine)
    let before = machine.view
    _ = machine.press(.submit, question: 8)
    var changes: [ViewChange] = []
    Presenter.appendChanges(
      from: before, to: machine.view, edited: nil, on: machine.screen, StringTable([:]), to: &changes)
    #expect(changes.contains(.item(1, [.editable, .validity])))
    #expect(changes.contains(.item(0, [.validity])))
  }
}
