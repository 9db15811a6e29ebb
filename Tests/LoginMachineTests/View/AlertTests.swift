import LoginMachine
import Testing

/// Alerts, which users have to dismiss before they can do anything else.
struct AlertTests {
  private let ok = Screen.Action(id: "ok", title: "ok")

  @Test("in a flow with alerts, a submit with invalid values shows each error once in an alert and marks nothing")
  func invalid() throws {
    let twice = [input("a", [Rule(.required, message: "missing")]), input("b", [Rule(.required, message: "missing")])]
    let third = input("c", [Rule(.minLength(3), message: "short")])
    var machine = SessionMachine(flow: alertFlow(twice + [third]), screen: 0)
    try machine.type("x", into: "c")
    #expect(machine.press(.submit, question: 1) == .shown())
    #expect(machine.alert?.kind == .invalid)
    #expect(machine.alert?.messages == [Message("missing"), Message("short", [.init("length", .number("3"))])])
    #expect(machine.phase == .unvalidated && machine.view.items.allSatisfy { $0.validity == .unknown })
    #expect(machine.press(.dismiss, question: 1) == .shown())
    #expect(machine.alert == nil && machine.phase == .unvalidated && machine.acceptsEdits)
  }

  @Test("in a flow with alerts, a failure is shown only in an alert, without an inline error or a retry")
  func failure() throws {
    var machine = try pending()
    _ = machine.handleAnswer(refusal, to: 1)
    #expect(machine.phase.name == .requestFailed)
    let view = machine.view
    #expect(view.alert == Alert(.failure, messages: [Message("invalidCredentials")]) && view.error == nil)
    #expect(view.primary == .submit && !view.primaryIsEnabled && !view.isEditable && !view.linksAreEnabled)
    _ = machine.press(.dismiss, question: 2)
    #expect(machine.phase == .validated && machine.alert == nil && machine.view.primaryIsEnabled)
  }

  @Test("while an alert is shown, edits and all actions except its dismissal are refused") func refused() throws {
    var machine = try pending()
    _ = machine.handleAnswer(refusal, to: 1)
    let shown = machine
    let isTaken = try machine.type("x", into: "a")
    #expect(!isTaken)
    for action in [SessionMachine.Action.submit, .cancel, .retry, .link(0)] {
      #expect(machine.press(action, question: 2) == .refused)
    }
    #expect(machine == shown)
  }

  @Test("a submit of unchanged values after a dismissed failure refers to the first question")
  func retryOf() throws {
    var machine = try pending()
    for number in UInt64(1)...3 {
      let id = QuestionID(number: number)
      _ = machine.handleAnswer(refusal, to: id)
      _ = machine.press(.dismiss, question: 9)
      let next = try machine.submitted(id.next)
      #expect(next?.retryOf == 1)
    }
    _ = machine.handleAnswer(refusal, to: 4)
    _ = machine.press(.dismiss, question: 9)
    try machine.type("other", into: "a")
    let fresh = try machine.submitted(5)
    #expect(fresh?.id == 5 && fresh?.retryOf == nil)
  }

  @Test("alerts are shown in the order of their occurrence, the failure last") func order() throws {
    var machine = try pending()
    for (code, reception) in [("first", Step.shown()), ("second", .unseen())] {
      #expect(machine.notify(nil, Alert(.notice, messages: [Message(code)]), of: 1) == reception)
    }
    _ = machine.handleAnswer(refusal, to: 1)
    for code in ["first", "second", "invalidCredentials"] {
      #expect(machine.alert?.messages == [Message(code)])
      #expect(machine.phase.name == .requestFailed)
      _ = machine.press(.dismiss, question: 2)
    }
    #expect(machine.alert == nil && machine.phase == .validated)
    #expect(machine.press(.dismiss, question: 2) == .refused)
  }

  @Test("an event that changes nothing on the screen makes no revision, even while an alert is shown")
  func unseen() throws {
    var machine = try pending()
    let alert = Alert(.notice, messages: [Message("read me")])
    #expect(machine.notify(Message("wait"), alert, of: 1) == .shown())
    let (view, revision) = (machine.view, machine.revision)
    #expect(machine.notify(Message("wait"), nil, of: 1) == .unseen())
    #expect(machine.notify(Message("wait"), alert, of: 1) == .unseen())
    #expect(machine.view == view && machine.revision == revision)
    #expect(machine.notify(Message("wait more"), alert, of: 1) == .shown())
    #expect(machine.revision == revision + 1)
    for _ in 0..<3 { #expect(machine.press(.dismiss, question: 2) == .shown()) }
    #expect(machine.alert == nil && machine.revision == revision + 4)
  }

  @Test("a throttle that ends while an alert is shown makes no revision") func throttleBehind() throws {
    var machine = try pending()
    _ = machine.handleAnswer(.failed(Message("throttled"), items: [], retryAfter: 2500), to: 1)
    let revision = machine.revision
    #expect(machine.endThrottle(of: 1) == .unseen())
    #expect(machine.revision == revision && !machine.isThrottled)
    _ = machine.press(.dismiss, question: 2)
    #expect(machine.view.primaryIsEnabled)
  }

  @Test("two alerts are distinct even if they have the same content") func others() throws {
    var machine = try pending()
    let alert = Alert(.notice, messages: [Message("same")])
    for _ in 0..<2 { _ = machine.notify(nil, alert, of: 1) }
    let (before, age) = (machine.view, machine.since(.dismiss))
    _ = machine.press(.dismiss, question: 2)
    #expect(machine.view.alert == before.alert && machine.view.alertID != before.alertID)
    #expect(machine.since(.dismiss) > age && machine.since(.dismiss) == machine.revision)
    var changes: [ViewChange] = []
    Presenter.appendChanges(
      from: before, to: machine.view, edited: nil, on: machine.screen, StringTable([:]), to: &changes)
    #expect(changes == [.alert, .focus])
  }

  @Test("the scene and the activity are shown only after all alerts are dismissed") func sceneWaits() throws {
    var machine = try pending()
    _ = machine.notify(nil, Alert(.notice, messages: [Message("read me")]), of: 1)
    #expect(!machine.view.showsActivity && machine.phase.name == .requestPending)
    _ = machine.handleAnswer(acceptance, to: 1)
    #expect(machine.phase.name == .requestSucceeded && machine.view.scene == nil)
    _ = machine.press(.dismiss, question: 2)
    #expect(machine.view.scene?.id == "there" && machine.alert == nil)
  }

  @Test("when an alert is dismissed before the request is answered, the activity is shown again")
  func activityAgain() throws {
    var machine = try pending()
    _ = machine.notify(nil, Alert(.notice, messages: [Message("read me")]), of: 1)
    #expect(!machine.accepts(.cancel))
    _ = machine.press(.dismiss, question: 2)
    #expect(machine.view.showsActivity && machine.accepts(.cancel))
  }

  @Test("an authenticator's alert becomes a notice on a screen without alerts") func noModel() throws {
    var machine = try Situation.requestPending.machine(testFlow([testScreen(standardItems)]))
    #expect(
      machine.notify(
        nil, Alert(.notice, messages: [Message("a"), Message("b")]), of: ConversationID(first: Situation.question))
        == .shown())
    #expect(machine.alert == nil && machine.notice == Message("a"))
  }

  @Test(
    "an alert stays when the next screen is shown, and becomes a notice if that screen has no alerts",
    arguments: [true, false])
  func goesAlong(_ hasAlerts: Bool) throws {
    let first = testScreen([input("a")], alert: true, success: .screen(1))
    var machine = SessionMachine(
      flow: testFlow([first, testScreen([input("z")], id: "next", alert: hasAlerts)]), screen: 0)
    _ = machine.press(.submit, question: 1)
    _ = machine.notify(nil, Alert(.notice, messages: [Message("read me")]), of: 1)
    _ = machine.handleAnswer(acceptance, to: 1)
    #expect(machine.screenReference == .flow(1))
    #expect((machine.alert != nil) == hasAlerts && (machine.notice == nil) == hasAlerts)
    #expect(machine.acceptsEdits != hasAlerts)
  }

  private func alertFlow(_ items: [Item]) -> Flow {
    testFlow([testScreen(items, alert: true, links: [0])]) { options in
      (options.invalid, options.failure, options.submit) = (.alert, .alert, .always)
    }
  }

  private func pending() throws -> SessionMachine {
    var machine = SessionMachine(flow: alertFlow([input("a")]), screen: 0)
    try machine.type("ada", into: "a")
    _ = machine.press(.submit, question: 1)
    return machine
  }
}
