import JSONCodec
import LoginForms
import LoginMachine
import LoginProtocol
import TestSupport

/// What an authenticator says.
extension Walker {
  mutating func answer() {
    if let id = machine.questionsBeside.randomElement(using: &random), random.chance(3) { return answerBeside(id) }
    guard case .requestPending = machine.phase else { return late() }
    if machine.ending?.questionID == nil { return poll() }
    guard let question = machine.ending?.questionID else { return }
    let before = machine
    writer.noteView(of: &machine)
    let given = anyAnswer(to: question)
    let outcome = machine.handleAnswer(given, to: question, at: utc)
    expect(outcome != .late, "an answer that is waited for is late")
    if case .unchanged = outcome { return checkUnchanged(before, "unchanged") }
    guard settle(before, true) else { return }
    if case .throttled = outcome { throttles.append(question) }
    seen.insert("answer \(machine.phase.name)")
    if case .accepted(let principal, let data, _, _, let factors) = given {
      noteAccepted(
        before.conversationID?.number ?? question.number, (principal, data, factors), outcome, before)
    }
    switch outcome {
    case .wipeSecrets, .challenged: vault = [:]
    case .throttled(_, let wipesSecrets): if wipesSecrets { vault = [:] }
    case .late, .unseen, .done, .unchanged: break
    }
    if case .challenged = outcome {
      seen.insert(before.conversationID == nil ? "challenged" : "challenged again")
      expect(
        machine.conversationID == before.conversationID ?? ConversationID(first: question),
        "a challenge is part of another conversation")
      expect(machine.originIndex == before.originIndex, "a challenge leads to another screen")
    } else if outcome == .wipeSecrets {
      expect(machine.conversationID == nil, "a conversation outlives its end")
    }
    if outcome == .wipeSecrets, machine.phase.isOpen { seen.insert("led to a screen") }
    settleBeginnings(before)
    show(edited: nil)
    switch outcome {
    case .wipeSecrets, .challenged: checkWiped()
    case .late, .unseen, .done, .throttled, .unchanged: break
    }
  }

  /// What was accepted leads to a scene that has what was said last, or is what the next questions are linked to.
  private mutating func noteAccepted(
    _ attempt: UInt64, _ new: Said, _ outcome: SessionMachine.AnswerOutcome, _ before: SessionMachine
  ) {
    let said: Said = (
      principal: new.principal ?? previous?.said.principal, data: new.data ?? previous?.said.data,
      factors: new.factors ?? previous?.said.factors
    )
    if case .requestSucceeded(let scene) = machine.phase {
      expect(
        scene.principal == said.principal && scene.data == said.data && scene.factors == said.factors,
        "a scene is not of who was let in")
      previous = nil
      return
    }
    // Where a request has no success of its own, the screen stays, and nothing is linked to it.
    let isLinked = machine.previousStep?.conversationID.number == attempt
    expect(isLinked || before.conversationID != nil || outcome != .wipeSecrets, "what was accepted links nothing")
    if isLinked { previous = (attempt, said) }
  }

  /// Answers what goes on beside the form.
  private mutating func answerBeside(_ id: QuestionID) {
    let before = machine
    writer.noteView(of: &machine)
    let given = anyAnswer(to: id)
    let outcome = machine.handleAnswer(given, to: id, at: utc)
    expect(!machine.questionsBeside.contains(id), "what was answered goes on")
    switch outcome {
    case .late, .throttled: return complain("an answer beside the form is taken otherwise: \(outcome)")
    case .unseen, .unchanged: return checkUnchanged(before, "unseen beside the form")
    case .done: seen.insert("said beside the form")
    case .wipeSecrets, .challenged:
      seen.insert("won beside the form")
      vault = [:]
    }
    guard settle(before, true) else { return }
    if case .accepted(let principal, let data, _, _, let factors) = given {
      noteAccepted(id.number, (principal, data, factors), outcome, before)
    }
    settleBeginnings(before)
    show(edited: nil)
    if outcome != .done { checkWiped() }
  }

  /// What an event leads to that entered a screen, or left one.
  mutating func settleBeginnings(_ before: SessionMachine) {
    let open = before.questionsBeside + before.questionsOfChecks + (before.ending?.questionID.map { [$0] } ?? [])
    for id in machine.takeAbandoned() {
      expect(open.contains(id) && !machine.questionsBeside.contains(id), "what is abandoned was not open, or still is")
    }
    if machine.screenReference != before.screenReference || machine.phase.name == .requestSucceeded {
      expect(
        before.revision == machine.revision || open.allSatisfy { !machine.questionsBeside.contains($0) },
        "a request outlives its screen")
    }
    for question in machine.begin(lastQuestion.next) {
      lastQuestion = question.id
      seen.insert(question.isBeside ? "began beside" : "began")
      expect(question.previous?.conversationID.number == previous?.attempt, "what begins is linked to something else")
      for (entry, item) in zip(question.plainValues?.entries ?? [], question.screen.items) where entry != nil {
        expect(!item.isSecret, "a secret is sent that nobody has submitted")
      }
    }
    expect(!machine.isBeginning && machine.takeAbandoned() == [], "something is still to begin or to be told")
  }

  /// Asks what has become of something that is waited for.
  private mutating func poll() {
    let before = machine
    guard machine.isWaiting else { return complain("no question is open, and nothing is waited for") }
    let question = machine.poll(question: lastQuestion.next)
    lastQuestion = lastQuestion.next
    expect(question?.conversationID == before.conversationID, "what is waited for is not asked about")
    checkUnchanged(before, "polled")
  }

  /// Nothing that is shown has changed.
  private mutating func checkUnchanged(_ before: SessionMachine, _ what: String) {
    seen.insert(what)
    expect(view(of: before) == view(of: machine) && machine.revision == before.revision, "\(what) changes something")
  }

  /// What a view shows of a machine.
  func view(of machine: SessionMachine) -> ViewState {
    var view = ViewState()
    view.project(machine)
    return view
  }

  /// The conversation cannot go on.
  mutating func failConversation() {
    let before = machine
    writer.noteView(of: &machine)
    let ending = machine.failConversation(before.conversationID ?? 0, random.pick(messages))
    expect(ending == before.ending && machine.conversationID == nil, "a conversation is not broken off")
    guard settle(before, true) else { return }
    seen.insert("broken off")
    vault = [:]
    show(edited: nil)
    checkWiped()
  }

  /// An answer that nobody waits for.
  mutating func late() {
    let before = machine
    let id = lateQuestion()
    expect(machine.handleAnswer(anyAnswer(to: id), to: id) == .late, "an answer that nobody waits for counts")
    _ = settle(before, false)
    expect(
      machine.notify(Message("late"), nil, of: ConversationID(first: id)) == .ignored,
      "what is said of another question counts")
    _ = settle(before, false)
  }

  private mutating func lateQuestion() -> QuestionID {
    let last = lastQuestion.number
    var id = QuestionID(number: random.chance(2) ? UInt64.random(in: 0...max(last, 1), using: &random) : last + 1000)
    let pending: QuestionID? = if case .requestPending(let question) = machine.phase { question.id } else { nil }
    while id == pending || ConversationID(first: id) == machine.conversationID || machine.questionsBeside.contains(id) {
      id = id.next
    }
    return id
  }

  /// Something to read while it works.
  mutating func notify() {
    guard let conversationID = machine.ending?.conversationID, case .requestPending = machine.phase else { return }
    // The engine rejects it.
    if queue?.refusesEvents == true { return }
    let before = machine
    writer.noteView(of: &machine)
    let message = random.chance(2) ? random.pick(messages) : nil
    let alert =
      random.chance(2)
      ? Alert(
        .notice, title: random.pick([nil, "A \"title\""]),
        messages: (0...Int.random(in: 0...2, using: &random)).map { _ in random.pick(messages) }) : nil
    let reception = machine.notify(message, alert, of: conversationID)
    expect((reception == .ignored) == (message == nil && alert == nil), "a notification is taken, unlike what it says")
    take(reception, before)
  }

  /// The time after which it was too early for another request is over, or was so before.
  mutating func endThrottle() {
    let before = machine
    writer.noteView(of: &machine)
    // The time mostly ends after the alert that tells of it.
    let isEarly = machine.alert != nil && !random.chance(8)
    let question = (isEarly ? nil : throttles.popLast()) ?? lateQuestion()
    let reception = machine.endThrottle(of: question)
    if reception == .shown { expect(!machine.hasThrottle(of: question), "it is still too early") }
    seen.insert("end of throttle \(reception)")
    take(reception, before)
  }

  /// What holds of everything that is no event of the view's: it is a revision if it changes what is shown, and only then.
  private mutating func take(_ reception: SessionMachine.Reception, _ before: SessionMachine) {
    switch reception {
    case .ignored: _ = settle(before, false)
    case .shown:
      expect(view(of: before) != view(of: machine), "a revision shows nothing new")
      if settle(before, true) { show(edited: nil) }
    case .unseen:
      expect(machine.revision == before.revision, "what is not seen is a revision")
      expect(view(of: before) == view(of: machine), "what is not seen is shown")
    }
  }

  private var messages: [Message] {
    [
      Message("invalidCredentials"), Message("no.such.text"), Message("own.text", text: "said \"so\"\n"),
      Message("throttled", [.init("seconds", .number("3")), .init("retryAfterMs", .number("2500"))]),
      Message("throttled", [.init("seconds", .text("a\\b"))], text: "wait {seconds}"),
    ]
  }

  private mutating func anyAnswer(to id: QuestionID) -> Answer {
    if machine.isWaiting, random.chance(2) { return .challenge(Challenge(screen: nil, pollAfter: 100)) }
    switch Int.random(in: 0..<11, using: &random) {
    case 0..<3:
      return .accepted(
        principal: random.pick([nil, "ada", "\"x\""]), data: random.pick([nil, Array(#"{"a": [1.50]}"#.utf8)]),
        message: machine.isBesideSubmit(id) ? random.pick([nil, messages[2]]) : nil,
        retryAfter: machine.isBesideSubmit(id) ? random.pick([nil, 2500]) : nil,
        factors: random.pick([nil, [], ["pwd", "otp"]]))
    case 3:
      let screen = random.chance(3) ? Int.random(in: 0..<template.flow.screens.count, using: &random) : nil
      return .notice(random.pick(messages), screen: screen)
    case 4, 5: return .challenge(anyChallenge())
    case 6: return .undecided(random.pick(messages))
    default: break
    }
    let wait: UInt64? = random.chance(3) ? 2500 : nil
    // A failure is shown where the request was made.
    return .failed(random.pick(messages), items: wait == nil ? anyItems(of: machine.origin) : [], retryAfter: wait)
  }

  private mutating func anyItems(of screen: Screen) -> [Draft.Remark] {
    let shows = screen.items.indices.filter { screen.items[$0].showsValidity }
    if shows.isEmpty { return [] }
    return (0..<Int.random(in: 0..<4, using: &random)).map { _ in
      Draft.Remark(item: random.pick(shows), message: random.pick(messages))
    }
  }

  private mutating func anyChallenge() -> Challenge {
    let isNew = machine.challenge == nil || random.chance(2)
    let screen = isNew ? random.pick(challenges[machine.originIndex]) : nil
    let items = random.chance(2) ? anyItems(of: screen?.screen ?? machine.screen) : []
    switch Int.random(in: 0..<3, using: &random) {
    case 0: return Challenge(screen: screen, notice: random.pick([nil, messages[0]]), items: items)
    case 1: return Challenge(screen: screen, error: random.pick(messages), items: items, expiresIn: 5)
    default:
      return Challenge(
        screen: random.chance(2) ? screen : machine.challenge as? ChallengeTemplate ?? screen,
        notice: random.chance(4) ? messages[1] : nil, pollAfter: 100)
    }
  }
}
