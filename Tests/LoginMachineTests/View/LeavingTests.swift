import LoginMachine
import Testing

/// Updates in two halves: the first hides covers such as an activity, the second shows something
/// new.
struct LeavingTests {
  /// A session that waits for the answer to question 1, and whose view has presented everything. It
  /// shows failures in alerts or in the form.
  private func pending(
    _ policy: FlowOptions.TransitionPolicy = .queue, failure: FlowOptions.NoticeStyle = .alert
  ) throws -> QueuedSession {
    let screens = [
      testScreen(standardItems, alert: true, links: [1]), testScreen([input("a")], id: "second", links: [0]),
    ]
    var session = try QueuedSession(policy, testFlow(screens) { $0.failure = failure })
    session.presentAll()
    try session.type("ada@example.com", into: "email")
    session.presentAll()
    try session.type("secret", into: "password")
    session.presentAll()
    session.press(.submit, question: 1)
    session.settle()
    return session
  }

  private func alert(_ code: String) -> Alert { Alert(.notice, messages: [Message(code)]) }

  @Test("the activity is hidden before an alert is shown, and the view presents each of the two updates")
  func loadingThenAlert() throws {
    var session = try pending()
    #expect(session.machine.revision == 4)
    session.notify(nil, alert("first"), of: 1)
    #expect(session.machine.revision == 6 && session.machine.since(.dismiss) == 6)
    #expect(session.written == [5] && session.queue.awaited == 5 && session.queue.waiting.map(\.revision) == [6])
    #expect(
      session.changes == [[.activity]] && session.queue.written.view.alert == nil
        && !session.queue.written.view.showsActivity)
    #expect(session.present(6) == false, "it has not been written")
    #expect(session.present(5) == true)
    #expect(session.written == [5, 6] && session.queue.awaited == 6)
    #expect(session.changes.last == [.primaryEnabled, .alert, .focus] && session.queue.written.view.alertID == 6)
  }

  @Test("each of an activity, two alerts and another activity is hidden before the next one is shown")
  func example() throws {
    var session = try pending()
    session.notify(nil, alert("first"), of: 1)
    session.notify(nil, alert("second"), of: 1)
    session.presentAll()
    session.press(.dismiss)
    session.presentAll()
    session.press(.dismiss)
    session.presentAll()
    #expect(session.written == [5, 6, 7, 8, 9, 10])
    #expect(
      session.changes == [
        [.activity], [.primaryEnabled, .alert, .focus], [.alert], [.alert, .focus], [.alert],
        [.primaryEnabled, .activity, .focus],
      ])
    #expect(session.queue.written.view.showsActivity && session.queue.waiting.isEmpty)
  }

  @Test("an error is hidden before an activity is shown") func error() throws {
    var session = try pending(failure: .inline)
    session.answer(refusal, to: 1)
    #expect(session.changes == [[.activity]], "loading leaves before the error comes")
    session.settle()
    session.press(.retry, question: 2)
    #expect(session.changes == [[.error]] && session.queue.written.view.error == nil)
    session.presentAll()
    #expect(session.changes.count == 2 && session.changes[1].contains(.activity))
  }

  @Test("an activity is hidden before another screen or a scene is shown") func content() throws {
    var session = try pending()
    session.answer(acceptance, to: 1)
    #expect(session.changes == [[.activity]] && session.queue.written.view.phase == .requestPending)
    session.presentAll()
    #expect(session.queue.written.view.scene != nil && session.changes.count == 2)

    session = try pending()
    session.answer(.notice(Message("sent"), screen: 1), to: 1)
    #expect(session.changes == [[.activity]] && session.queue.written.view.screenReference == .flow(0))
    #expect(session.queue.isBehind(session.machine))
    session.presentAll()
    #expect(session.changes == [[.activity], [.screen, .notice, .focus]])
    #expect(session.queue.written.view.screenReference == .flow(1))
    session.settle()
    session.press(.link(0))
    #expect(session.changes == [[.notice]], "and so does a notice")
  }

  @Test("a change that only hides or only shows something is written as one update, not as two halves")
  func oneUpdate() throws {
    var session = try pending()
    session.press(.cancel)
    #expect(session.machine.revision == 5 && session.written == [5] && session.changes[0].contains(.activity))
    session.settle()
    session.press(.submit, question: 2)
    #expect(session.machine.revision == 6 && session.written == [6])
    session.settle()
    session.notify(Message("look"), of: 2)
    #expect(session.machine.revision == 7 && session.changes == [[.notice]])
    session.settle()
    session.notify(Message("look here"), of: 2)
    #expect(session.machine.revision == 8 && session.changes == [[.notice]], "it says something else, where it is")
  }

  @Test("a screen counts as new since the second half of its update, so presses made during the first half are stale")
  func since() throws {
    var session = try pending()
    session.answer(.notice(Message("sent"), screen: 1), to: 1)
    let leaving = try #require(session.queue.awaited)
    #expect(leaving == 5 && session.machine.screenSince == 6)
    #expect(session.machine.since(.submit) == 6 && session.machine.since(.link(0)) == 6)
    #expect(session.machine.since(item: 0) == 6)
  }

  @Test("an item that appears in the second half of an update counts as shown since that half") func arrival() throws {
    let condition = Item.Condition(item: 0, expected: .options([Array("b".utf8)]))
    let items = [selection("kind", ["a", "b"]), input("more", visibleWhen: condition)]
    var machine = SessionMachine(flow: testFlow([testScreen(items)]), screen: 0)
    let isTaken = try machine.pick("b", at: "kind")
    #expect(isTaken && machine.since(item: 1) == 2)
    // No event shows an item while a cover has to be hidden first, so this test makes up a
    // different screen as the one shown before.
    var covered = try pending()
    covered.answer(.notice(Message("sent"), screen: 1), to: 1)
    var view = ViewState()
    let frame = TransitionQueue.Frame(of: &machine, after: covered.machine.view, &view)
    #expect(frame.revision == 3 && machine.revision == 3 && machine.since(item: 1) == 3 && machine.screenSince == 1)
  }

  @Test("the first half of an update does not count events whose result only the second half shows")
  func events() throws {
    var session = try pending(failure: .inline)
    session.answer(refusal, to: 1)
    session.settle()
    session.machine.countEvent()
    session.press(.retry, question: 2)
    #expect(session.queue.written.events == 0 && session.queue.waiting.map(\.events) == [1])
    session.presentAll()
    #expect(session.queue.written.events == 1)
  }

  @Test(
    "if a newer update replaces one whose first half was written, all that the newer one does not show is hidden first")
  func replaced() throws {
    var session = try pending(.latest)
    session.notify(Message("look"), of: 1)
    session.settle()
    session.notify(nil, alert("first"), of: 1)
    #expect(session.written == [6] && session.changes == [[.activity]], "the notice stays")
    session.press(.dismiss)
    session.answer(acceptance, to: 1)
    #expect(session.queue.waiting.count == 1)
    #expect(session.present(6) == true)
    #expect(session.changes == [[.activity], [.notice]] && session.queue.awaited == 7)
    session.presentAll()
    #expect(session.queue.written.view.scene != nil && session.written.last == session.machine.revision)
  }

  @Test(
    "with policy latest or reject, a view is behind the machine until the second half of an update shows the screen")
  func behindWithLatest() throws {
    for policy in [FlowOptions.TransitionPolicy.latest, .reject] {
      var session = try pending(policy)
      session.notify(Message("look"), of: 1)
      #expect(session.queue.awaited == 5)
      session.answer(.notice(Message("sent"), screen: 1), to: 1)
      try session.type("x", into: "a")
      try session.type("xy", into: "a")
      #expect(session.present(5) == true)
      let leaving = try #require(session.queue.awaited)
      #expect(session.queue.written.view.screenReference == .flow(0) && leaving < session.machine.screenSince)
      #expect(session.queue.isBehind(session.machine))
      session.presentAll()
      #expect(!session.queue.isBehind(session.machine))
    }
  }

  @Test(
    "an update that changes nothing is skipped, and its revision counts as shown",
    arguments: [["b", "a"], ["b", "c", "a"], ["b", "a", "b", "a"]], [FlowOptions.TransitionPolicy.latest, .reject])
  func leftOut(_ notices: [String], _ policy: FlowOptions.TransitionPolicy) throws {
    var session = try pending(policy)
    session.notify(Message("a"), of: 1)
    let shown = try #require(session.queue.awaited)
    for code in notices { session.notify(Message(code), of: 1) }
    #expect(session.present(shown) == true)
    #expect(session.written == [shown] && session.queue.waiting.isEmpty && session.queue.awaited == nil)
    #expect(session.machine.revision > shown && session.queue.revision(shownAt: shown) == session.machine.revision)
    #expect(session.queue.revision(shownAt: shown - 1) == shown - 1)
    // The changes are computed from the last update that was written.
    session.notify(nil, alert("first"), of: 1)
    session.presentAll()
    #expect(session.written.count == 3 && session.queue.written.view.alert != nil)
  }

  @Test(
    "if a notice is replaced by one that reads the same, the view needs no transition",
    arguments: [
      (Message("known", text: "One."), Message("known", text: "Another.")),
      (Message("known"), Message("known", text: "Another.")), (Message("x", text: "Unknown error"), Message("x")),
    ])
  func sameWords(_ first: Message, _ second: Message) throws {
    let strings = StringTable(["known": "No."])
    let flow = try pending().machine.flow
    var views: [ViewState] = []
    for message in [first, second] {
      var session = try pending()
      session.notify(message, of: 1)
      views.append(session.machine.view)
    }
    var queue = TransitionQueue(policy: .queue, of: flow)
    var changes: [ViewChange] = []
    queue.append(.init(revision: 5, events: 0, view: views[0]))
    let isFirst = queue.next(&changes) { _ in strings } != nil
    queue.stopWaiting()
    queue.append(.init(revision: 6, events: 0, view: views[1]))
    let isSecond = queue.next(&changes) { _ in strings } != nil
    #expect(isFirst && !isSecond && queue.awaited == nil && queue.revision(shownAt: 5) == 6)
    // A message that reads differently counts as new and is shown.
    #expect(!StringTable([:]).showsSame(Message("known", text: "One."), Message("known", text: "Another.")))
  }

  @Test("a view that reports nothing times out once for each half of an update") func silent() throws {
    var session = try pending()
    session.notify(nil, alert("first"), of: 1)
    session.queue.stopWaiting()
    session.write()
    #expect(session.written == [5, 6] && session.queue.awaited == 6)
    session.queue.stopWaiting()
    session.write()
    #expect(session.queue.awaited == nil)
  }

  @Test("the two halves of an update lead to the same view state as the whole update") func sameEnd() throws {
    var views = [ViewState()]
    for failure in [FlowOptions.NoticeStyle.inline, .alert] {
      var session = try pending(failure: failure)
      views.append(session.machine.view)
      session.notify(Message("look"), of: 1)
      views.append(session.machine.view)
      session.notify(nil, alert("first"), of: 1)
      views.append(session.machine.view)
      session.press(.dismiss)
      session.answer(refusal, to: 1)
      views.append(session.machine.view)
      var (accepted, moved) = (try pending(failure: failure), try pending(failure: failure))
      accepted.answer(acceptance, to: 1)
      moved.answer(.notice(Message("sent"), screen: 1), to: 1)
      views += [accepted.machine.view, moved.machine.view]
    }
    var halves = 0
    for old in views {
      for new in views {
        guard let leaving = old.leaving(to: new) else { continue }
        halves += 1
        #expect(leaving.leaving(to: new) == nil && leaving != old && old.leaving(to: leaving) == nil)
        #expect(leaving != new, "something is entered")
        #expect(leaving.items == old.items && leaving.phase == old.phase && leaving.primary == old.primary)
        #expect(leaving.screenReference == old.screenReference)
        #expect(old.items.indices.allSatisfy { leaving.text(of: $0) == old.text(of: $0) })
      }
    }
    #expect(halves > 40)
  }
}
