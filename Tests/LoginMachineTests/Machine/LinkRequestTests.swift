import LoginMachine
import Testing

/// Links that make requests.
struct LinkRequestTests {
  private func machine(
    sends: Screen.LinkRequest.Contents = .nothing, success: Screen.Success? = nil,
    _ change: (inout FlowOptions) -> Void = { _ in }
  ) -> SessionMachine {
    let base = testScreen(
      [input("code", [Rule(.required, message: "missing"), Rule(.minLength(6), message: "short")], .oneTimeCode)],
      alert: true)
    let screen = Screen(
      id: base.id, title: base.title, request: base.request, sections: base.sections, items: base.items,
      primary: base.primary,
      links: [
        .init(action: .init(id: "send", title: "t"), target: .request(.init("send", sends: sends, success: success))),
        .init(action: .init(id: "other", title: "t"), screen: 1),
      ], alert: base.alert, success: base.success)
    return SessionMachine(
      flow: testFlow([screen, testScreen([input("code")], id: "second", links: [0])], change), screen: 0)
  }

  /// Presses the link that makes a request. Returns its question.
  private func ask(_ machine: inout SessionMachine, _ id: QuestionID = 1) throws -> Question {
    guard let question = machine.press(.link(0), question: id).questions.first else {
      throw TestFailure.notAsked
    }
    return question
  }

  private enum TestFailure: Error { case notAsked }

  private func accepted(_ message: String? = nil, after wait: UInt64? = nil) -> Answer {
    .accepted(principal: "ada", data: nil, message: message.map { Message($0) }, retryAfter: wait)
  }

  @Test(
    "pressing a link that makes a request works whatever is entered, and changes no value", arguments: ["", "1"])
  func nothing(code: String) throws {
    var machine = machine()
    if !code.isEmpty { try machine.type(code, into: "code") }
    let before = machine.view
    let question = try ask(&machine)
    #expect(question.request == "send" && question.action == "send" && question.values == nil)
    #expect(machine.phase.name == .requestPending && machine.view.primary == .cancel && machine.view.showsActivity)
    #expect(machine.handleAnswer(accepted("sent"), to: 1) == .shown())
    #expect(machine.view.phase == before.phase && machine.view.items == before.items)
    #expect(machine.notice == Message("sent"))
    #expect(machine.view.enablesLink(0))
  }

  @Test("a link that sends values sends them if they are valid, and otherwise shows what is missing")
  func values() throws {
    var machine = machine(sends: .values)
    try machine.type("1", into: "code")
    #expect(machine.press(.link(0), question: 1) == .shown())
    #expect(machine.phase == .unvalidated && machine.view.items[0].validity == .invalid)
    try machine.type("123456", into: "code")
    let question = try ask(&machine)
    #expect(question.values != nil && question.action == "send")
    #expect(machine.handleAnswer(accepted(), to: 1) == .shown())
    #expect(machine.phase == .validated && machine.filledSecrets == ["code"])
  }

  @Test(
    "if a press would not show what is missing, a link that sends values is disabled until the values are valid",
    arguments: [true, false])
  func withheld(isUnmarked: Bool) throws {
    var machine = machine(sends: .values) { options in
      if isUnmarked { options.marking = .none } else { options.submit = .onlyWhenValid }
    }
    #expect(!machine.accepts(.link(0)) && machine.accepts(.link(1)))
    #expect(!machine.view.enablesLink(0) && machine.view.enablesLink(1))
    try machine.type("123456", into: "code")
    #expect(machine.accepts(.link(0)) && machine.view.enablesLink(0))
  }

  @Test("a throttled link shows the end of its throttle, unless something else disables the link too")
  func held() throws {
    var machine = machine(sends: .values) { $0.submit = .onlyWhenValid }
    try machine.type("123456", into: "code")
    for isAccepted in [true, false] {
      _ = try ask(&machine)
      let pending = machine.view
      #expect(pending.retry(of: 0) == nil)
      let answer =
        isAccepted ? accepted("sent", after: 30_000) : .failed(Message("throttled"), items: [], retryAfter: 30_000)
      #expect(machine.handleAnswer(answer, to: 1, at: 1_000_000) == .shown([.throttle(1, for: 30_000)]))
      let held = machine.view
      #expect(held.retry(of: 0)?.end == 1_030_000 && held.retry(of: 0)?.duration == 30_000 && held.retry(of: 1) == nil)
      #expect(changes(pending, held, machine) == [.linkThrottled(0, enabled: false), .linkEnabled(1)])
      try machine.type("1", into: "code")
      #expect(machine.view.retry(of: 0) == nil)
      #expect(changes(held, machine.view, machine) == [.linkThrottled(0, enabled: false)])
      try machine.type("123456", into: "code")
      #expect(machine.view.retry(of: 0) == held.retry(of: 0))
      _ = machine.endThrottle(of: 1)
      #expect(changes(held, machine.view, machine) == [.linkThrottled(0, enabled: true)])
    }
  }

  /// The changes between two views that concern links.
  private func changes(_ old: ViewState, _ new: ViewState, _ machine: SessionMachine) -> [ViewChange] {
    var changes: [ViewChange] = []
    Presenter.appendChanges(from: old, to: new, edited: 0, on: machine.screen, StringTable([:]), to: &changes)
    return changes.filter {
      switch $0 {
      case .linkThrottled, .linkEnabled: true
      default: false
      }
    }
  }

  @Test("success of a link's request leads where the link says, and not where its screen says") func success() throws {
    var toScene = machine(success: .scene("there"))
    _ = try ask(&toScene)
    #expect(toScene.handleAnswer(accepted("sent"), to: 1) == .shown(wiping: .all))
    #expect(toScene.view.scene?.principal == "ada" && toScene.notice == nil)
    var toScreen = machine(success: .screen(1))
    try toScreen.type("123456", into: "code")
    _ = try ask(&toScreen)
    #expect(
      toScreen.handleAnswer(accepted("sent", after: 5), to: 1)
        == .shown([.throttle(1, for: 5)], wiping: .all))
    #expect(toScreen.screen.id == "second" && toScreen.notice == Message("sent"))
    // When the user returns to the screen, the link is still throttled.
    _ = toScreen.press(.link(0), question: 2)
    #expect(toScreen.screen.id == "first" && !toScreen.view.enablesLink(0))
    #expect(toScreen.endThrottle(of: 1) == .shown())
    #expect(toScreen.view.enablesLink(0))
  }

  @Test("a failed link request is shown like a failed submit, and a retry repeats it") func failure() throws {
    var machine = machine()
    try machine.type("1", into: "code")
    _ = try ask(&machine)
    #expect(machine.handleAnswer(refusal, to: 1) == .shown())
    #expect(machine.phase.name == .requestFailed && machine.view.primary == .retry && machine.view.primaryIsEnabled)
    guard let again = machine.press(.retry, question: 2).questions.first else { throw TestFailure.notAsked }
    #expect(again.request == "send" && again.retryOf == 1)
    _ = machine.handleAnswer(refusal, to: 2)
    #expect(try ask(&machine, 3).retryOf == 1)
    _ = machine.handleAnswer(accepted(), to: 3)
    #expect(machine.phase == .unvalidated)
  }

  @Test(
    "when the alert about a failed link request is dismissed, the form has the phase from before the press",
    arguments: FlowOptions.AfterFailure.allCases)
  func alert(after: FlowOptions.AfterFailure) throws {
    var machine = machine {
      $0.failure = .alert
      $0.afterFailure = after
    }
    try machine.type("123456", into: "code")
    _ = try ask(&machine)
    _ = machine.handleAnswer(refusal, to: 1)
    #expect(!machine.accepts(.link(0)) && machine.press(.dismiss, question: 2) == .shown())
    #expect(machine.phase == .validated && machine.accepts(.submit) && machine.accepts(.link(0)))
  }

  @Test("a throttle of a link affects only the link, and an edit does not end it", arguments: [true, false])
  func throttled(isAlert: Bool) throws {
    var machine = machine { if isAlert { $0.failure = .alert } }
    try machine.type("12345", into: "code")
    _ = try ask(&machine)
    let tooEarly = Message(.throttled)
    #expect(machine.handleAnswer(.failed(tooEarly, items: [], retryAfter: 5), to: 1) == .shown([.throttle(1, for: 5)]))
    if isAlert {
      #expect(machine.alert?.messages == [tooEarly])
      _ = machine.press(.dismiss, question: 2)
    } else {
      #expect(machine.notice == tooEarly)
    }
    #expect(machine.phase == .unvalidated && !machine.isThrottled)
    try machine.type("123456", into: "code")
    #expect(!machine.accepts(.link(0)) && machine.accepts(.submit) && machine.accepts(.link(1)))
    #expect(machine.view.primaryIsEnabled && !machine.view.enablesLink(0) && machine.view.enablesLink(1))
    #expect(machine.hasThrottle(of: 1) && machine.endThrottle(of: 1) == .shown())
    #expect(machine.accepts(.link(0)) && machine.view.enablesLink(0) && !machine.hasThrottle(of: 1))
    if !isAlert { #expect(machine.notice == Message(.throttleOver)) }
  }

  @Test("a throttled submit does not prevent a link's request, and a submit after that request is still a retry")
  func both() throws {
    var machine = machine()
    try machine.type("123456", into: "code")
    _ = machine.press(.submit, question: 1)
    _ = machine.handleAnswer(.failed(Message("wait"), items: [], retryAfter: 1000), to: 1)
    _ = try ask(&machine, 2)
    _ = machine.handleAnswer(refusal, to: 2)
    #expect(machine.accepts(.retry) && machine.view.primaryIsEnabled && machine.isThrottled)
    _ = try ask(&machine, 3)
    _ = machine.handleAnswer(accepted(), to: 3)
    #expect(machine.phase == .validated && !machine.view.primaryIsEnabled && !machine.accepts(.submit))
    _ = machine.endThrottle(of: 1)
    guard let question = machine.press(.submit, question: 4).questions.first else { throw TestFailure.notAsked }
    #expect(question.retryOf == 1)
  }

  @Test("when a link's request is cancelled, the form has the phase from before the press") func cancel() throws {
    var machine = machine()
    _ = try ask(&machine)
    #expect(machine.press(.cancel, question: 2) == .shown([.abandon(1)]))
    #expect(machine.phase == .initial)
    #expect(machine.handleAnswer(accepted(), to: 1) == .refused)
  }

  @Test("a press on a link is stale if it was made before that link's request ended") func stale() throws {
    var machine = machine()
    let seen = machine.revision
    _ = try ask(&machine)
    _ = machine.handleAnswer(accepted(), to: 1)
    #expect(machine.since(.link(0)) > seen && machine.since(.link(0)) == machine.revision)
    #expect(machine.since(.link(1)) == 1)
  }

  @Test("if a link's request is answered with a challenge, the link's screen is shown again after the decision")
  func challenge() throws {
    let screen = ChallengeScreen(testScreen([input("word")], id: "challenge"))
    for isAccepted in [true, false] {
      var machine = machine()
      try machine.type("1", into: "code")
      _ = try ask(&machine)
      #expect(machine.isBesideSubmit(1))
      _ = machine.handleAnswer(.challenge(Challenge(screen: screen)), to: 1)
      _ = machine.press(.submit, question: 2)
      #expect(machine.isBesideSubmit(2))
      if isAccepted {
        #expect(
          machine.handleAnswer(accepted("sent", after: 5), to: 2)
            == .shown([.forget(1), .throttle(2, for: 5)], wiping: .all))
        #expect(machine.phase.isOpen && machine.notice == Message("sent") && !machine.view.enablesLink(0))
      } else {
        #expect(machine.handleAnswer(refusal, to: 2) == .shown([.forget(1)], wiping: .all))
        guard let again = machine.press(.retry, question: 3).questions.first else { throw TestFailure.notAsked }
        #expect(again.request == "send" && again.conversationID == nil)
      }
      #expect(machine.screen.id == "first" && machine.conversationID == nil)
    }
  }

  @Test("when a link's request is answered with a notice, the form has the phase from before the press")
  func notice() throws {
    var machine = machine()
    _ = try ask(&machine)
    #expect(machine.handleAnswer(.notice(Message("read"), screen: nil), to: 1) == .shown())
    #expect(machine.phase == .initial && machine.notice == Message("read"))
  }
}
