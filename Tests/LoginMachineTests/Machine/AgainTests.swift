import LoginMachine
import Testing

/// Sessions that start again after a successful login.
struct AgainTests {
  /// A flow of two screens, each of which succeeds with a scene. Sessions start with the first
  /// screen.
  private func flow(_ change: (inout FlowOptions) -> Void = { _ in }) -> Flow {
    let screens = ["first", "second"].map { id in
      let plain = testScreen(standardItems + [switchItem("remember", false)], id: id, alert: true, links: [0, 1])
      var primary = plain.primary
      primary.again = .init(id: "anew", title: "t")
      return Screen(
        id: id, title: "t", request: "ask", sections: plain.sections, items: plain.items, primary: primary,
        links: plain.links, alert: plain.alert, success: plain.success)
    }
    return testFlow(screens, change)
  }

  /// A machine after success on the screen with the given index.
  private func succeeded(on screen: Int = 0, _ change: (inout FlowOptions) -> Void = { _ in }) throws -> SessionMachine
  {
    var machine = SessionMachine(flow: flow(change), screen: screen)
    try machine.type("ada@example.com", into: "email")
    try machine.type("secret", into: "password")
    try machine.flip("remember", to: true)
    _ = try machine.submitted(1)
    _ = machine.handleAnswer(acceptance, to: 1)
    return machine
  }

  private func fresh(_ flow: Flow) -> ViewState { SessionMachine(flow: flow, screen: 0).view.unfocused }

  @Test(
    "after success the button starts the session again, and no other action is accepted",
    arguments: FlowOptions.PendingStyle.allCases
  )
  func offered(_ pending: FlowOptions.PendingStyle) throws {
    var machine = try succeeded { $0.pending = pending }
    #expect(machine.view.primary == .again && machine.view.primaryIsEnabled && !machine.view.linksAreEnabled)
    #expect(machine.since(.again) == machine.revision && machine.shows(.again) && !machine.shows(.submit))
    for action in [SessionMachine.Action.submit, .cancel, .retry, .link(0), .dismiss] {
      #expect(!machine.accepts(action) && machine.press(action, question: 2) == .refused)
    }
    #expect(try !machine.type("x", into: "email"))
  }

  @Test("the again action is refused before success, and on screens that do not define it") func notOffered() throws {
    for situation in Situation.allCases {
      var machine = try situation.machine(standardFlow())
      #expect(machine.press(.again, question: 9) == .refused)
    }
    var machine = SessionMachine(flow: flow(), screen: 0)
    #expect(!machine.accepts(.again) && machine.press(.again, question: 2) == .refused)
    try machine.type("ada@example.com", into: "email")
    try machine.type("secret", into: "password")
    #expect(machine.press(.again, question: 2) == .refused)
    _ = try machine.submitted(1)
    #expect(machine.press(.again, question: 2) == .refused)
    _ = machine.handleAnswer(refusal, to: 1)
    #expect(machine.press(.again, question: 2) == .refused)
  }

  @Test(
    "the again action leads to the first screen in its initial state, whichever screen succeeded", arguments: [0, 1])
  func fresh(_ screen: Int) throws {
    var machine = try succeeded(on: screen)
    let revision = machine.revision
    #expect(machine.press(.again, question: 2) == .shown(wiping: .all))
    #expect(machine.view.unfocused == fresh(machine.flow) && machine.phase == .initial)
    #expect(machine.revision == revision + 1)
    let sinces = [machine.screenSince, machine.since(.submit), machine.since(.link(0)), machine.since(item: 0)]
    #expect(sinces.allSatisfy { $0 == machine.revision }, "all that is shown is new, also on the same screen")
    #expect(machine.press(.again, question: 3) == .refused)
  }

  @Test("the again action shows the whole screen anew, even if it is the screen that succeeded") func commands() throws
  {
    var machine = try succeeded()
    let before = machine.view
    _ = machine.press(.again, question: 2)
    var changes: [ViewChange] = []
    Presenter.appendChanges(
      from: before, to: machine.view, edited: nil, on: machine.screen, StringTable([:]), to: &changes)
    #expect(changes == [.screen, .focus])
  }

  @Test("the again action discards the values of all other screens") func shelf() throws {
    var machine = SessionMachine(flow: flow(), screen: 1)
    try machine.type("ada@example.com", into: "email")
    try machine.type("secret", into: "password")
    _ = try machine.submitted(1)
    _ = machine.handleAnswer(.failed(Message("early"), items: [], retryAfter: 5000), to: 1)
    _ = machine.press(.link(0), question: 2)
    try machine.type("bob@example.com", into: "email")
    try machine.type("secret", into: "password")
    _ = try machine.submitted(3)
    _ = machine.handleAnswer(acceptance, to: 3)
    _ = machine.press(.again, question: 4)
    #expect(!machine.hasThrottle(of: 1) && machine.endThrottle(of: 1) == .refused)
    _ = machine.press(.link(1), question: 5)
    #expect(machine.phase == .initial && machine.view.text(of: 0) == "" && !machine.isThrottled)
  }

  @Test("an alert delays the scene and the again action") func alert() throws {
    var machine = SessionMachine(flow: flow(), screen: 0)
    try machine.type("ada@example.com", into: "email")
    try machine.type("secret", into: "password")
    _ = try machine.submitted(1)
    _ = machine.notify(nil, Alert(.notice, messages: [Message("news")]), of: 1)
    _ = machine.handleAnswer(acceptance, to: 1)
    #expect(machine.press(.again, question: 2) == .refused && !machine.view.primaryIsEnabled)
    #expect(machine.press(.dismiss, question: 2) == .shown())
    #expect(machine.view.primaryIsEnabled && machine.press(.again, question: 2) == .shown(wiping: .all))
    #expect(machine.view.unfocused == fresh(machine.flow))
  }

  @Test("after a login with a challenge succeeds, the screen where the conversation began has the again action")
  func challenged() throws {
    var machine = SessionMachine(flow: flow(), screen: 1)
    try machine.type("ada@example.com", into: "email")
    try machine.type("secret", into: "password")
    _ = try machine.submitted(1)
    _ = machine.handleAnswer(.challenge(Challenge(screen: challengeScreen())), to: 1)
    #expect(!machine.accepts(.again))
    _ = try machine.sentCode(2)
    _ = machine.handleAnswer(acceptance, to: 2)
    #expect(machine.view.primary == .again && machine.press(.again, question: 3) == .shown(wiping: .all))
    #expect(machine.view.unfocused == fresh(machine.flow))
  }

  @Test("a view with transitions gets the scene of a success and, after a press of the again action, the screen")
  func acknowledged() throws {
    var session = try QueuedSession(.queue, flow())
    try session.type("ada@example.com", into: "email")
    try session.type("secret", into: "password")
    session.press(.submit, question: 1)
    _ = session.queue.present(session.queue.awaited ?? 0)
    session.write()
    session.answer(acceptance, to: 1)
    while let awaited = session.queue.awaited {
      _ = session.queue.present(awaited)
      session.write()
    }
    #expect(session.queue.written.view.scene != nil)
    session.press(.again)
    #expect(session.changes.last == [.screen, .focus] && session.queue.awaited == session.machine.revision)
    #expect(session.queue.written.view.unfocused == fresh(session.machine.flow))
  }
}
