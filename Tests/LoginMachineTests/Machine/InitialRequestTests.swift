import LoginMachine
import Testing

/// Requests that start automatically when a screen is entered.
struct InitialRequestTests {
  private func screen(
    _ id: String, _ requests: [Screen.InitialRequest], links: [Int] = [], success: Screen.Success = .scene("there")
  ) -> Screen {
    let base = testScreen(standardItems, id: id, alert: true, links: links, success: success)
    return Screen(
      id: base.id, title: base.title, request: base.request, sections: base.sections, items: base.items,
      primary: base.primary, links: base.links, initialRequests: requests, alert: base.alert, success: base.success)
  }

  private func machine(
    _ requests: [Screen.InitialRequest], success: Screen.Success = .scene("there"),
    _ change: (inout FlowOptions) -> Void = { _ in }
  ) -> SessionMachine {
    SessionMachine(
      flow: testFlow(
        [screen("first", requests, links: [1, 0], success: success), screen("second", [], links: [0])], change),
      screen: 0)
  }

  private let accepted = Answer.accepted(principal: "ada", data: nil, message: Message("done"))

  @Test(
    "an initial request that covers the form is pending from the first update on, and ends with a form in its initial state"
  )
  func cover() throws {
    var machine = machine([.init("load", .cover)])
    let questions = machine.start(question: 1).questions
    #expect(questions.map(\.request) == ["load"] && questions.first?.id == 1 && questions.first?.isBackground == false)
    #expect(machine.revision == 1 && machine.view.phase == .requestPending && machine.view.showsActivity)
    #expect(machine.view.primary == .cancel && !machine.acceptsEdits && machine.since(.cancel) == 1)
    #expect(machine.handleAnswer(accepted, to: 1) == .shown())
    #expect(machine.phase == .initial && machine.notice == Message("done") && machine.revision == 2)
  }

  @Test("an initial request includes non-empty plain values, and no secret") func values() throws {
    var machine = machine([.init("load", .cover)])
    machine.prefill(text: Array("ada".utf8).span, in: try machine.item("email"))
    let question = try #require(machine.start(question: 1).questions.first)
    #expect(question.values == nil && question.plainValues?.entries.map { $0 == nil } == [false, true])
    _ = machine.press(.cancel, question: 2)
    #expect(machine.phase == .unvalidated)
  }

  @Test("a failed initial request is shown like a failed submit, and a retry repeats it", arguments: [true, false])
  func failure(isInline: Bool) throws {
    var machine = machine([.init("load", .cover, success: .screen(1))]) { if !isInline { $0.failure = .alert } }
    _ = machine.start(question: 1)
    #expect(machine.handleAnswer(refusal, to: 1) == .shown())
    guard isInline else {
      #expect(machine.alert != nil && machine.press(.dismiss, question: 2) == .shown())
      return #expect(machine.phase == .initial)
    }
    #expect(machine.view.primary == .retry && machine.view.primaryIsEnabled)
    guard let again = machine.press(.retry, question: 2).questions.first else { return #expect(Bool(false)) }
    #expect(again.request == "load" && again.retryOf == 1 && !again.isBackground)
    #expect(machine.handleAnswer(accepted, to: 2) == .shown(wiping: .all))
    #expect(machine.screen.id == "second" && machine.notice == Message("done"))
  }

  @Test("a screen's initial requests start whenever it is entered, except when a challenge returns to it")
  func entering() throws {
    var machine = machine([.init("load", .cover)])
    #expect(machine.start(question: 1).questions.count == 1)
    let challenge = ChallengeScreen(testScreen([input("word")], id: "challenge"))
    _ = machine.handleAnswer(.challenge(Challenge(screen: challenge)), to: 1)
    _ = machine.press(.submit, question: 2)
    #expect(machine.handleAnswer(accepted, to: 2) == .shown([.forget(1)], wiping: .all))
    #expect(machine.screen.id == "first")
    // First a link to the screen itself, then a link to another screen, and then a link back.
    #expect(machine.press(.link(1), question: 3).questions.map(\.id) == [3])
    #expect(machine.since(.cancel) == machine.revision)
    _ = machine.press(.cancel, question: 4)
    #expect(machine.press(.link(0), question: 4) == .shown(wiping: .all))
    #expect(machine.press(.link(0), question: 4).questions.map(\.id) == [4])
  }

  @Test("a press of the button is not stale if it was made before an answer that restarts the screen's initial request")
  func same() {
    var machine = machine([.init("load", .cover)])
    #expect(machine.start(question: 1).questions.count == 1 && machine.since(.cancel) == 1)
    let step = machine.handleAnswer(.notice(Message("again"), screen: 0), to: 1)
    #expect(step.questions.map(\.id) == [2] && step.wiping == .all && machine.revision == 2)
    #expect(machine.view.primary == .cancel && machine.since(.cancel) == 1)
  }

  @Test("a background request changes nothing that is shown until it is answered with a message") func beside() throws {
    let blank = machine([]).view
    var machine = machine([.init("passkey", .background, success: .scene("there")), .init("hint", .background)])
    #expect(machine.start(question: 1).questions.map(\.isBackground) == [true, true])
    #expect(machine.view == blank && machine.backgroundQuestions == [1, 2] && machine.acceptsEdits)
    // When a background request is answered, the user is not told of a failure, but is shown a
    // message.
    let before = machine.revision
    #expect(machine.handleAnswer(.undecided(Message("down")), to: 1) == .unseen())
    #expect(machine.view == blank && machine.revision == before && machine.backgroundQuestions == [2])
    #expect(machine.handleAnswer(.undecided(Message("down")), to: 1) == .refused)
    #expect(machine.handleAnswer(.failed(Message("no"), items: []), to: 2) == .shown())
    #expect(machine.notice == Message("no") && machine.phase == .initial && machine.acceptsEdits)
    #expect(machine.backgroundQuestions == [])
  }

  @Test(
    "a notice that reads the same as the shown notice changes nothing, whichever request it answers",
    arguments: [
      (Message("x", text: "Unknown error"), Message("x")), (Message("x", text: "Same."), Message("x", text: "Same.")),
    ])
  func saidAlready(_ first: Message, _ second: Message) throws {
    var machine = machine([.init("hint", .background), .init("other", .background)])
    let asked = machine.start(question: 1).questions
    #expect(asked.count == 2)
    #expect(machine.handleAnswer(.notice(first, screen: nil), to: asked[0].id) == .shown())
    let revision = machine.revision
    #expect(machine.handleAnswer(.notice(second, screen: nil), to: asked[1].id) == .unseen())
    #expect(machine.revision == revision && machine.notice == first)
  }

  @Test(
    "if an accepted background request leads to no screen and no scene, only its message is shown")
  func said() throws {
    var machine = machine([.init("hint", .background), .init("other", .background)])
    _ = machine.start(question: 1)
    try machine.type("correct horse", into: "password")
    #expect(machine.handleAnswer(accepted, to: 1) == .shown())
    #expect(machine.notice == Message("done") && machine.filledSecrets == ["password"])
    #expect(machine.backgroundQuestions == [2])
  }

  @Test(
    "when an answer leads to another screen or a scene, every other open request is abandoned once",
    arguments: [true, false])
  func race(isSubmit: Bool) throws {
    var machine = machine([.init("passkey", .background, success: .scene("there")), .init("hint", .background)])
    _ = machine.start(question: 1)
    try machine.type("ada@example.com", into: "email")
    try machine.type("correct horse", into: "password")
    #expect(try machine.submitted(3) != nil)
    let step = machine.handleAnswer(accepted, to: isSubmit ? 3 : 1)
    #expect(Set(step.abandoned) == (isSubmit ? [1, 2] : [2, 3]) && step.effects.count == 2 && step.wiping == .all)
    #expect(machine.view.scene?.principal == "ada" && machine.notice == nil)
    for id: QuestionID in [1, 2, 3] { #expect(machine.handleAnswer(acceptance, to: id) == .refused) }
  }

  @Test("background requests stay open when a submit fails") func submitFails() throws {
    var machine = machine([.init("passkey", .background, success: .screen(1))])
    _ = machine.start(question: 1)
    try machine.type("ada@example.com", into: "email")
    try machine.type("correct horse", into: "password")
    _ = try machine.submitted(2)
    _ = machine.handleAnswer(refusal, to: 2)
    #expect(machine.phase.name == .requestFailed && machine.backgroundQuestions == [1])
    #expect(machine.handleAnswer(.accepted(principal: nil, data: nil), to: 1) == .shown(wiping: .all))
    #expect(machine.screen.id == "second" && machine.phase == .unvalidated)
  }

  @Test("when a link leads to another screen, background requests of the screen that is left are abandoned")
  func left() throws {
    var machine = machine([.init("passkey", .background, success: .scene("there"))])
    _ = machine.start(question: 1)
    #expect(machine.press(.link(0), question: 2) == .shown([.abandon(1)], wiping: .all))
    #expect(machine.handleAnswer(acceptance, to: 1) == .refused)
  }

  @Test("a challenge that answers a background request is shown, and all other requests are abandoned")
  func challenged() throws {
    let screen = ChallengeScreen(testScreen([input("word")], id: "challenge"))
    var machine = machine([.init("passkey", .background, success: .screen(1)), .init("hint", .background)])
    _ = machine.start(question: 1)
    try machine.type("ada@example.com", into: "email")
    #expect(machine.handleAnswer(.challenge(Challenge(screen: nil)), to: 2) == .unseen())
    #expect(
      machine.handleAnswer(.challenge(Challenge(screen: screen)), to: 1)
        == .shown([.challenge(.init(isNew: true))], wiping: .all))
    #expect(machine.conversationID == 1 && machine.screen.id == "challenge" && machine.phase == .initial)
    _ = machine.press(.submit, question: 3)
    #expect(
      machine.handleAnswer(.accepted(principal: nil, data: nil), to: 3) == .shown([.forget(1)], wiping: .all))
    #expect(machine.screen.id == "second")
  }

  @Test("a challenge that answers a submit ends background requests") func submitChallenged() throws {
    let screen = ChallengeScreen(testScreen([input("word")], id: "challenge"))
    var machine = machine([.init("passkey", .background, success: .scene("there"))])
    _ = machine.start(question: 1)
    try machine.type("ada@example.com", into: "email")
    try machine.type("correct horse", into: "password")
    _ = try machine.submitted(2)
    let step = machine.handleAnswer(.challenge(Challenge(screen: screen)), to: 2)
    #expect(step.abandoned == [1] && machine.backgroundQuestions == [])
  }
}
