import LoginMachine
import Testing

/// The revision since which a press of an action is not stale.
struct StalenessTests {
  @Test("presses of the button are stale if they are older than its current role") func primaryParts() throws {
    var machine = try Situation.initial.machine(standardFlow())
    #expect(machine.since(.submit) == 1)
    try machine.type("ada@example.com", into: "email")
    try machine.type("correct horse", into: "password")
    #expect(machine.revision == 3 && machine.since(.submit) == 1)
    _ = machine.press(.submit, question: 1)
    #expect(machine.since(.cancel) == 4)
    _ = machine.handleAnswer(refusal, to: 1)
    #expect(machine.since(.retry) == 5)
    _ = machine.press(.retry, question: 2)
    #expect(machine.since(.cancel) == 6)
    _ = machine.press(.cancel, question: 3)
    #expect(machine.since(.submit) == 7 && machine.since(.link(0)) == 1 && machine.screenSince == 1)
  }

  @Test("when another screen is shown, earlier presses of its actions are stale") func newScreen() throws {
    var machine = try Situation.validated.machine(standardFlow())
    _ = machine.press(.link(0), question: 1)
    #expect(machine.screenSince == 4 && machine.since(.submit) == 4 && machine.since(.link(0)) == 4)
  }

  @Test("a press of an action that is not shown is as stale as a press of the action that is shown in its place")
  func replaced() throws {
    let machine = try Situation.requestPending.machine(standardFlow())
    #expect(machine.shows(.cancel) && !machine.shows(.submit) && !machine.shows(.retry) && machine.shows(.link(0)))
    #expect(machine.since(.submit) == machine.since(.cancel) && machine.since(.cancel) == machine.revision)
  }

  @Test("if a flow covers the form while a request is pending, the button stays the submit action")
  func cover() throws {
    let machine = try Situation.requestPending.machine(standardFlow().with(pending: .cover))
    #expect(machine.since(.submit) == 1)
  }
}
