import LoginMachine
import Testing

/// The keyboard focus.
struct FocusTests {
  private let items = [
    input("a", [Rule(.required, message: "missing")]), input("b", [Rule(.email, message: "invalid")]),
  ]

  private func machine(_ change: (inout FlowOptions) -> Void = { _ in }) -> SessionMachine {
    SessionMachine(flow: testFlow([testScreen(items, alert: true)], change), screen: 0)
  }

  /// What has the focus, and the revision in which the focus was set.
  private struct Place: Equatable {
    let target: Focus.Target?
    let since: UInt64

    init(_ target: Focus.Target?, _ since: UInt64) { (self.target, self.since) = (target, since) }
  }

  private func focus(_ machine: SessionMachine) -> Place {
    Place(machine.view.focus.target, machine.view.focus.since)
  }

  @Test("the focus starts on the first empty item, and edits do not move it") func entry() throws {
    var machine = try Situation.initial.machine(standardFlow())
    #expect(focus(machine) == Place(.item(0), 1))
    machine.prefill(text: Array("ada@example.com".utf8).span, in: 0)
    #expect(focus(machine) == Place(.item(1), 1))
    try machine.type("x", into: "password")
    try machine.type("", into: "email")
    #expect(focus(machine) == Place(.item(1), 1))
    _ = machine.press(.link(0), question: 1)
    #expect(machine.view.focus.since == machine.revision)
  }

  @Test("a repeated invalid submit sets the focus again") func invalid() throws {
    var machine = machine()
    try machine.type("x", into: "b")
    _ = machine.press(.submit, question: 1)
    #expect(focus(machine) == Place(.item(0), 3))
    try machine.type("x", into: "a")
    _ = machine.press(.submit, question: 1)
    #expect(focus(machine) == Place(.item(1), 5))
    _ = machine.press(.submit, question: 1)
    #expect(focus(machine) == Place(.item(1), 6))
  }

  @Test("the focus is unspecified while a request is pending and after success") func pending() throws {
    #expect(try Situation.requestPending.machine(standardFlow()).view.focus.target == nil)
    #expect(try Situation.requestSucceeded.machine(standardFlow()).view.focus.target == nil)
    var machine = try Situation.requestPending.machine(standardFlow())
    _ = machine.press(.cancel, question: 1)
    #expect(focus(machine) == Place(.primary, machine.revision))
  }

  @Test(
    "after a rejection the focus is on a rejected item or else a secret, and after an undecided request on the button")
  func failure() throws {
    var machine = try Situation.requestPending.machine(standardFlow())
    var undecided = machine
    _ = machine.handleAnswer(refusal, to: Situation.question)
    #expect(focus(machine) == Place(.item(1), machine.revision))
    _ = machine.press(.retry, question: 8)
    _ = machine.handleAnswer(
      .failed(Message("no"), items: [.init(item: 1, message: Message("x")), .init(item: 0, message: Message("y"))]),
      to: 8)
    #expect(focus(machine) == Place(.item(0), machine.revision))
    _ = undecided.handleAnswer(.undecided(Message(.timeout)), to: Situation.question)
    #expect(undecided.view.focus.target == .primary)
    let since = undecided.view.focus.since
    try undecided.type("other", into: "password")
    #expect(focus(undecided) == Place(.primary, since), "the button is another one, and still has the keyboard")
  }

  @Test("the focus is on an alert, and after its dismissal on what the alert was about") func alert() throws {
    var machine = machine { $0.invalid = .alert }
    _ = machine.press(.submit, question: 1)
    #expect(focus(machine) == Place(.dismissal, 2))
    _ = machine.press(.dismiss, question: 1)
    #expect(focus(machine) == Place(.item(0), 3))
  }

  @Test("an alert during a pending request has the focus") func notified() throws {
    var machine = machine()
    try machine.type("x", into: "a")
    _ = machine.press(.submit, question: 1)
    #expect(machine.view.focus.target == nil)
    let told = machine.notify(nil, Alert(.notice, messages: [Message("look")]), of: ConversationID(first: 1))
    #expect(told == .shown() && focus(machine) == Place(.dismissal, machine.revision))
    _ = machine.press(.dismiss, question: 2)
    #expect(machine.view.focus.target == nil)
  }

  @Test("an item that an edit hides loses the focus") func hidden() throws {
    let detail = input("detail", visibleWhen: .item(0, .position(true)))
    var machine = SessionMachine(flow: testFlow([testScreen([switchItem("more", true), detail])]), screen: 0)
    #expect(focus(machine) == Place(.item(1), 1))
    _ = machine.change(0, to: false)
    #expect(machine.view.focus.target == nil)
    _ = machine.change(0, to: true)
    #expect(focus(machine) == Place(.item(1), 1))
  }

  @Test("the button shows the end and duration of a throttle unless something else disables the button too")
  func throttle() throws {
    var machine = try Situation.requestPending.machine(standardFlow())
    _ = machine.handleAnswer(
      .failed(Message(.throttled), items: [], retryAfter: 5000), to: Situation.question, at: 1000)
    #expect(machine.view.retry?.end == 6000 && machine.view.retry?.duration == 5000)
    var edited = machine
    try edited.type("other", into: "password")
    #expect(edited.view.retry == nil)
    #expect(machine.endThrottle(of: Situation.question) == .shown())
    #expect(machine.view.retry == nil)
    var late = try Situation.requestPending.machine(standardFlow())
    _ = late.handleAnswer(
      .failed(Message(.throttled), items: [], retryAfter: .max), to: Situation.question, at: .max)
    #expect(late.view.retry?.end == 9_007_199_254_740_991)
  }
}
