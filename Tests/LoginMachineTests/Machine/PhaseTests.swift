import LoginMachine
import Testing

/// The phase of a form follows from its values, even without an edit.
@Suite("The phase of a form")
struct PhaseTests {
  private static let pin = input("pin", [Rule(.minLength(4), message: "short")], .password)
  private static let items = [input("name", [Rule(.required, message: "missing")]), pin]

  /// A flow with one form and a link that makes a request, by default without values.
  private func flow(_ validation: FlowOptions.Validation, sends: Screen.LinkRequest.Contents = .nothing) -> Flow {
    let screen = Screen(
      id: "first", title: "t", request: "ask", sections: [.init(id: "all", items: 0..<2)], items: Self.items,
      primary: .init(
        submit: .init(id: "go", title: "t"), cancel: .init(id: "stop", title: "t"),
        retry: .init(id: "again", title: "t")),
      links: [.init(action: .init(id: "mail", title: "t"), target: .request(.init("mail", sends: sends)))],
      success: .scene("there"))
    return testFlow([screen]) { $0.validation = validation }
  }

  /// A machine whose form is valid except for the optional secret.
  private func filled(_ flow: Flow) throws -> SessionMachine {
    var machine = SessionMachine(flow: flow, screen: 0)
    try machine.type("ada", into: "name")
    try machine.type("123", into: "pin")
    #expect(machine.phase.name == .unvalidated)
    return machine
  }

  @Test(
    "with live validation, a form becomes valid when its invalid optional secret is discarded"
  )
  func lostSecret() throws {
    for (validation, phase) in [(FlowOptions.Validation.live, Phase.Name.validated), (.onSubmit, .unvalidated)] {
      var machine = try filled(flow(validation))
      #expect(machine.discardSecret(try machine.item("pin")).isShown)
      #expect(machine.phase.name == phase)
      #expect(machine.accepts(.submit))
      #expect(machine.view.primaryIsEnabled == (validation == .live || machine.flow.options.submit == .always))
    }
  }

  @Test("a form is no longer valid after a required secret was discarded")
  func lostRequiredSecret() throws {
    var machine = SessionMachine(flow: testFlow([testScreen(standardItems)]) { $0.validation = .live }, screen: 0)
    try machine.type("ada@example.com", into: "email")
    try machine.type("x", into: "password")
    #expect(machine.phase.name == .validated)
    #expect(machine.discardSecret(try machine.item("password")).isShown)
    #expect(machine.phase.name == .unvalidated)
  }

  @Test("discarding a secret during a link's request does not leave a valid form unvalidated")
  func lostWhilePending() throws {
    for answer in [
      Answer.accepted(principal: nil, data: nil), .notice(Message("read"), screen: nil),
      .failed(Message("soon"), items: [], retryAfter: 100),
    ] {
      var machine = try filled(flow(.live))
      guard let question = machine.press(.link(0), question: 7).questions.first else {
        Issue.record("the link asks")
        return
      }
      #expect(machine.discardSecret(try machine.item("pin")).isShown)
      #expect(machine.phase.name == .requestPending)
      #expect(machine.handleAnswer(answer, to: question.id, at: 0) != .refused)
      #expect(machine.phase.name == .validated, "\(answer)")
    }
    var machine = try filled(flow(.live))
    _ = machine.press(.link(0), question: 7)
    #expect(machine.discardSecret(try machine.item("pin")).isShown)
    #expect(machine.press(.cancel, question: 8) == .shown([.abandon(7)]))
    #expect(machine.phase.name == .validated)
  }

  @Test("a session with an invalid optional secret is saved and opened as valid")
  func saved() throws {
    for (validation, stage) in [(FlowOptions.Validation.live, SavedState.Stage.validated), (.onSubmit, .unvalidated)] {
      let flow = flow(validation)
      let saved = try #require(try filled(flow).saved())
      #expect(saved.stage == stage)
      let (machine, _) = SessionMachine.opened(from: saved, of: flow, question: 1)
      #expect(machine.phase.name == stage.phaseName && machine.accepts(.submit))
    }
  }

  @Test("a saved phase that contradicts the values is corrected on opening")
  func savedOtherwise() throws {
    let flow = flow(.live)
    for (name, stage, phase) in [
      ("ada", SavedState.Stage.unvalidated, Phase.Name.validated), ("", .unvalidated, .unvalidated),
      ("ada", .validated, .validated), ("", .validated, .unvalidated),
    ] {
      var machine = SessionMachine(flow: flow, screen: 0)
      try machine.type(name, into: "name")
      var saved = try #require(machine.saved())
      saved.stage = stage
      #expect(SessionMachine.opened(from: saved, of: flow, question: 1).machine.phase.name == phase)
    }
  }
}

extension SavedState.Stage {
  fileprivate var phaseName: Phase.Name {
    switch self {
    case .initial: .initial
    case .unvalidated: .unvalidated
    case .validated: .validated
    case .requestPending, .challenged: .requestPending
    case .requestFailed: .requestFailed
    }
  }
}
