import LoginMachine
import Testing

/// Challenges that users meet outside of the form, while the engine polls the authenticator.
struct WaitingTests {
  private let screen = challengeScreen([
    Item(id: "look", apiKey: nil, kind: .text, title: "Look at your phone", placeholder: nil, rules: [])
  ])

  private func waiting(_ change: (inout FlowOptions) -> Void = { _ in }) throws -> SessionMachine {
    try challenged(Challenge(screen: screen, pollAfter: 200), change)
  }

  private func poll(_ machine: inout SessionMachine, _ id: QuestionID) throws -> Question {
    try #require(machine.poll(question: id).questions.first)
  }

  @Test("a request that waits for an external event is shown as pending, and can always be cancelled")
  func pending() throws {
    for pending in FlowOptions.PendingStyle.allCases {
      var machine = try waiting { $0.pending = pending }
      let view = machine.view
      #expect(view.phase == .requestPending && view.showsActivity && view.primary == .cancel && view.primaryIsEnabled)
      #expect(!view.isEditable && !view.linksAreEnabled && machine.isWaiting)
      #expect(machine.press(.link(0), question: 2) == .refused)
      let ending = Ending(conversationID: 1, questionID: nil)
      #expect(machine.press(.cancel, question: 2) == .shown([.end(ending)], wiping: .all))
      #expect(machine.screenReference == .flow(0) && !machine.isWaiting && machine.poll(question: 2) == .refused)
    }
  }

  @Test("if the answer to a poll has nothing new, the view shows the same as before") func unchanged() throws {
    var machine = try waiting { $0.pending = .cover }
    let (view, revision) = (machine.view, machine.revision)
    for number in UInt64(2)...5 {
      let id = QuestionID(number: number)
      let question = try poll(&machine, id)
      #expect(question.isPoll && question.conversationID == 1 && question.values == nil)
      #expect(machine.view == view && machine.poll(question: 9) == .refused)
      #expect(machine.ending == Ending(conversationID: 1, questionID: id))
      let answer = Challenge(screen: number == 3 ? screen : nil, pollAfter: 300)
      #expect(machine.handleAnswer(.challenge(answer), to: id) == .unseen([.challenge(.init(pollAfter: 300))]))
      #expect(machine.view == view && machine.revision == revision)
      // The question was already answered, so a second answer is refused.
      #expect(machine.handleAnswer(acceptance, to: id) == .refused)
    }
  }

  @Test("a poll whose answer has new messages shows them on the same screen") func changed() throws {
    var machine = try waiting()
    let index = machine.screenReference
    _ = try poll(&machine, 2)
    let answer = Challenge(screen: nil, notice: Message("seen"), pollAfter: 200)
    #expect(
      machine.handleAnswer(.challenge(answer), to: 2) == .shown([.challenge(.init(pollAfter: 200))], wiping: .all))
    #expect(machine.screenReference == index && machine.notice == Message("seen") && machine.isWaiting)
    _ = try poll(&machine, 3)
    #expect(machine.handleAnswer(.challenge(answer), to: 3) == .unseen([.challenge(.init(pollAfter: 200))]))
    _ = try poll(&machine, 4)
    _ = machine.handleAnswer(.challenge(Challenge(screen: nil, pollAfter: 200)), to: 4)
    #expect(machine.notice == nil && machine.isWaiting)
  }

  @Test("when a poll is answered, an approval ends in success, and a denial returns to the form") func decided() throws
  {
    var approved = try waiting()
    _ = try poll(&approved, 2)
    #expect(
      approved.handleAnswer(acceptance, to: 2) == .shown([.forget(1)], wiping: .all)
        && approved.phase.name == .requestSucceeded)
    var denied = try waiting()
    _ = try poll(&denied, 2)
    #expect(denied.handleAnswer(refusal, to: 2) == .shown([.forget(1)], wiping: .all))
    #expect(denied.screenReference == .flow(0))
  }

  @Test("challenges with and without input can follow each other")
  func turns() throws {
    var machine = try waiting()
    _ = try poll(&machine, 2)
    _ = machine.handleAnswer(.challenge(Challenge(screen: nil, error: Message("denied"))), to: 2)
    #expect(machine.view.phase == .requestFailed && machine.view.linksAreEnabled && !machine.isWaiting)
    #expect(machine.poll(question: 3) == .refused)
    guard let again = machine.press(.retry, question: 3).questions.first else { return #expect(Bool(false)) }
    #expect(!again.isPoll && again.values != nil)
    _ = machine.handleAnswer(.challenge(Challenge(screen: nil, pollAfter: 100)), to: 3)
    #expect(machine.isWaiting)
    _ = try poll(&machine, 4)
    _ = machine.handleAnswer(.challenge(Challenge(screen: challengeScreen())), to: 4)
    #expect(machine.phase == .initial && !machine.isWaiting)
  }

  @Test("a failed poll is repeated by a retry") func retried() throws {
    var machine = try waiting()
    _ = try poll(&machine, 2)
    _ = machine.handleAnswer(.undecided(Message("network.busy")), to: 2)
    #expect(machine.view.phase == .requestFailed && machine.view.primaryIsEnabled)
    #expect(machine.poll(question: 3) == .refused)
    guard let again = machine.press(.retry, question: 3).questions.first else { return #expect(Bool(false)) }
    #expect(again.isPoll && again.pending == PendingQuestion(id: 3, retryOf: 2) && machine.isWaiting)
  }

  @Test("while the user waits, a progress message is shown until another replaces it") func notified() throws {
    var machine = try waiting()
    #expect(machine.notify(Message("seen"), nil, of: 1) == .shown())
    _ = try poll(&machine, 2)
    #expect(machine.notice == Message("seen"))
    #expect(
      machine.handleAnswer(.challenge(Challenge(screen: nil, pollAfter: 200)), to: 2)
        == .shown([.challenge(.init(pollAfter: 200))], wiping: .all))
    #expect(machine.notice == nil)
  }
}
