import LoginMachine
import Testing

/// A change of language during a session.
struct LanguageTests {
  @Test(
    "a change of language makes one revision, does not count as an event, and changes nothing else",
    arguments: Situation.allCases)
  func anyState(_ situation: Situation) throws {
    let before = try situation.machine(standardFlow())
    var machine = before
    #expect(machine.translate(into: 1, challenge: nil) == .shown())
    #expect(machine.language == 1 && machine.revision == before.revision + 1 && machine.events == before.events)
    #expect(machine.draft == before.draft && machine.phase == before.phase)
    #expect(machine.screenSince == before.screenSince && machine.primarySince == before.primarySince)
    // Presses that were made before the change of language are not stale.
    #expect(machine.since(item: 0) == before.since(item: 0) && machine.since(.submit) == before.since(.submit))
  }

  @Test("a change to the current language is refused") func same() throws {
    let before = try Situation.validated.machine(standardFlow())
    var machine = before
    #expect(machine.translate(into: 0, challenge: nil) == .refused)
    #expect(machine == before)
  }

  @Test("after a change of language a view is sent the screen, what covers the screen, and the focus")
  func commands() throws {
    let machine = try Situation.requestFailed.machine(standardFlow())
    var translated = machine
    _ = translated.translate(into: 1, challenge: nil)
    var changes: [ViewChange] = []
    Presenter.appendChanges(
      from: machine.view, to: translated.view, edited: nil, on: machine.screen, StringTable([:]), to: &changes)
    #expect(changes == [.screen, .error, .focus])
  }

  @Test("after a change of language, updates in the queue are translated, and written ones are not")
  func waiting() throws {
    var machine = try Situation.validated.machine(standardFlow())
    var queue = TransitionQueue(policy: .queue, of: machine.flow)
    queue.append(.init(revision: machine.revision, events: 0, view: machine.view))
    _ = queue.next()
    _ = machine.press(.submit, question: 5)
    queue.append(.init(revision: machine.revision, events: 1, view: machine.view))
    queue.translate(into: 1) { $0 }
    _ = machine.translate(into: 1, challenge: nil)
    queue.append(.init(revision: machine.revision, events: 1, view: machine.view))
    #expect(queue.written.view.language == 0)
    queue.stopWaiting()
    let pending = queue.next()
    #expect(pending?.from.language == 0 && pending?.frame.view.language == 1)
    queue.stopWaiting()
    let last = queue.next()
    #expect(last == nil, "what was shown already says nothing")
    #expect(queue.revision(shownAt: queue.written.revision) == machine.revision)
  }

  @Test("a change of language during a request needs no update that hides the activity first") func activity() throws {
    let machine = try Situation.requestPending.machine(standardFlow())
    var translated = machine
    _ = translated.translate(into: 1, challenge: nil)
    #expect(machine.view.leaving(to: translated.view) == nil)
  }
}
