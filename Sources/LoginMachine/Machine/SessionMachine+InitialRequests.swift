/// Requests that a screen makes automatically when it is entered.
///
/// A request that covers the form is pending like a submit. For requests in the background only the
/// questions are kept; they affect nothing until an answer arrives. The first open request that
/// leads to another screen wins, and the others are abandoned.
extension SessionMachine {
  /// The open questions of background requests.
  public var backgroundQuestions: [QuestionID] { hasExtras ? rare.background.map(\.question) : [] }

  /// The background requests, as indices among the screen's initial requests.
  package var backgroundRequests: [Int] { hasExtras ? rare.background.map(\.index) : [] }

  /// Starts the session with the initial requests of its first screen. Call once, before anything
  /// is shown; the step is therefore never `shown`.
  public mutating func start(question first: QuestionID) -> Step {
    guard !screen.initialRequests.isEmpty else { return .unseen() }
    var step = StepDraft()
    step.entry = .init()
    makeInitialRequests(first, &step)
    return .unseen(step.effects)
  }

  /// Makes the initial requests if the event has entered a screen that has any. They are part of that
  /// event, so requests are never due and not made. `first` is the id for the first question.
  mutating func makeInitialRequests(_ first: QuestionID, _ step: inout StepDraft) {
    guard let entry = step.entry else { return }
    let before = primaryRole
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
    if primaryRole != before { primarySince = revision }
    if let former = entry.primaryBefore, former.part == primaryRole { primarySince = former.since }
    if !phase.isOpen { moveFocus() }
  }

  /// The question of an initial request, with the current plain values. A background request that
  /// is repeated by a press covers the form.
  func question(_ pending: PendingQuestion, about index: Int, isBackground: Bool) -> Question {
    let values = PlainValues(of: draft, on: screen)
    return Question(
      pending, of: nil, on: screen, .initial(origin.initialRequests[index].request, isBackground: isBackground, values),
      after: previousRequest)
  }

  /// Whether a retry repeats the initial request that covers the form.
  var hasFailedInitialRequest: Bool {
    if case .requestFailed(let failure) = phase, case .initial = failure.source { true } else { false }
  }

  /// Repeats the initial request that covers the form.
  mutating func repeatInitialRequest(_ id: QuestionID, _ step: inout StepDraft) {
    guard case .requestFailed(let failure) = phase, case .initial(let index) = failure.source else { return }
    if hasExtras { overlay.notice = nil }
    draft.removeRemarks()
    let pending = PendingQuestion(id: id, retryOf: failure.firstQuestion, source: failure.source)
    phase = .requestPending(pending)
    step.effects.append(.ask(question(pending, about: index, isBackground: false)))
  }

  // MARK: Answers

  /// Handles an answer to a background request. Refused if there is none with that question.
  /// `first` is the id for the first question that follows.
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
    // A background request that gets no decision does not concern the user.
    case .undecided: return .unseen()
    case .challenge(let challenge):
      // There is no screen to show again.
      guard challenge.screen != nil else { return .unseen() }
      var step = StepDraft()
      abandonPending(&step)
      let question = PendingQuestion(id: id, retryOf: nil, source: .initial(index))
      phase = .requestPending(question)
      return showChallenge(challenge, question, step)
    }
  }

  /// Abandons the question that covers the form.
  private func abandonPending(_ step: inout StepDraft) {
    if case .requestPending(let question) = phase { step.abandon([question.id]) }
  }

  /// Follows a background request to another screen and abandons all others.
  private mutating func win(
    _ message: Message?, question first: QuestionID, _ leave: (inout SessionMachine, inout StepDraft) -> Void
  ) -> Step {
    let before = primaryRole
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

  /// Shows a background request's message as a notice.
  private mutating func say(_ message: Message?) -> Step {
    guard let message, show(notice: message) else { return .unseen() }
    revision += 1
    return .shown()
  }
}
