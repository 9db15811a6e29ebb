import LoginForms
import LoginMachine
import Testing

/// Values that an authenticator checks while they are entered.
struct CheckTests {
  private func checked(_ item: Item) -> Item {
    var item = item
    item.check = .init(after: 500)
    return item
  }

  /// Two screens: a name and a secret that are checked, a switch that hides the third such item, and an input without a check.
  private func machine(_ change: (inout FlowOptions) -> Void = { _ in }) -> SessionMachine {
    let hidden = Item.Condition.item(2, .position(true))
    let items = [
      checked(input("name", [Rule(.minLength(3, acceptsEmpty: true), message: "short")])),
      checked(input("password", [], .newPassword)), switchItem("more"),
      checked(input("code", visibleWhen: hidden)), input("other"),
    ]
    return SessionMachine(
      flow: testFlow(
        [testScreen(items, alert: true, links: [1, 0]), testScreen([input("name")], id: "second", links: [0])], change),
      screen: 0)
  }

  /// A machine of which an item is being checked by question 7.
  private func asked(_ change: (inout FlowOptions) -> Void = { _ in }) throws -> SessionMachine {
    var machine = machine(change)
    try machine.type("ada", into: "name")
    #expect(machine.takeEditedChecks() == [0] && machine.check(0, question: 7) != nil)
    return machine
  }

  private let taken = CheckVerdict.invalid(Message("taken"))

  @Test("an edit of a good value makes a check due, told once for each edit") func due() throws {
    var machine = machine()
    #expect(machine.takeEditedChecks() == [] && machine.check(0, question: 1) == nil)
    try machine.type("ada", into: "name")
    #expect(machine.awaitsCheck(of: 0) && machine.takeEditedChecks() == [0] && machine.takeEditedChecks() == [])
    #expect(machine.awaitsCheck(of: 0))
    try machine.type("x", into: "other")
    #expect(machine.takeEditedChecks() == [])
    try machine.type("adam", into: "name")
    try machine.type("secret", into: "password")
    #expect(machine.takeEditedChecks() == [0, 1])
    let asked = machine.check(0, question: 4)
    let question = try #require(asked)
    #expect(question.isBeside && question.request == "ask" && question.values == nil && question.checked?.item == 0)
    #expect(question.checked?.entry.text == Array("adam".utf8) && question.conversationID == nil)
    #expect(machine.check(0, question: 5) == nil && machine.questionsOfChecks == [4])
  }

  @Test("what does not meet its rules, or is empty, is not asked about") func notDue() throws {
    var machine = machine()
    try machine.type("ad", into: "name")
    try machine.type("", into: "password")
    #expect(machine.takeEditedChecks() == [])
    try machine.type("ada", into: "name")
    _ = machine.takeEditedChecks()
    try machine.type("", into: "name")
    #expect(!machine.awaitsCheck(of: 0) && machine.check(0, question: 1) == nil)
    try machine.type("ada", into: "name")
    #expect(machine.check(0, question: 1) == nil, "nobody has been told yet that it is due")
  }

  @Test("a flow that shows no messages asks nothing", arguments: [true, false]) func unshown(isAlert: Bool) throws {
    var machine = machine { if isAlert { $0.invalid = .alert } else { $0.marking = .none } }
    try machine.type("ada", into: "name")
    #expect(machine.takeEditedChecks() == [])
  }

  @Test("what has the code of a rule, and so the flow's text, is not told again when the rule is broken")
  func sameWords() throws {
    func changes(_ said: Message, _ strings: StringTable) throws -> [ViewChange] {
      var machine = try asked()
      _ = machine.handleCheck(.invalid(said), to: 7)
      let before = machine.view
      try machine.type("ad", into: "name")
      var changes: [ViewChange] = []
      Presenter.appendChanges(from: before, to: machine.view, edited: 0, on: machine.screen, strings, to: &changes)
      return changes.filter { if case .item = $0 { true } else { false } }
    }
    let strings = StringTable(["short": "At least {length}.", "shorter": "At least {length}."])
    let length = [Message.Parameter("length", .number("3"))]
    let said = Message("short", length, text: "Three, please.")
    #expect(try changes(said, strings) == [])
    var verbatim = said
    verbatim.isVerbatim = true
    var severe = said
    severe.severity = .warning
    for other in [verbatim, severe, Message("short"), Message("shorter", length)] {
      #expect(try changes(other, strings) == [.item(0, .messages)], "\(other)")
    }
    #expect(try changes(said, StringTable([:])) == [.item(0, .messages)], "the flow has no text for the code")
  }

  @Test("a verdict is the item's message and decides nothing") func verdicts() throws {
    for (verdict, validity) in [(taken, ViewState.Validity.invalid), (.notice(Message("known")), .valid)] {
      var machine = try asked()
      let before = machine
      #expect(machine.handleCheck(verdict, to: 7) == .done && machine.revision == before.revision + 1)
      #expect(machine.phase == before.phase && machine.accepts(.submit) && machine.draft.isValid)
      #expect(machine.view.items[0].validity == validity && machine.view.remarks.count == 1)
      #expect(machine.view.primaryIsEnabled && machine.view.focus == before.view.focus)
      #expect(machine.handleCheck(verdict, to: 7) == .late, "a verdict comes once")
      try machine.type("adam", into: "name")
      #expect(machine.view.remarks.isEmpty && machine.view.items[0].validity == .valid)
    }
    for verdict in [CheckVerdict.valid, .unknown] {
      var machine = try asked()
      let before = machine
      #expect(machine.handleCheck(verdict, to: 7) == .unseen && machine.view == before.view)
      #expect(machine.revision == before.revision && machine.questionsOfChecks == [])
    }
  }

  @Test("a verdict never answers a request, and an answer is no verdict") func apart() throws {
    var machine = try asked()
    #expect(machine.handleAnswer(acceptance, to: 7) == .late && machine.questionsOfChecks == [7])
    guard case .ask(let question) = machine.press(.submit, question: 8) else { return #expect(Bool(false)) }
    #expect(machine.handleCheck(taken, to: question.id) == .late)
    #expect(machine.phase.name == .requestPending)
  }

  /// What gives up a check.
  enum End: CaseIterable {
    case edit, loss, submit, link, sameScreen, hiding
  }

  @Test("a check is given up, told once, and late answers change nothing", arguments: End.allCases)
  func givenUp(end: End) throws {
    var machine = machine()
    let item = end == .loss ? 1 : end == .hiding ? 3 : 0
    if end == .hiding { _ = machine.change(2, to: true) }
    try machine.type("ada", into: machine.screen.items[item].id)
    _ = machine.takeEditedChecks()
    #expect(machine.check(item, question: 7) != nil)
    switch end {
    case .edit: try machine.type("adam", into: "name")
    case .loss: _ = machine.loseSecret(1)
    case .submit: #expect(try machine.submitted(8) != nil)
    case .link: #expect(machine.press(.link(0), question: 8) == .wipeSecrets)
    case .sameScreen: #expect(machine.press(.link(1), question: 8) == .wipeSecrets)
    case .hiding: _ = machine.change(2, to: false)
    }
    #expect(machine.takeAbandoned() == [7] && machine.takeAbandoned() == [] && machine.questionsOfChecks == [])
    let before = machine
    #expect(machine.handleCheck(taken, to: 7) == .late && machine == before)
    #expect(machine.awaitsCheck(of: item) == (end == .edit))
  }

  @Test("a submit that sends nothing leaves checks open, and one that does takes their messages") func submits() throws
  {
    var machine = try asked { $0.submit = .always }
    try machine.type("x", into: "other")
    try machine.type("ad", into: "name")
    try machine.type("ada", into: "name")
    try machine.type("secret", into: "password")
    _ = machine.takeEditedChecks()
    _ = machine.check(1, question: 8)
    try machine.type("ad", into: "name")
    #expect(machine.press(.submit, question: 9) == .done && machine.questionsOfChecks == [8])
    #expect(machine.handleCheck(taken, to: 8) == .done)
    try machine.type("ada", into: "name")
    #expect(try machine.submitted(9) != nil && machine.view.remarks.isEmpty && !machine.awaitsCheck(of: 0))
    #expect(machine.press(.cancel, question: 10) == .cancel(9) && machine.takeEditedChecks() == [])
  }

  @Test("success and close leave no check") func ends() throws {
    var machine = try asked()
    #expect(machine.close() == nil && machine.questionsOfChecks == [] && machine.handleCheck(taken, to: 7) == .late)
    machine = try asked()
    _ = try machine.submitted(8)
    #expect(machine.handleAnswer(acceptance, to: 8) == .wipeSecrets && machine.handleCheck(taken, to: 7) == .late)
  }
}
