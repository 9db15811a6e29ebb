import LoginForms

/// Requests that begin by themselves when a screen is entered.
///
/// One that covers the form is pending as a submit is. Those beside the form are known here by their questions alone: nothing else of the machine depends on
/// them until one is answered. The first of all open requests that leads elsewhere wins, and the others are abandoned.
extension SessionMachine {
  var beginnings: Beginnings {
    get { overlayBox?.value.beginnings ?? Beginnings() }
    set { overlay.beginnings = newValue }
  }

  /// Whether requests of the screen are still to begin.
  public var isBeginning: Bool { hasOverlay && beginnings.areDue }

  /// The questions that go on beside the form.
  public var questionsBeside: [QuestionID] { hasOverlay ? beginnings.beside.map(\.question) : [] }

  /// The same, as indices among the requests that begin on the screen.
  package var requestsBeside: [Int] { hasOverlay ? beginnings.beside.map(\.index) : [] }

  /// Begins the requests of the screen, if it was just entered; part of the event that entered it. `first` is the number of the first question.
  public mutating func begin(_ first: QuestionID) -> [Question] {
    guard isBeginning else { return [] }
    beginnings.areDue = false
    let before = primaryPart
    var id = first
    var questions: [Question] = []
    for (index, beginning) in screen.begins.enumerated() {
      let pending = PendingQuestion(id: id, retryOf: nil, source: .beginning(index))
      let isBeside = beginning.place == .beside
      if isBeside {
        beginnings.beside.append(.init(index: index, question: id))
      } else {
        phase = .requestPending(pending)
      }
      questions.append(question(pending, about: index, isBeside: isBeside))
      id = id.next
    }
    if primaryPart != before { primarySince = revision }
    if let former = beginnings.primaryBefore {
      beginnings.primaryBefore = nil
      if former.part == primaryPart { primarySince = former.since }
    }
    if !phase.isOpen { moveFocus() }
    return questions
  }

  /// Puts the request of that index among those that begin on the screen, with the plain values that stand there now. One that began beside the form covers it
  /// when it is made again because of a press.
  func question(_ pending: PendingQuestion, about beginning: Int, isBeside: Bool) -> Question {
    let values = PlainValues(of: draft, on: screen)
    return Question(
      pending, of: nil, on: screen, .beginning(origin.begins[beginning].request, isBeside: isBeside, values),
      after: previousStep)
  }

  /// Whether a retry repeats the request that covers the form.
  var hasFailedBeginning: Bool {
    if case .requestFailed(let failure) = phase, case .beginning = failure.source { true } else { false }
  }

  /// Makes the request that covers the form again.
  mutating func repeatBeginning(_ id: QuestionID) -> PressOutcome {
    guard case .requestFailed(let failure) = phase, case .beginning(let index) = failure.source else { return .refused }
    if hasOverlay { overlay.notice = nil }
    draft.dropRemarks()
    let pending = PendingQuestion(id: id, retryOf: failure.firstQuestion, source: failure.source)
    phase = .requestPending(pending)
    return .ask(question(pending, about: index, isBeside: false))
  }

  /// What there is of them when the screen is entered from another.
  var beginningsOnEntry: Beginnings { beginnings.left(areDue: !screen.begins.isEmpty) }

  // MARK: Leaving

  /// The questions that nobody waits for any more, each told once.
  public mutating func takeAbandoned() -> [QuestionID] {
    guard hasOverlay, !beginnings.abandoned.isEmpty else { return [] }
    let abandoned = beginnings.abandoned
    beginnings.abandoned = []
    return abandoned
  }

  /// Nobody waits for what goes on beside the form any more.
  mutating func abandonBeside() {
    if hasOverlay, !beginnings.beside.isEmpty { beginnings = beginnings.left(areDue: false) }
  }

  /// Nobody waits for the question that the form waits for.
  private mutating func abandonPending() {
    if case .requestPending(let question) = phase { beginnings.abandoned.append(question.id) }
  }

  // MARK: Answers

  /// The answer to a question beside the form; `nil` if it is about none.
  mutating func handleBeside(_ answer: Answer, to id: QuestionID, at utc: UInt64?) -> AnswerOutcome? {
    guard hasOverlay, let place = beginnings.beside.firstIndex(where: { $0.question == id }) else { return nil }
    let index = beginnings.beside.remove(at: place).index
    switch answer {
    case .accepted(let principal, let data, let message, _, let factors):
      guard let success = origin.begins[index].success else { return say(message) }
      let asked = ConversationID(first: id)
      let step = AcceptedStep(asked, principal: principal, data: data, factors: factors, after: previousStep)
      return win(message) { $0.follow(success, step, at: utc) }
    case .notice(let message, let target?): return win(message) { $0.move(to: target, at: utc) }
    case .notice(let message, nil), .failed(let message, _, _): return say(message)
    // That something beside the form came to nothing is no matter of the person's.
    case .undecided: return .unseen
    case .challenge(let challenge):
      // There is no screen that could be shown again.
      guard challenge.screen != nil else { return .unseen }
      abandonPending()
      let question = PendingQuestion(id: id, retryOf: nil, source: .beginning(index))
      phase = .requestPending(question)
      return showChallenge(challenge, question)
    }
  }

  /// A request beside the form leads elsewhere: all others are abandoned.
  private mutating func win(_ message: Message?, _ leave: (inout SessionMachine) -> Void) -> AnswerOutcome {
    let before = primaryPart
    abandonPending()
    if hasOverlay { overlay.notice = nil }
    leave(&self)
    if let message, phase.isOpen { overlay.notice = message }
    advance(from: before)
    moveFocus()
    return .wipeSecrets
  }

  /// Something beside the form is to be read.
  private mutating func say(_ message: Message?) -> AnswerOutcome {
    guard let message, show(notice: message) else { return .unseen }
    revision += 1
    return .done
  }
}
