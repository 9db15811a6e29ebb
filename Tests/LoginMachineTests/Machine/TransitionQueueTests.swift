import LoginMachine
import Testing

/// The queue of updates for views with transitions.
struct TransitionQueueTests {
  @Test("with the policy queue, each update is written when the view has presented the previous one")
  func queue() throws {
    var session = try QueuedSession(.queue)
    for _ in 0..<3 { session.press(.link(0)) }
    #expect(session.written == [1] && session.queue.waiting.map(\.revision) == [2, 3, 4])
    for revision in UInt64(1)...4 {
      #expect(session.queue.awaited == revision)
      #expect(session.present(revision) == true)
    }
    #expect(session.written == [1, 2, 3, 4] && session.queue.awaited == nil)
  }

  @Test("with the policy latest, only the newest unsent update is kept, and older ones are dropped")
  func latest() throws {
    var session = try QueuedSession(.latest)
    for _ in 0..<5 { session.press(.link(0)) }
    #expect(session.queue.waiting.map(\.revision) == [6])
    #expect(session.present(1) == true)
    #expect(session.written == [1, 6])
  }

  @Test("with the policy reject, events are refused during a transition, and only the newest unsent update is kept")
  func reject() throws {
    var session = try QueuedSession(.reject)
    for _ in 0..<3 { session.press(.link(0)) }
    #expect(session.queue.waiting.map(\.revision) == [4])
    session = try QueuedSession(.reject)
    #expect(session.queue.refusesEvents)
    #expect(session.present(1) == true)
    #expect(!session.queue.refusesEvents)
    for policy in [FlowOptions.TransitionPolicy.queue, .latest] {
      #expect(try !QueuedSession(policy).queue.refusesEvents)
    }
  }

  @Test(
    "a refused event is counted in the immediate answer and in the last unsent update",
    arguments: [0, 2])
  func refusal(waiting: Int) throws {
    var session = try QueuedSession(.queue)
    for _ in 0..<waiting { session.press(.link(0)) }
    session.machine.countEvent()
    _ = session.queue.recordRefusal(events: session.machine.events)
    let counts = [session.queue.written.events] + session.queue.waiting.map(\.events)
    #expect(counts.first == session.machine.events && counts.last == session.machine.events)
    #expect(counts.dropFirst().dropLast().allSatisfy { $0 == 0 })
    for revision in 0..<waiting { #expect(session.present(UInt64(revision) + 1) == true) }
    #expect(session.queue.written.events == session.machine.events)
  }

  @Test(
    "an edit on a screen that the view does not show yet does not affect an item of another kind with the same id",
    arguments: [input("x", [], .password), switchItem("x"), selection("x", ["a"])])
  func sameIDOfAnotherKind(_ next: Item) throws {
    let flow = testFlow([testScreen([input("x")], links: [1]), testScreen([next], id: "second")])
    var session = try QueuedSession(.queue, flow)
    try session.type("typed", into: "x")
    session.press(.link(0))
    let before = session.machine.view
    let step =
      switch next.kind {
      case .switch: session.machine.change(0, to: true)
      case .selection: session.machine.pick(Array("a".utf8).span, at: 0)
      case .input, .text, .link, .code, .external: session.machine.changeSecret(0, isFilled: true, failing: RuleSet())
      }
    #expect(step.isShown)
    session.show(after: before, edited: 0)
    #expect(session.written == [1])
    session.machine.countEvent()
    #expect(session.queue.recordRefusal(events: session.machine.events).text(of: 0) == "typed")
  }

  @Test("at most 16 unsent updates are kept, and after that a newer one replaces the last") func capacity() throws {
    var session = try QueuedSession(.queue)
    for _ in 0..<40 { session.press(.link(0)) }
    #expect(TransitionQueue.capacity == 16)
    #expect(session.queue.waiting.map(\.revision) == Array(2...16) + [41])
  }

  @Test(
    "a view's report that it presented an unexpected, repeated or unwritten revision changes nothing",
    arguments: [0, 2, 3, .max])
  func wrong(_ revision: UInt64) throws {
    var session = try QueuedSession(.queue)
    session.press(.link(0))
    #expect(session.present(revision) == false)
    #expect(session.queue.awaited == 1 && session.written == [1])
    #expect(session.present(1) == true)
    #expect(session.present(1) == false)
    #expect(session.queue.awaited == 2 && session.written == [1, 2])
  }

  @Test("after a view has timed out, the next update is written without waiting for the view's report")
  func stopWaiting() throws {
    var session = try QueuedSession(.queue)
    session.press(.link(0))
    session.queue.stopWaiting()
    session.write()
    #expect(session.written == [1, 2])
    #expect(session.present(1) == false)
  }

  @Test("a view shows changed values and validity without a transition") func values() throws {
    var session = try QueuedSession(.queue)
    _ = session.present(1)
    try session.type("a", into: "email")
    #expect(session.queue.awaited == 2, "the state has changed")
    _ = session.present(2)
    session.machine.countEvent()
    try session.type("ada", into: "email")
    #expect(session.queue.awaited == nil && session.written == [1, 2, 3])
  }

  @Test(
    "commands are computed from the previous update, after adding the edits that the new update counts")
  func base() throws {
    var session = try QueuedSession(.queue)
    let email = try session.machine.item("email")
    for text in ["a", "ab"] {
      session.machine.countEvent()
      try session.type(text, into: "email")
    }
    #expect(session.queue.written.view.text(of: email) == "")
    for (text, changed) in [("a", [ViewChange.phase, .item(email, [.validity, .messages])]), ("ab", [])] {
      _ = session.queue.present(session.queue.awaited ?? 0)
      var changes: [ViewChange] = []
      let next = session.queue.next(&changes)
      let (from, frame) = try #require(next)
      #expect(from.text(of: email) == text && frame.view.text(of: email) == text)
      #expect(changes == changed)
    }
  }

  @Test(
    "an update that replaces an unsent update also counts the edits of the unsent one",
    arguments: [FlowOptions.TransitionPolicy.latest, .reject])
  func replaced(_ policy: FlowOptions.TransitionPolicy) throws {
    var session = try QueuedSession(policy)
    let email = try session.machine.item("email")
    for text in ["a", "ab"] { try session.type(text, into: "email") }
    session.press(.link(0))
    _ = session.queue.present(1)
    let next = session.queue.next()
    let (from, frame) = try #require(next)
    #expect(from.text(of: email) == "ab" && frame.view.screenReference == .flow(1))
  }

  @Test(
    "the answer to a refused event shows all values that were entered before the machine left the screen",
    arguments: [1, 2])
  func refusalAfterTheScreen(presented: UInt64) throws {
    var session = try QueuedSession(.queue)
    let email = try session.machine.item("email")
    for text in ["a", "ab", "abc"] { try session.type(text, into: "email") }
    session.press(.link(0))
    for revision in 1..<presented { _ = session.present(revision) }
    session.machine.countEvent()
    let before = session.queue.recordRefusal(events: session.machine.events)
    #expect(session.queue.written.view.screenReference == .flow(0))
    #expect(before.text(of: email) == "abc" && session.queue.written.view.text(of: email) == "abc")
  }

  @Test("an edit of an item is counted even if an update that was dropped had hidden the item")
  func hiddenMeanwhile() throws {
    let detail = input("detail", visibleWhen: .item(0, .position(true)))
    var session = try QueuedSession(.latest, testFlow([testScreen([switchItem("more", true), detail])]))
    for isOn in [false, true] {
      let before = session.machine.view
      #expect(session.machine.change(0, to: isOn).isShown)
      session.show(after: before, edited: 0)
    }
    try session.type("typed", into: "detail")
    _ = session.queue.present(1)
    let next = session.queue.next()
    #expect(try #require(next).from.text(of: 1) == "typed")
  }

  @Test("an update that only counts an event is written, and the queue does not wait for the view afterwards")
  func countsEvents() throws {
    var session = try QueuedSession(.latest)
    session.settle()
    session.machine.countEvent()
    session.show(after: session.machine.view)
    #expect(session.changes == [[]] && session.queue.awaited == nil)
    #expect(session.queue.written.events == session.machine.events)
  }

  @Test("an edit of an item on a screen that the view does not show changes nothing in the view")
  func elsewhere() throws {
    var session = try QueuedSession(.queue)
    session.press(.link(0))
    let before = session.queue.written.view
    let known = session.machine.flow.screens[0].items.map(\.id)
    let other = session.machine.screen.items.firstIndex { !known.contains($0.id) }
    let item = try #require(other)
    _ = session.machine.change(item, to: Array("x".utf8).span)
    session.show(after: session.machine.view, edited: item)
    #expect(session.queue.recordRefusal(events: 1) == before && session.queue.written.view == before)
  }

  @Test(
    "a view is behind the machine from a change of the machine's screen until the new screen is written to the view")
  func behind() throws {
    var session = try QueuedSession(.queue)
    #expect(!session.queue.isBehind(session.machine))
    try session.type("a", into: "email")
    #expect(!session.queue.isBehind(session.machine), "what waits is of the same screen")
    session.press(.link(0))
    #expect(session.queue.isBehind(session.machine))
    _ = session.present(1)
    #expect(session.queue.isBehind(session.machine), "only the edit was written")
    _ = session.present(2)
    #expect(!session.queue.isBehind(session.machine))
  }

  @Test("a view is behind the machine even if the machine has left the shown screen and returned to it")
  func behindOnTheSameScreen() throws {
    var session = try QueuedSession(.latest)
    session.press(.link(0))
    session.press(.link(0))
    #expect(session.machine.screenReference == session.queue.written.view.screenReference)
    #expect(session.queue.isBehind(session.machine))
    _ = session.present(1)
    #expect(!session.queue.isBehind(session.machine))
  }
}
