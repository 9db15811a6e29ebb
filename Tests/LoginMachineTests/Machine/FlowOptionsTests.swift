import LoginMachine
import Testing

/// The options of flows, and answers other than acceptance and rejection.
struct FlowOptionsTests {
  private let items = [
    input("a", [Rule(.required, message: "missing")]), input("b", [Rule(.email, message: "invalid")]),
  ]

  private func machine(_ change: (inout FlowOptions) -> Void) -> SessionMachine {
    SessionMachine(flow: testFlow([testScreen(items, alert: true)], change), screen: 0)
  }

  // MARK: Time of validation

  @Test("if values are validated only on submit, edits neither mark nor validate items") func onSubmit() throws {
    var machine = machine { ($0.validation, $0.submit) = (.onSubmit, .always) }
    try machine.type("x", into: "b")
    #expect(machine.phase == .unvalidated && machine.view.items.allSatisfy { $0.validity == .unknown })
    #expect(machine.press(.submit, question: 1) == .shown())
    #expect(machine.view.items.allSatisfy { $0.validity == .invalid })
    try machine.type("ada", into: "a")
    #expect(machine.phase == .unvalidated && machine.view.items.map(\.validity) == [.unknown, .invalid])
    try machine.type("a@b", into: "b")
    #expect(machine.phase == .unvalidated && machine.view.primaryIsEnabled)
    #expect(try machine.submitted(1) != nil)
    _ = machine.press(.cancel, question: 2)
    #expect(machine.phase == .validated)
  }

  @Test(
    "submit is enabled while values are valid, and always if the flow says so",
    arguments: FlowOptions.SubmitStyle.allCases)
  func submit(_ style: FlowOptions.SubmitStyle) throws {
    var machine = machine { $0.submit = style }
    #expect(machine.view.primaryIsEnabled == (style == .always))
    try machine.type("x", into: "b")
    #expect(machine.view.primaryIsEnabled == (style == .always))
    let before = machine
    let outcome = machine.press(.submit, question: 1)
    // A press of a disabled submit either is refused or shows what is missing.
    #expect(outcome == (style == .onlyWhenValid ? .refused : .shown()))
    #expect(style != .onlyWhenValid || machine == before)
    try machine.type("a@b", into: "b")
    try machine.type("ada", into: "a")
    #expect(machine.view.primaryIsEnabled)
  }

  // MARK: Repetitions

  @Test("an item that must equal another is validated again when the other is edited") func repetition() throws {
    let repeated = [input("a"), input("again", [Rule(.equalTo(0), message: "other")])]
    var machine = SessionMachine(flow: testFlow([testScreen(repeated)]), screen: 0)
    try machine.type("x", into: "a")
    #expect(machine.phase == .validated, "an empty repetition breaks nothing")
    try machine.type("x", into: "again")
    #expect(machine.phase == .validated)
    try machine.type("xy", into: "a")
    #expect(machine.phase == .unvalidated && machine.view.items[1].validity == .invalid)
    try machine.type("xy", into: "again")
    #expect(machine.phase == .validated)
  }

  @Test("after a secret is discarded, a filled item that must equal it is invalid until its own value is discarded")
  func lostSecret() throws {
    let repeated = [input("a", [], .password), input("again", [Rule(.equalTo(0), message: "other")], .password)]
    var machine = SessionMachine(flow: testFlow([testScreen(repeated)]), screen: 0)
    _ = machine.changeSecret(0, isFilled: true, failing: RuleSet())
    _ = machine.changeSecret(1, isFilled: true, failing: RuleSet())
    #expect(machine.phase == .validated)
    #expect(machine.discardSecret(0).isShown)
    #expect(machine.phase == .unvalidated && machine.draft.entries[1].failing.contains(0))
    #expect(machine.discardSecret(1).isShown)
    #expect(machine.draft.isValid)
  }

  @Test("an edit of a secret also updates whether each item that must equal the secret is valid")
  func verdicts() throws {
    let repeated = [input("a", [], .password), input("again", [Rule(.equalTo(0), message: "other")], .password)]
    var machine = SessionMachine(flow: testFlow([testScreen(repeated)]), screen: 0)
    _ = machine.changeSecret(
      1, isFilled: true, failing: RuleSet(of: repeated[1].rules, failingOn: Array("x".utf8).span))
    #expect(machine.phase == .unvalidated)
    _ = machine.changeSecret(0, isFilled: true, failing: RuleSet(), dependents: [.init(item: 1, failing: RuleSet())])
    #expect(machine.phase == .validated)
  }

  // MARK: Notices

  @Test("if an answer's notice names no screen, the machine keeps the screen and all values") func notice() throws {
    var machine = try pending()
    #expect(machine.handleAnswer(.notice(Message("sent"), screen: nil), to: 1) == .shown())
    #expect(machine.phase == .validated && machine.notice == Message("sent") && machine.view.error == nil)
    #expect(machine.view.text(of: 0) == "ada")
    try machine.type("grace", into: "a")
    #expect(machine.notice != nil, "an edit does not take it away")
    _ = machine.press(.submit, question: 2)
    #expect(machine.notice == nil)
  }

  @Test("a progress message is shown as a notice until the request is answered") func meanwhile() throws {
    var machine = try pending()
    #expect(machine.notify(Message("wait"), nil, of: 1) == .shown())
    #expect(machine.view.notice == Message("wait") && machine.view.showsActivity)
    let before = machine
    #expect(machine.notify(Message("late"), nil, of: 2) == .refused)
    #expect(machine.notify(nil, nil, of: 1) == .refused)
    #expect(machine == before)
    _ = machine.handleAnswer(refusal, to: 1)
    #expect(machine.notice == nil)
    #expect(machine.notify(Message("late"), nil, of: 1) == .refused)
  }

  @Test(
    "success or a notice leads to the next screen and carries values of items with the same API key",
    arguments: [true, false])
  func nextScreen(_ isNotice: Bool) throws {
    let mail = input("mail", [], .email)
    var same = input("other name", [], .email)
    same.apiKey = "mail"
    let first = testScreen([mail, input("b"), input("secret", [], .password)], success: .screen(1))
    let next = testScreen([same, input("b"), input("secret", [], .password)], id: "next", links: [0])
    var machine = SessionMachine(flow: testFlow([first, next]), screen: 0)
    try machine.type("a@b", into: "mail")
    _ = machine.changeSecret(2, isFilled: true, failing: RuleSet())
    _ = machine.press(.submit, question: 1)
    let answer = isNotice ? Answer.notice(Message("sent"), screen: nil) : acceptance
    #expect(machine.handleAnswer(answer, to: 1) == .shown(wiping: .all))
    #expect(machine.screenReference == .flow(1) && machine.notice == (isNotice ? Message("sent") : nil))
    #expect(machine.view.text(of: 0) == "a@b" && !machine.view.items[2].isFilled && machine.phase == .validated)
    _ = machine.press(.link(0), question: 2)
    #expect(machine.phase == .initial && machine.view.text(of: 0) == "", "what was done is done")
    #expect(machine.notice == nil)
  }

  // MARK: Throttles

  @Test("a throttled request can be repeated only after the throttle has ended") func throttle() throws {
    var machine = try pending()
    #expect(machine.handleAnswer(throttled, to: 1) == .shown([.throttle(1, for: 2500)]))
    #expect(machine.view.primary == .retry && !machine.view.primaryIsEnabled && machine.acceptsEdits)
    #expect(machine.press(.retry, question: 2) == .refused)
    #expect(machine.endThrottle(of: 7) == .refused, "of another question")
    #expect(machine.endThrottle(of: 1) == .shown())
    #expect(machine.view.primaryIsEnabled && machine.view.error == Message("throttleOver"))
    #expect(machine.endThrottle(of: 1) == .refused)
    guard let question = machine.press(.retry, question: 2).questions.first else {
      Issue.record("it is asked again")
      return
    }
    #expect(question.retryOf == 1)
  }

  @Test("an edit of the form ends the throttle of its submit") func lifted() throws {
    var machine = try pending()
    _ = machine.handleAnswer(throttled, to: 1)
    try machine.type("grace", into: "a")
    #expect(!machine.isThrottled && machine.view.primaryIsEnabled)
    #expect(machine.endThrottle(of: 1) == .refused)
  }

  @Test("a throttle continues after its alert is dismissed") func behindAlert() throws {
    var machine = machine { $0.failure = .alert }
    try machine.type("ada", into: "a")
    _ = machine.press(.submit, question: 1)
    _ = machine.handleAnswer(throttled, to: 1)
    _ = machine.press(.dismiss, question: 2)
    #expect(machine.phase == .validated && !machine.view.primaryIsEnabled)
    #expect(machine.press(.submit, question: 2) == .refused)
    #expect(machine.endThrottle(of: 1) == .shown())
    #expect(machine.view.primaryIsEnabled && machine.phase == .validated)
  }

  @Test("a throttle belongs to its screen and is shown when the user returns to the screen") func throttleStays() throws
  {
    var machine = try throttledAndLeft()
    #expect(!machine.isThrottled && machine.view.error == nil && machine.screenReference == .flow(1))
    _ = machine.press(.link(0), question: 2)
    #expect(machine.screenReference == .flow(0) && machine.isThrottled && machine.view.text(of: 0) == "ada")
    #expect(machine.phase.name == .requestFailed && machine.view.error == Message("throttled"))
    #expect(!machine.view.primaryIsEnabled && machine.press(.retry, question: 2) == .refused)
    #expect(machine.endThrottle(of: 1) == .shown())
    #expect(machine.view.primaryIsEnabled && machine.view.error == Message("throttleOver"))
  }

  @Test("a throttle that ends while another screen is shown makes no revision") func throttleOverAway() throws {
    var machine = try throttledAndLeft()
    let revision = machine.revision
    #expect(machine.endThrottle(of: 1) == .unseen())
    #expect(machine.endThrottle(of: 1) == .refused)
    #expect(machine.revision == revision)
    _ = machine.press(.link(0), question: 2)
    #expect(machine.phase == .validated && !machine.isThrottled && machine.view.primaryIsEnabled)
  }

  @Test("each screen has its own throttle") func throttles() throws {
    var machine = try throttledAndLeft()
    try machine.type("grace", into: "b")
    _ = machine.press(.submit, question: 2)
    #expect(machine.handleAnswer(throttled, to: 2) == .shown([.throttle(2, for: 2500)]))
    _ = machine.press(.link(0), question: 3)
    #expect(machine.throttle == 1)
    #expect(machine.endThrottle(of: 2) == .unseen())
    #expect(machine.throttle == 1)
    try machine.type("grace", into: "a")
    #expect(!machine.isThrottled, "an edit lifts it here as well")
    _ = machine.press(.link(0), question: 3)
    #expect(!machine.isThrottled && machine.phase == .validated)
  }

  @Test("leaving a screen with a secret keeps the screen's throttle, but not the failure that was shown with it")
  func throttleWithoutSecret() throws {
    let first = testScreen([input("a"), input("secret", [], .password)], links: [1])
    let flow = testFlow([first, testScreen([input("b")], id: "second", links: [0])])
    var machine = SessionMachine(flow: flow, screen: 0)
    try machine.type("ada", into: "a")
    try machine.type("horse", into: "secret")
    _ = machine.press(.submit, question: 1)
    _ = machine.handleAnswer(throttled, to: 1)
    for _ in 0..<2 { _ = machine.press(.link(0), question: 2) }
    #expect(machine.phase == .validated && !machine.view.primaryIsEnabled)
    #expect(machine.press(.submit, question: 2) == .refused)
    #expect(machine.endThrottle(of: 1) == .shown())
    let question = try machine.submitted(2)
    #expect(question?.retryOf == nil)
  }

  @Test("a link from a screen to itself does not end a throttle") func throttleInPlace() throws {
    var machine = SessionMachine(flow: testFlow([testScreen([input("a")], links: [0])]), screen: 0)
    _ = machine.press(.submit, question: 1)
    _ = machine.handleAnswer(throttled, to: 1)
    _ = machine.press(.link(0), question: 2)
    #expect(machine.isThrottled && !machine.view.primaryIsEnabled)
  }

  /// A machine whose first screen was throttled, and then left for the second screen.
  private func throttledAndLeft() throws -> SessionMachine {
    let screens = [
      testScreen([input("a")], links: [1]), testScreen([input("b")], id: "second", links: [0]),
    ]
    var machine = SessionMachine(flow: testFlow(screens), screen: 0)
    try machine.type("ada", into: "a")
    _ = machine.press(.submit, question: 1)
    _ = machine.handleAnswer(throttled, to: 1)
    _ = machine.press(.link(0), question: 2)
    return machine
  }

  // MARK: Accepted actions

  @Test(
    "a press is accepted if and only if the machine reports that it accepts the action",
    arguments: Situation.allCases)
  func accepts(_ situation: Situation) throws {
    let actions: [SessionMachine.Action] = [.submit, .cancel, .retry, .link(0), .dismiss]
    for pending in FlowOptions.PendingStyle.allCases {
      for failure in FlowOptions.NoticeStyle.allCases {
        for isThrottled in [false, true] {
          let flow = testFlow([testScreen(standardItems, alert: true, links: [0])]) {
            ($0.pending, $0.failure) = (pending, failure)
          }
          var machine = try situation.machine(flow)
          if isThrottled, situation == .requestFailed {
            machine = try Situation.requestPending.machine(flow)
            _ = machine.handleAnswer(throttled, to: Situation.question)
          }
          let taken = actions.filter { action in
            var machine = machine
            let isAccepted = machine.accepts(action)
            let outcome = machine.press(action, question: 9)
            #expect(isAccepted == (outcome != .refused), "\(action) in \(machine.phase)")
            return isAccepted
          }
          #expect(taken == expected(situation, pending, failure, isThrottled))
        }
      }
    }
  }

  /// The actions that a machine should accept in the given situation and with the given options.
  private func expected(
    _ situation: Situation, _ pending: FlowOptions.PendingStyle, _ failure: FlowOptions.NoticeStyle, _ isThrottled: Bool
  ) -> [SessionMachine.Action] {
    switch situation {
    case .initial, .unvalidated, .validated: [.submit, .link(0)]
    case .requestPending: pending == .cancel ? [.cancel] : []
    case .requestFailed: failure == .alert ? [.dismiss] : isThrottled ? [.link(0)] : [.retry, .link(0)]
    case .requestSucceeded: []
    }
  }

  private let throttled = Answer.failed(Message("throttled"), items: [], retryAfter: 2500)

  private func pending() throws -> SessionMachine {
    var machine = machine { _ in }
    try machine.type("ada", into: "a")
    _ = machine.press(.submit, question: 1)
    return machine
  }
}
