import LoginMachine
import Testing

/// A challenge that asks for a code and a name. It has a link that it defines and a link to leave.
func challengeScreen(_ items: [Item]? = nil, links: [Screen.Link]? = nil, alert: Bool = false) -> ChallengeScreen {
  let items =
    items ?? [
      input("code", [Rule(.required, message: "missing")], .oneTimeCode),
      input("device", [Rule(.minLength(2), message: "short", text: "Too short")]),
    ]
  return ChallengeScreen(
    Screen(
      id: "code", title: "t", request: "ask", sections: [.init(id: "all", items: 0..<items.count)], items: items,
      primary: .init(
        submit: .init(id: "go", title: "t"), cancel: .init(id: "stop", title: "t"),
        retry: .init(id: "again", title: "t")),
      links: links ?? [
        .init(action: .init(id: "resend", title: "t"), target: .ask),
        .init(action: .init(id: "leave", title: "t"), target: .leave),
      ],
      alert: alert ? .init(dismiss: .init(id: "ok", title: "t"), role: .dismiss, titles: [:]) : nil,
      success: .scene("there")))
}

/// A machine whose login request, question 1, was answered with a challenge.
func challenged(
  _ challenge: Challenge = Challenge(screen: challengeScreen()), alert: Bool = false,
  _ change: (inout FlowOptions) -> Void = { _ in }
) throws -> SessionMachine {
  var machine = SessionMachine(
    flow: testFlow([testScreen(standardItems, alert: alert, links: [0])], change), screen: 0)
  try machine.type("ada@example.com", into: "email")
  try machine.type("secret", into: "password")
  _ = try machine.submitted(1)
  _ = machine.handleAnswer(.challenge(challenge), to: 1)
  return machine
}

extension SessionMachine {
  /// Enters what the challenge asks for and submits it. Returns the question that the submit asks.
  mutating func sentCode(_ id: QuestionID) throws -> Question? {
    try type("123", into: "code")
    if let question = press(.submit, question: id).questions.first { return question }
    return nil
  }
}

/// Requests that are answered with a challenge.
struct ChallengeTests {
  private let screen = challengeScreen()
  private let resend = SessionMachine.Action.link(0)
  private let back = SessionMachine.Action.link(1)

  @Test("a challenge replaces the screen, and the secrets of the former screen are destroyed") func begins() throws {
    var machine = SessionMachine(flow: testFlow([testScreen(standardItems)]), screen: 0)
    try machine.type("ada@example.com", into: "email")
    try machine.type("secret", into: "password")
    _ = try machine.submitted(1)
    let outcome = machine.handleAnswer(
      .challenge(Challenge(screen: screen, notice: Message("look"), expiresIn: 9)), to: 1)
    #expect(outcome == .shown([.challenge(.init(isNew: true, expiresIn: 9))], wiping: .all))
    #expect(machine.screen === screen.screen && machine.phase == .initial && machine.conversationID == 1)
    #expect(machine.notice == Message("look") && machine.view.notice == Message("look"))
    #expect(
      machine.view.screenReference?.challenge === screen && machine.view.primary == .submit
        && machine.view.linksAreEnabled)
    #expect(machine.ending == Ending(conversationID: 1, questionID: nil))
    #expect(machine.since(.submit) == machine.revision && machine.since(item: 0) == machine.revision)
    _ = machine.press(back, question: 2)
    let password = try machine.item("password")
    #expect(!machine.draft.entries[password].isFilled && machine.conversationID == nil)
  }

  @Test("values entered in a challenge are sent in a new question of its conversation") func continues() throws {
    var machine = try challenged()
    let question = try machine.sentCode(2)
    #expect(question?.pending == PendingQuestion(id: 2, retryOf: nil) && question?.conversationID == 1)
    #expect(question?.values?.entries.count == 2 && question?.action == nil && question?.isPoll == false)
    #expect(machine.ending == Ending(conversationID: 1, questionID: 2) && machine.view.primary == .cancel)
    #expect(machine.handleAnswer(acceptance, to: 1) == .refused)
    #expect(machine.handleAnswer(acceptance, to: 2) == .shown([.forget(1)], wiping: .all))
    #expect(
      machine.phase.name == .requestSucceeded && machine.screenReference == .flow(0) && machine.conversationID == nil)
    #expect(machine.ending == nil && !machine.draft.entries.contains { $0.isFilled })
  }

  @Test("the values of a challenge are validated like those of a flow's screen") func rules() throws {
    var machine = try challenged()
    try machine.type("x", into: "device")
    #expect(machine.phase == .unvalidated && machine.press(.submit, question: 2) == .shown())
    #expect(machine.view.items.allSatisfy { $0.validity == .invalid })
    #expect(
      machine.screen.items[1].rules[0].failure == Message("short", [.init("length", .number("2"))], text: "Too short"))
  }

  @Test("a follow-up challenge with an error and no screen keeps plain values, clears secrets and offers a retry")
  func again() throws {
    var machine = try challenged()
    try machine.type("phone", into: "device")
    _ = try machine.sentCode(2)
    let shown = machine.screenReference
    let said = Draft.Remark(item: 1, message: Message("unknown"))
    let outcome = machine.handleAnswer(
      .challenge(Challenge(screen: nil, error: Message("wrong"), items: [said])), to: 2)
    #expect(outcome == .shown([.challenge(.init())], wiping: .all) && machine.screenReference == shown)
    let view = machine.view
    #expect(view.phase == .requestFailed && view.error == Message("wrong") && view.primary == .retry)
    #expect(view.text(of: 1) == "phone" && !view.items[0].isFilled && view.remarks == [said])
    #expect(view.isEditable && view.linksAreEnabled && !view.primaryIsEnabled)
    try machine.type("laptop", into: "device")
    #expect(machine.view.remarks.isEmpty && machine.view.error == nil)
    // The authenticator has decided about the former values, so this question is not a retry.
    #expect(try machine.sentCode(3)?.retryOf == nil)
  }

  @Test("a follow-up challenge with an error and another screen shows the error on that screen, with blank values")
  func anotherWithError() throws {
    var machine = try challenged()
    try machine.type("phone", into: "device")
    _ = try machine.sentCode(2)
    let shown = machine.screenReference
    _ = machine.handleAnswer(.challenge(Challenge(screen: screen, error: Message("wrong"))), to: 2)
    #expect(
      machine.screenReference != shown && machine.view.text(of: 1).isEmpty && machine.view.error == Message("wrong"))
    #expect(machine.conversationID == 1 && machine.phase.name == .requestFailed)
  }

  @Test("a conversation can have any number of challenges, each with its own screen") func steps() throws {
    var machine = try challenged()
    var shown = [machine.screenReference]
    for number in UInt64(2)...6 {
      let id = QuestionID(number: number)
      #expect(try machine.sentCode(id)?.conversationID == 1)
      _ = machine.handleAnswer(.challenge(Challenge(screen: number == 3 ? screen : challengeScreen())), to: id)
      #expect(!shown.contains(machine.screenReference) && machine.phase == .initial)
      shown.append(machine.screenReference)
    }
    _ = try machine.sentCode(7)
    _ = machine.handleAnswer(refusal, to: 7)
    #expect(machine.conversationID == nil && machine.screenReference == .flow(0))
  }

  @Test("a rejection ends a conversation and returns to the screen where it began, with plain values and the message")
  func rejected() throws {
    var machine = try challenged()
    _ = try machine.sentCode(2)
    #expect(machine.handleAnswer(refusal, to: 2) == .shown([.forget(1)], wiping: .all))
    let view = machine.view
    #expect(
      view.screenReference == .flow(0) && view.phase == .requestFailed && view.error == Message("invalidCredentials"))
    #expect(view.text(of: 0) == "ada@example.com" && !view.items[1].isFilled && view.screenReference?.challenge == nil)
    #expect(view.primary == .retry && !view.primaryIsEnabled && machine.since(.retry) == machine.revision)
    try machine.type("other", into: "password")
    #expect(try machine.submitted(3)?.retryOf == nil)
  }

  @Test("a retry after a conversation refers to the conversation's first question if no value was discarded")
  func retryOf() throws {
    var machine = SessionMachine(flow: testFlow([testScreen([input("name")])]), screen: 0)
    try machine.type("ada", into: "name")
    _ = try machine.submitted(1)
    _ = machine.handleAnswer(.challenge(Challenge(screen: screen)), to: 1)
    _ = try machine.sentCode(2)
    _ = machine.handleAnswer(.failed(Message(.timeout), items: []), to: 2)
    guard let question = machine.press(.retry, question: 3).questions.first else { return #expect(Bool(false)) }
    #expect(question.pending == PendingQuestion(id: 3, retryOf: 1) && question.conversationID == nil)
  }

  @Test("a conversation continues after an answer that throttles it") func throttled() throws {
    var machine = try challenged()
    _ = try machine.sentCode(2)
    #expect(
      machine.handleAnswer(.failed(Message(.throttled), items: [], retryAfter: 5), to: 2)
        == .shown([.throttle(2, for: 5)]))
    #expect(machine.conversationID == 1 && machine.screen.id == "code" && machine.phase.name == .requestFailed)
    #expect(!machine.view.primaryIsEnabled && machine.press(.retry, question: 3) == .refused)
    #expect(machine.endThrottle(of: 2) == .shown())
    guard let question = machine.press(.retry, question: 3).questions.first else { return #expect(Bool(false)) }
    #expect(question.pending == PendingQuestion(id: 3, retryOf: 2) && question.conversationID == 1)
  }

  @Test("a question that the authenticator did not decide can be repeated, whatever it is about")
  func undecided() throws {
    var machine = try challenged()
    _ = try machine.sentCode(2)
    #expect(machine.handleAnswer(.undecided(Message("network.busy")), to: 2) == .shown())
    #expect(machine.view.error == Message("network.busy") && machine.view.items[0].isFilled)
    guard let values = machine.press(.retry, question: 3).questions.first else { return #expect(Bool(false)) }
    #expect(values.pending == PendingQuestion(id: 3, retryOf: 2) && values.conversationID == 1 && values.values != nil)
    _ = machine.handleAnswer(.challenge(Challenge(screen: screen)), to: 3)
    // The question about the link can be repeated although no values are entered.
    guard let first = machine.press(resend, question: 4).questions.first else { return #expect(Bool(false)) }
    #expect(first.action == "resend" && first.values == nil && first.retryOf == nil)
    _ = machine.handleAnswer(.undecided(Message("network.busy")), to: 4)
    #expect(machine.view.primary == .retry && machine.view.primaryIsEnabled)
    guard let second = machine.press(.retry, question: 5).questions.first else { return #expect(Bool(false)) }
    #expect(second.action == "resend" && second.pending == PendingQuestion(id: 5, retryOf: 4) && second.values == nil)
    _ = machine.handleAnswer(.undecided(Message("network.busy")), to: 5)
    try machine.type("1", into: "code")
    let third = try machine.sentCode(6)
    #expect(third?.action == nil && third?.retryOf == nil && third?.values != nil)
  }

  @Test(
    "cancelling or leaving a challenge returns to the screen where the conversation began, with its plain values",
    arguments: [true, false])
  func ends(isInFlight: Bool) throws {
    var machine = try challenged()
    if isInFlight { _ = try machine.sentCode(2) }
    let outcome = machine.press(isInFlight ? .cancel : back, question: 3)
    #expect(outcome == .shown([.end(Ending(conversationID: 1, questionID: isInFlight ? 2 : nil))], wiping: .all))
    #expect(
      machine.screenReference == .flow(0) && machine.phase == .unvalidated
        && machine.view.text(of: 0) == "ada@example.com")
    #expect(machine.ending == nil && machine.handleAnswer(acceptance, to: 2) == .refused)
    #expect(machine.primaryRole == .submit && machine.since(.submit) == machine.revision)
  }

  @Test("when a conversation fails, the screen where it began is shown with the reason", arguments: [true, false])
  func breaksOff(isInFlight: Bool) throws {
    var machine = try challenged()
    if isInFlight { _ = try machine.sentCode(2) }
    #expect(machine.failConversation(9, Message(.challengeExpired)) == .refused)
    let ending = Ending(conversationID: 1, questionID: isInFlight ? 2 : nil)
    #expect(machine.failConversation(1, Message(.challengeExpired)) == .shown([.end(ending)], wiping: .all))
    #expect(machine.screenReference == .flow(0) && machine.view.error == Message(.challengeExpired))
    #expect(machine.failConversation(1, Message(.challengeExpired)) == .refused)
  }

  @Test("an answer with a notice ends a conversation in the same way as it ends a request") func notice() throws {
    var machine = try challenged()
    _ = try machine.sentCode(2)
    #expect(
      machine.handleAnswer(.notice(Message("sent"), screen: nil), to: 2) == .shown([.forget(1)], wiping: .all))
    #expect(machine.screenReference == .flow(0) && machine.notice == Message("sent") && machine.phase == .unvalidated)
  }

  @Test("a first challenge without a screen is an invalid answer") func noScreen() throws {
    let machine = try challenged(Challenge(screen: nil))
    #expect(machine.conversationID == nil && machine.view.error == Message(.invalidAnswer))
  }

  @Test("a progress message is accepted only if it names the conversation whose question is open") func notify() throws
  {
    var machine = try challenged()
    #expect(machine.notify(Message("hm"), nil, of: 1) == .refused)
    _ = try machine.sentCode(2)
    #expect(
      machine.notify(Message("hm"), nil, of: 2) == .refused && machine.notify(Message("hm"), nil, of: 1) == .shown())
    #expect(machine.notice == Message("hm"))
  }

  @Test("if the flow shows failures in alerts, failures in a challenge are shown in alerts too") func alerts() throws {
    var machine = try challenged(Challenge(screen: challengeScreen(alert: true)), alert: true) { $0.failure = .alert }
    _ = try machine.sentCode(2)
    _ = machine.handleAnswer(.challenge(Challenge(screen: nil, error: Message("wrong"))), to: 2)
    #expect(machine.alert?.messages == [Message("wrong")] && machine.view.error == nil)
    _ = machine.press(.dismiss, question: 3)
    #expect(machine.conversationID == 1 && machine.acceptsEdits)
  }
}
