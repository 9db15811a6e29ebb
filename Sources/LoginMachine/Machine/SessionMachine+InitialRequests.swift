/// Requests that a screen makes automatically when it is entered.
///
/// A request that covers the form is pending in the same way as a submit. For a request in the
/// background, only the question is kept, and nothing changes until it is answered. The first
/// answer that leads to another screen takes effect, and all other open requests are abandoned.
extension SessionMachine {
  /// The open questions of background requests.
  public var backgroundQuestions: [QuestionID] { hasExtras ? rare.background.map(\.question) : [] }

  /// The open background requests, given by their indices among the screen's initial requests.
  package var backgroundRequests: [Int] { hasExtras ? rare.background.map(\.index) : [] }

  /// Starts the session by making the initial requests of its first screen. Call this once, before
  /// anything is shown. The returned step is never `shown`, because nothing is shown yet.
  public mutating func start(question first: QuestionID) -> Step {
    guard !screen.initialRequests.isEmpty else { return .unseen() }
    var step = StepDraft()
    step.entry = .init()
    makeInitialRequests(first, &step)
    return .unseen(step.effects)
  }

  /// If the event has entered a screen, makes the screen's initial requests. They are made in the
  /// same event, so that there is no state in which they are still to be made. `first` is the id
  /// for the first question.
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

  /// The question of an initial request, with the current plain values. `isBackground` is false if
  /// the request covers the form. A request that is repeated by a press always covers it.
  func question(_ pending: PendingQuestion, about index: Int, isBackground: Bool) -> Question {
    let values = PlainValues(of: draft, on: screen)
    return Question(
      pending, of: nil, on: screen, .initial(origin.initialRequests[index].request, isBackground: isBackground, values),
      after: previousRequest)
  }

  /// Whether an initial request failed and would be repeated by a retry.
  var hasFailedInitialRequest: Bool {
    if case .requestFailed(let failure) = phase, case .initial = failure.source { true } else { false }
  }

  /// Repeats a failed initial request. The repeated request covers the form.
  mutating func repeatInitialRequest(_ id: QuestionID, _ step: inout StepDraft) {
    guard case .requestFailed(let failure) = phase, case .initial(let index) = failure.source else { return }
    if hasExtras { overlay.notice = nil }
    draft.removeRemarks()
    let pending = PendingQuestion(id: id, retryOf: failure.firstQuestion, source: failure.source)
    phase = .requestPending(pending)
    step.effects.append(.ask(question(pending, about: index, isBackground: false)))
  }

  // MARK: Answers

  /// Handles an answer to a background request. Refused if `id` is not the question of an open
  /// background request. `first` is the id for the first question that the machine asks as a
  /// result.
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
    // The user does not learn that a background request got no decision.
    case .undecided: return .unseen()
    case .challenge(let challenge):
      // A background request has shown no challenge, so a challenge without a screen is ignored.
      guard challenge.screen != nil else { return .unseen() }
      var step = StepDraft()
      abandonPending(&step)
      let question = PendingQuestion(id: id, retryOf: nil, source: .initial(index))
      phase = .requestPending(question)
      return showChallenge(challenge, question, step)
    }
  }

  /// Abandons the pending question of a request that covers the form, if there is one.
  private func abandonPending(_ step: inout StepDraft) {
    if case .requestPending(let question) = phase { step.abandon([question.id]) }
  }

  /// Leaves the screen as a result of the answer to a background request, and abandons all other
  /// requests.
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

  /// Shows a message from the answer to a background request as a notice, unless the message is
  /// shown already.
  private mutating func say(_ message: Message?) -> Step {
    guard let message, show(notice: message) else { return .unseen() }
    revision += 1
    return .shown()
  }
}
