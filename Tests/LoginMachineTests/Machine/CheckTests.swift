import LoginMachine
import Testing

/// Values that an authenticator checks while they are entered.
struct CheckTests {
  private func checked(_ item: Item) -> Item {
    var item = item
    item.check = .init(after: 500)
    return item
  }

  /// A machine with two screens. The first has a name and a secret with checks, a switch that hides
  /// a third item with a check, and an input without a check.
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

  /// A machine in which an item's check has an open question, number 7.
  private func asked(_ change: (inout FlowOptions) -> Void = { _ in }) throws -> SessionMachine {
    var machine = machine(change)
    #expect(machine.enter("ada", into: 0).scheduled == [0] && !machine.check(0, question: 7).questions.isEmpty)
    return machine
  }

  private let taken = CheckVerdict.invalid(Message("taken"))

  @Test("each edit with a valid value schedules a new check") func due() throws {
    var machine = machine()
    #expect(machine.check(0, question: 1) == .refused)
    #expect(machine.enter("ada", into: 0) == .shown([.scheduleCheck(item: 0, after: 500)]))
    #expect(machine.awaitsCheck(of: 0))
    #expect(machine.enter("x", into: 4).effects.isEmpty)
    #expect(machine.enter("adam", into: 0).effects == [.cancelCheck(item: 0), .scheduleCheck(item: 0, after: 500)])
    #expect(machine.enter("secret", into: 1).scheduled == [1])
    let question = try #require(machine.check(0, question: 4).questions.first)
    #expect(question.isBackground && question.request == "ask" && question.values == nil && question.checked?.item == 0)
    #expect(question.checked?.entry.text == Array("adam".utf8) && question.conversationID == nil)
    #expect(machine.check(0, question: 5).questions.isEmpty && machine.questionsOfChecks == [4])
  }

  @Test("an invalid or empty value is not checked") func notDue() throws {
    var machine = machine()
    #expect(machine.enter("ad", into: 0).effects.isEmpty && machine.enter("", into: 1).effects.isEmpty)
    #expect(machine.enter("ada", into: 0).scheduled == [0])
    #expect(machine.enter("", into: 0).effects == [.cancelCheck(item: 0)])
    #expect(!machine.awaitsCheck(of: 0) && machine.check(0, question: 1) == .refused)
  }

  @Test("in a flow that shows no messages at items, no value is checked", arguments: [true, false])
  func unshown(isAlert: Bool) throws {
    var machine = machine { if isAlert { $0.invalid = .alert } else { $0.marking = .none } }
    #expect(machine.enter("ada", into: 0).effects.isEmpty)
  }

  @Test(
    "an item's message does not change if an authenticator's text is replaced by a rule's message that reads the same")
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

  @Test("the verdict of a check is shown as the item's message and does not prevent a submit") func verdicts() throws {
    for (verdict, validity) in [(taken, ViewState.Validity.invalid), (.notice(Message("known")), .valid)] {
      var machine = try asked()
      let before = machine
      #expect(machine.handleCheck(verdict, to: 7) == .shown() && machine.revision == before.revision + 1)
      #expect(machine.phase == before.phase && machine.accepts(.submit) && machine.draft.isValid)
      #expect(machine.view.items[0].validity == validity && machine.view.remarks.count == 1)
      #expect(machine.view.primaryIsEnabled && machine.view.focus == before.view.focus)
      #expect(machine.handleCheck(verdict, to: 7) == .refused, "a verdict comes once")
      try machine.type("adam", into: "name")
      #expect(machine.view.remarks.isEmpty && machine.view.items[0].validity == .valid)
    }
    for verdict in [CheckVerdict.valid, .unknown] {
      var machine = try asked()
      let before = machine
      #expect(machine.handleCheck(verdict, to: 7) == .unseen() && machine.view == before.view)
      #expect(machine.revision == before.revision && machine.questionsOfChecks == [])
    }
  }

  @Test("a check's verdict cannot answer a request, and a request's answer cannot answer a check") func apart() throws {
    var machine = try asked()
    #expect(machine.handleAnswer(acceptance, to: 7) == .refused && machine.questionsOfChecks == [7])
    guard let question = machine.press(.submit, question: 8).questions.first else { return #expect(Bool(false)) }
    #expect(machine.handleCheck(taken, to: question.id) == .refused)
    #expect(machine.phase.name == .requestPending)
  }

  /// Events that end a check.
  enum End: CaseIterable {
    case edit, loss, submit, link, sameScreen, hiding
  }

  @Test("a check that ends early is abandoned once, and its late verdict changes nothing", arguments: End.allCases)
  func givenUp(end: End) throws {
    var machine = machine()
    let item = end == .loss ? 1 : end == .hiding ? 3 : 0
    if end == .hiding { _ = machine.change(2, to: true) }
    try machine.type("ada", into: machine.screen.items[item].id)
    #expect(!machine.check(item, question: 7).questions.isEmpty)
    let step =
      switch end {
      case .edit: machine.enter("adam", into: 0)
      case .loss: machine.discardSecret(1)
      case .submit: machine.press(.submit, question: 8)
      case .link: machine.press(.link(0), question: 8)
      case .sameScreen: machine.press(.link(1), question: 8)
      case .hiding: machine.change(2, to: false)
      }
    #expect(step.abandoned == [7] && machine.questionsOfChecks == [])
    #expect(step.questions.count == (end == .submit ? 1 : 0))
    let before = machine
    #expect(machine.handleCheck(taken, to: 7) == .refused && machine == before)
    #expect(machine.awaitsCheck(of: item) == (end == .edit))
  }

  @Test("a submit with invalid values keeps checks open, and a submit with valid values removes their messages")
  func submits() throws {
    var machine = try asked { $0.submit = .always }
    try machine.type("x", into: "other")
    try machine.type("ad", into: "name")
    try machine.type("ada", into: "name")
    try machine.type("secret", into: "password")
    _ = machine.check(1, question: 8)
    try machine.type("ad", into: "name")
    #expect(machine.press(.submit, question: 9) == .shown() && machine.questionsOfChecks == [8])
    #expect(machine.handleCheck(taken, to: 8) == .shown())
    try machine.type("ada", into: "name")
    #expect(try machine.submitted(9) != nil && machine.view.remarks.isEmpty && !machine.awaitsCheck(of: 0))
    #expect(machine.press(.cancel, question: 10) == .shown([.abandon(9)]))
  }

  @Test("checks end when the session succeeds or is closed") func ends() throws {
    var machine = try asked()
    #expect(machine.close() == .unseen([.abandon(7)]) && machine.questionsOfChecks == [])
    #expect(machine.handleCheck(taken, to: 7) == .refused)
    machine = try asked()
    _ = try machine.submitted(8)
    #expect(
      machine.handleAnswer(acceptance, to: 8) == .shown(wiping: .all) && machine.handleCheck(taken, to: 7) == .refused)
  }
}

extension SessionMachine {
  /// Enters a text into the item with the given index, as the engine does.
  fileprivate mutating func enter(_ text: String, into item: Int) -> Step {
    let bytes = Array(text.utf8)
    guard screen.items[item].isSecret else { return change(item, to: bytes.span) }
    return changeSecret(
      item, isFilled: !bytes.isEmpty, failing: RuleSet(of: screen.items[item].rules, failingOn: bytes.span))
  }
}

extension Step {
  /// The indices of the items whose checks this step schedules.
  fileprivate var scheduled: [Int] {
    effects.compactMap { if case .scheduleCheck(let item, _) = $0 { item } else { nil } }
  }
}
