import LoginMachine
import Testing

/// Items whose values only the view can obtain.
struct ExternalItemTests {
  private func machine(_ rules: [Rule] = []) -> SessionMachine {
    let item = Item(
      id: "key", apiKey: "key", kind: .external(.init(type: "x")), title: nil, placeholder: nil, rules: rules)
    return SessionMachine(
      flow: testFlow([testScreen([item], links: [1]), testScreen([item], id: "second", links: [0])]), screen: 0)
  }

  private func value(_ machine: SessionMachine) -> String? {
    machine.view.items[0].isAbsent ? nil : machine.view.text(of: 0)
  }

  private func give(_ json: String?, to machine: inout SessionMachine) -> Bool {
    let bytes = json.map { Array($0.utf8) }
    return machine.pick(bytes?.span, at: 0).isShown
  }

  @Test("an external item starts without a value, accepts any value, and can be cleared") func values() throws {
    var machine = machine()
    #expect(value(machine) == nil && machine.phase == .initial)
    for json in ["{}", "false", "0", #""""#, "[]", nil] {
      #expect(give(json, to: &machine))
      #expect(value(machine) == json && machine.phase == .validated)
    }
    #expect(machine.revision == 7)
  }

  @Test("a required external item may have any value, but must have a value") func required() throws {
    var machine = machine([Rule(.required, message: "missing")])
    #expect(machine.press(.submit, question: 1) == .shown())
    #expect(machine.view.items[0].validity == .invalid)
    for json in ["{}", "false", "0", #""""#, "[]"] {
      #expect(give(json, to: &machine))
      #expect(machine.view.items[0].validity == .valid && machine.phase == .validated)
    }
    #expect(give(nil, to: &machine))
    #expect(machine.view.items[0].validity == .invalid && machine.phase == .unvalidated)
  }

  @Test(
    "an external item's value is sent in the question, and kept after a failure and on a return to its screen")
  func asked() throws {
    var machine = machine()
    #expect(give(#"{"a":1.0}"#, to: &machine))
    guard let question = machine.press(.submit, question: 7).questions.first else { return #expect(Bool(false)) }
    #expect(question.values?.value(of: "key", on: question.screen) == .json(Array(#"{"a":1.0}"#.utf8)))
    let before = machine
    #expect(!give("{}", to: &machine))
    #expect(machine == before)
    _ = machine.handleAnswer(refusal, to: 7)
    #expect(value(machine) == #"{"a":1.0}"#)
    #expect(machine.press(.link(0), question: 8) == .shown(wiping: .all))
    #expect(value(machine) == nil)
    #expect(machine.press(.link(0), question: 8) == .shown(wiping: .all))
    #expect(value(machine) == #"{"a":1.0}"#)
  }

  @Test("success clears the value of an external item, and no link carries the value to another screen")
  func success() throws {
    let item = Item(
      id: "key", apiKey: "key", kind: .external(.init(type: "x")), title: nil, placeholder: nil, rules: [])
    let flow = testFlow([testScreen([item], success: .screen(1)), testScreen([item], id: "second")])
    var machine = SessionMachine(flow: flow, screen: 0)
    for screen in ["second", "second"] {
      #expect(give("{}", to: &machine))
      _ = machine.press(.submit, question: 7)
      _ = machine.handleAnswer(acceptance, to: 7)
      #expect(machine.screen.id == screen && value(machine) == nil)
    }
  }
}
