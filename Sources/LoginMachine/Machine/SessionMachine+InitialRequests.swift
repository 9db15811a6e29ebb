/// Requests that a screen makes by itself when it is entered.
///
/// One that covers the form is pending as a submit is. Those in the background are known here by their questions alone: nothing else of the machine depends on
/// them until one is answered. The first of all open requests that leads elsewhere wins, and the others are abandoned.
extension SessionMachine {
  /// The questions that go on beside the form.
  public var backgroundQuestions: [QuestionID] { hasExtras ? rare.background.map(\.question) : [] }

  /// The same, as indices among the initial requests of the screen.
  package var backgroundRequests: [Int] { hasExtras ? rare.background.map(\.index) : [] }

  /// Starts the session: makes the initial requests of its first screen. To be called once, before anything is shown, so that the step shows nothing.
  public mutating func start(question first: QuestionID) -> Step {
    guard !screen.initialRequests.isEmpty else { return .unseen() }
    var step = StepDraft()
    step.entry = .init()
    makeInitialRequests(first, &step)
    return .unseen(step.effects)
  }

  /// Makes the initial requests of the screen, if the event has entered one that has any. `first` is the number of the first question.
  mutating func makeInitialRequests(_ first: QuestionID, _ step: inout StepDraft) {
    guard let entry = step.entry else { return }
    let before = primaryPart
    var id = first
    for (index, request) in screen.initialRequests.enumerated() {
      let pending = PendingQuestion(id: id, retryOf: nil, source: .initial(index))
      let isBackground = request.place == .background
      if isBackground {
        rare.background.append(.init(index: index, question: id))
      } else {
        phase = .requestPending(pending)
      }
      step.effects.append(.ask(question(pending, about: index, isBackground: isBackground)))
      id = id.next
    }
    if primaryPart != before { primarySince = revision }
    if let former = entry.primaryBefore, former.part == primaryPart { primarySince = former.since }
    if !phase.isOpen { moveFocus() }
  }

  /// Puts the request of that index among the initial ones of the screen, with the plain values that stand there now. One that began beside the form covers it
  /// when it is made again because of a press.
  func question(_ pending: PendingQuestion, about index: Int, isBackground: Bool) -> Question {
    let values = PlainValues(of: draft, on: screen)
    return Question(
      pending, of: nil, on: screen, .initial(origin.initialRequests[index].request, isBackground: isBackground, values),
      after: previousRequest)
  }

  /// Whether a retry repeats the request that covers the form.
  var hasFailedInitialRequest: Bool {
    if case .requestFailed(let failure) = phase, case .initial = failure.source { true } else { false }
  }

  /// Makes the request that covers the form again.
  mutating func repeatInitialRequest(_ id: QuestionID, _ step: inout StepDraft) {
    guard case .requestFailed(let failure) = phase, case .initial(let index) = failure.source else { return }
    if hasExtras { overlay.notice = nil }
    draft.dropRemarks()
    let pending = PendingQuestion(id: id, retryOf: failure.firstQuestion, source: failure.source)
    phase = .requestPending(pending)
    step.effects.append(.ask(question(pending, about: index, isBackground: false)))
  }

  // MARK: Answers

  /// The answer to a question in the background; `first` is the number of the first question that follows. Refused if it is about none.
  mutating func handleInBackground(
    _ answer: Answer, to id: QuestionID, at utc: UInt64?, question first: QuestionID
  ) -> Step {
    guard hasExtras, let place = rare.background.firstIndex(where: { $0.question == id }) else { return .refused }
    let index = rare.background.remove(at: place).index
    switch answer {
    case .accepted(let principal, let data, let message, _, let proofs):
      guard let success = origin.initialRequests[index].success else { return say(message) }
      let asked = ConversationID(first: id)
      let request = AcceptedRequest(asked, principal: principal, data: data, proofs: proofs, after: previousRequest)
      return win(message, question: first) { $0.follow(success, request, at: utc, &$1) }
    case .notice(let message, let target?): return win(message, question: first) { $0.move(to: target, at: utc, &$1) }
    case .notice(let message, nil), .failed(let message, _, _): return say(message)
    // That something in the background came to nothing is no matter of the person's.
    case .undecided: return .unseen()
    case .challenge(let challenge):
      // There is no screen that could be shown again.
      guard challenge.screen != nil else { return .unseen() }
      var step = StepDraft()
      abandonPending(&step)
      let question = PendingQuestion(id: id, retryOf: nil, source: .initial(index))
      phase = .requestPending(question)
      return showChallenge(challenge, question, step)
    }
  }

  /// Nobody waits for the question that the form waits for.
  private func abandonPending(_ step: inout StepDraft) {
    if case .requestPending(let question) = phase { step.abandon([question.id]) }
  }

  /// A request in the background leads elsewhere: all others are abandoned.
  private mutating func win(
    _ message: Message?, question first: QuestionID, _ leave: (inout SessionMachine, inout StepDraft) -> Void
  ) -> Step {
    let before = primaryPart
    var step = StepDraft()
    abandonPending(&step)
    if hasExtras { overlay.notice = nil }
    leave(&self, &step)
    if let message, phase.isOpen { overlay.notice = message }
    advance(from: before)
    moveFocus()
    makeInitialRequests(first, &step)
    return .shown(step.effects, wiping: .all)
  }

  /// Something beside the form is to be read.
  private mutating func say(_ message: Message?) -> Step {
    guard let message, show(notice: message) else { return .unseen() }
    revision += 1
    return .shown()
  }
}
