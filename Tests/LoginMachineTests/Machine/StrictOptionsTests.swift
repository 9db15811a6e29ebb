import LoginMachine
import Testing

/// Flows that accept and show less than usual: submit only with valid values, no marks, and submit
/// only after an edit once a request has failed.
struct StrictOptionsTests {
  private let items = [
    input("a", [Rule(.required, message: "missing")]), input("b", [Rule(.email, message: "invalid")]),
  ]
  private let refusal = Answer.failed(Message("no"), items: [Draft.Remark(item: 0, message: Message("not you"))])

  private func machine(
    _ items: [Item]? = nil, links: [Int] = [], _ change: (inout FlowOptions) -> Void
  ) -> SessionMachine {
    let screens = [testScreen(items ?? self.items, alert: true, links: links), testScreen([input("c")], links: [0])]
    return SessionMachine(flow: testFlow(screens, change), screen: 0)
  }

  // MARK: Submit only when valid

  @Test("in a flow with onlyWhenValid, a press of a disabled submit is refused and changes nothing")
  func refused() throws {
    var machine = machine { $0.submit = .onlyWhenValid }
    for text in ["x", "a@b", "y"] {
      let before = machine
      #expect(!machine.view.primaryIsEnabled && machine.press(.submit, question: 1) == .refused)
      #expect(machine == before)
      try machine.type(text, into: "b")
    }
    try machine.type("a@b", into: "b")
    try machine.type("ada", into: "a")
    #expect(machine.view.primaryIsEnabled)
    #expect(try machine.submitted(1) != nil)
  }

  @Test("a form without required items can be sent unchanged") func blank() throws {
    var machine = machine([input("b", [Rule(.email, message: "invalid")])]) { $0.submit = .onlyWhenValid }
    #expect(machine.phase == .initial && machine.view.primaryIsEnabled)
    #expect(try machine.submitted(1) != nil)
  }

  @Test(
    "in a flow with onlyWhenValid, a press of submit is accepted if and only if submit is enabled",
    arguments: Situation.allCases, [true, false])
  func agreement(_ situation: Situation, losesSecret: Bool) throws {
    for failure in FlowOptions.NoticeStyle.allCases {
      for afterFailure in FlowOptions.AfterFailure.allCases {
        let flow = testFlow([testScreen(standardItems, alert: true, links: [0])]) {
          ($0.submit, $0.failure, $0.afterFailure) = (.onlyWhenValid, failure, afterFailure)
        }
        // In the situation `unvalidated`, only the email address is filled.
        var machine = try situation.machine(flow)
        for _ in 0..<2 {
          if losesSecret { _ = machine.discardSecret(1) }
          #expect(machine.accepts(.submit) == (machine.view.primary == .submit && machine.view.primaryIsEnabled))
          _ = machine.press(.dismiss, question: 9)
        }
      }
    }
  }

  // MARK: No marks

  @Test("in a flow without marks, no item is shown as valid or invalid", arguments: FlowOptions.NoticeStyle.allCases)
  func unmarked(_ failure: FlowOptions.NoticeStyle) throws {
    var machine = machine { ($0.marking, $0.failure) = (.none, failure) }
    func expectNoMarks(_ machine: SessionMachine) {
      #expect(machine.view.items.allSatisfy { $0.validity == .unknown && $0.failing.isEmpty })
      #expect(machine.view.remarks.isEmpty)
    }
    try machine.type("x", into: "b")
    expectNoMarks(machine)
    #expect(machine.press(.submit, question: 1) == .shown() && machine.phase == .unvalidated)
    expectNoMarks(machine)
    try machine.type("a@b", into: "b")
    try machine.type("ada", into: "a")
    expectNoMarks(machine)
    _ = machine.press(.submit, question: 1)
    _ = machine.handleAnswer(refusal, to: 1)
    expectNoMarks(machine)
    guard failure == .alert else { return }
    #expect(machine.alert?.messages == [Message("no"), Message("not you")], "the alert says what the items do not")
  }

  @Test("in a flow without marks, the alert after a submit with invalid values states what is missing")
  func alertWithoutMarks() throws {
    var machine = machine { ($0.marking, $0.invalid, $0.submit) = (.none, .alert, .always) }
    try machine.type("x", into: "b")
    #expect(machine.press(.submit, question: 1) == .shown())
    #expect(machine.alert?.messages == [Message("missing"), Message("invalid")])
  }

  // MARK: After a failure

  @Test("with afterFailure: initial, a failure returns the form to its initial phase, and the values are kept")
  func restart() throws {
    var machine = try failed()
    #expect(machine.press(.dismiss, question: 2) == .shown())
    #expect(machine.phase == .initial && machine.acceptsEdits && machine.view.text(of: 0) == "ada")
    #expect(!machine.view.primaryIsEnabled)
    let before = machine
    #expect(machine.press(.submit, question: 2) == .refused && machine == before)
    try machine.type("ada", into: "a")
    #expect(machine.phase == .validated && machine.view.primaryIsEnabled)
    let question = try machine.submitted(2)
    #expect(question != nil && question?.retryOf == nil, "what is sent after an edit is something new")
  }

  @Test(
    "with afterFailure: initial, submit is disabled after a failure until an edit, in every style of submit",
    arguments: FlowOptions.SubmitStyle.allCases)
  func restart(_ style: FlowOptions.SubmitStyle) throws {
    var machine = try failed { $0.submit = style }
    _ = machine.press(.dismiss, question: 2)
    #expect(!machine.view.primaryIsEnabled && !machine.accepts(.submit))
    try machine.type("", into: "a")
    #expect(machine.phase == .unvalidated && machine.view.primaryIsEnabled == (style == .always))
    #expect(machine.accepts(.submit) == (style != .onlyWhenValid))
  }

  @Test("by default, after the alert of a failure the form has the phase that follows from its values")
  func values() throws {
    var machine = try failed { $0.afterFailure = .values }
    _ = machine.press(.dismiss, question: 2)
    #expect(machine.phase == .validated && machine.view.primaryIsEnabled)
    #expect(try machine.submitted(2)?.retryOf == 1)
  }

  @Test("an edit ends a throttle and enables submit, but the end of the throttle alone does not enable submit")
  func throttled() throws {
    for ends in [true, false] {
      var machine = try failed(Answer.failed(Message("later"), items: [], retryAfter: 100))
      _ = machine.press(.dismiss, question: 2)
      #expect(machine.phase == .initial && machine.isThrottled)
      // The end of the throttle changes nothing visible, because the action is disabled anyway.
      if ends { #expect(machine.endThrottle(of: 1) == .unseen()) }
      #expect(!machine.view.primaryIsEnabled && !machine.accepts(.submit))
      try machine.type("grace", into: "a")
      #expect(machine.view.primaryIsEnabled && machine.accepts(.submit))
    }
  }

  @Test("after a failure, a screen that was left and entered again can be submitted without an edit") func left() throws
  {
    var machine = try failed()
    _ = machine.press(.dismiss, question: 2)
    _ = machine.press(.link(0), question: 2)
    #expect(machine.screenReference == .flow(1) && machine.accepts(.submit))
    _ = machine.press(.link(0), question: 2)
    #expect(machine.phase == .validated && machine.view.primaryIsEnabled && machine.accepts(.submit))
  }

  @Test("after a failure, a screen with no items to edit can be submitted without an edit") func nothingToEdit() throws
  {
    let text = Item(id: "t", apiKey: nil, kind: .text, title: "t", placeholder: nil, rules: [])
    let hidden = input("h", visibleWhen: Item.Condition(item: 0, expected: .position(true)))
    var machine = machine([text]) { ($0.failure, $0.afterFailure) = (.alert, .initial) }
    _ = machine.press(.submit, question: 1)
    _ = machine.handleAnswer(refusal, to: 1)
    _ = machine.press(.dismiss, question: 2)
    #expect(machine.phase == .initial && machine.view.primaryIsEnabled)
    #expect(try machine.submitted(2)?.retryOf == 1)

    // A hidden item cannot be edited, but the switch that hides it can.
    machine = self.machine([switchItem("s"), hidden]) { ($0.failure, $0.afterFailure) = (.alert, .initial) }
    _ = machine.press(.submit, question: 1)
    _ = machine.handleAnswer(refusal, to: 1)
    _ = machine.press(.dismiss, question: 2)
    #expect(!machine.view.primaryIsEnabled)
  }

  @Test("an alert about something other than a failure does not change the form") func notice() throws {
    var machine = try failed()
    _ = machine.press(.dismiss, question: 2)
    try machine.type("grace", into: "a")
    _ = machine.press(.submit, question: 2)
    _ = machine.notify(nil, Alert(.notice, messages: [Message("read me")]), of: 2)
    _ = machine.handleAnswer(.notice(Message("done"), screen: nil), to: 2)
    _ = machine.press(.dismiss, question: 3)
    #expect(machine.phase == .validated && machine.view.primaryIsEnabled)
  }

  @Test("a failed request of a form without values can be repeated unchanged") func poll() throws {
    let challenge = Challenge(screen: challengeScreen(alert: true), pollAfter: 1000)
    var machine = try challenged(challenge, alert: true) { ($0.failure, $0.afterFailure) = (.alert, .initial) }
    _ = machine.poll(question: 2)
    _ = machine.handleAnswer(.undecided(Message("timeout")), to: 2)
    #expect(machine.phase.name == .requestFailed)
    _ = machine.press(.dismiss, question: 3)
    #expect(machine.phase != .initial)
    guard let question = machine.press(.submit, question: 3).questions.first else {
      Issue.record("it is asked again")
      return
    }
    #expect(question.pending.retryOf == 2)
  }

  /// A machine whose first request has failed, with an alert about the failure.
  private func failed(
    _ answer: Answer? = nil, _ change: (inout FlowOptions) -> Void = { _ in }
  ) throws -> SessionMachine {
    var machine = machine(links: [1]) {
      ($0.failure, $0.afterFailure) = (.alert, .initial)
      change(&$0)
    }
    try machine.type("ada", into: "a")
    _ = machine.press(.submit, question: 1)
    _ = machine.handleAnswer(answer ?? refusal, to: 1)
    #expect(machine.alert?.kind == .failure)
    return machine
  }
}
