import LoginMachine
import Testing

/// Several edits and a press as one event.
struct JoinedEditTests {
  @Test("edits and a submit in one event make one revision, whatever role the button had before")
  func oneRevision() throws {
    for situation in [Situation.initial, .unvalidated, .validated, .requestFailed] {
      let before = try situation.machine(standardFlow())
      var machine = before
      try machine.type("grace@example.com", into: "email")
      try machine.type("another horse", into: "password")
      machine.joinEdits(since: before)
      #expect(machine.revision == before.revision && machine.primarySince == before.primarySince)
      let outcome = machine.press(.submit, question: 50, after: before.primaryRole)
      guard !outcome.questions.isEmpty else {
        Issue.record("\(situation): \(outcome)")
        continue
      }
      #expect(machine.revision == before.revision + 1)
      #expect(machine.awaitedQuestion == 50)
      // The button changed its role in this revision.
      #expect(machine.primarySince == machine.revision)
    }
  }

  @Test("a session waits for no question before a press or after the answer to its question") func awaited() throws {
    var machine = try Situation.validated.machine(standardFlow())
    #expect(machine.awaitedQuestion == nil)
    _ = machine.press(.submit, question: 50)
    #expect(machine.awaitedQuestion == 50)
    _ = machine.handleAnswer(refusal, to: 50)
    #expect(machine.awaitedQuestion == nil)
  }
}
