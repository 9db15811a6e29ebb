package import LoginMachine

/// The proof about requests that go on together: one wins, the others are withdrawn, and no answer to them changes anything.
extension Exploration {
  /// A request that outlived what it was for.
  public struct RequestLeft: Equatable, Sendable {
    /// What happened, and in which state.
    public let event: Event
    public let state: Int
    public let reason: Reason

    public enum Reason: Equatable, Sendable {
      /// The request goes on although its screen was left, or although it was answered.
      case goesOn
      /// The engine was not told to withdraw the question.
      case notWithdrawn
      /// An answer to the question would still be taken.
      case stillTaken
    }
  }

  /// Looks for requests after a step that had to end them.
  ///
  /// - Parameters:
  ///   - answered: the question that was answered in this step, if one was.
  ///   - withdrawn: the questions that the engine was told to withdraw.
  package static func requestsLeft(
    _ before: SessionMachine, _ after: SessionMachine, answered: QuestionID?, withdrawn: [QuestionID]
  ) -> [RequestLeft.Reason] {
    let open = after.openQuestions
    let leads =
      after.screenReference != before.screenReference
      || after.phase.name == .requestSucceeded && before.phase.name != .requestSucceeded
    var reasons: [RequestLeft.Reason] = []
    for question in before.openQuestions {
      if open.contains(question) {
        if leads || question == answered { reasons.append(.goesOn) }
        continue
      }
      if question != answered, !withdrawn.contains(question) { reasons.append(.notWithdrawn) }
      var later = after
      let step = later.handleAnswer(
        .accepted(principal: nil, data: nil), to: question, at: Alphabet.utc, question: question.next)
      if !step.isRefused || later.revision != after.revision { reasons.append(.stillTaken) }
    }
    return reasons
  }
}

extension SessionMachine {
  /// The questions that wait for an answer: the form's, and those beside it.
  fileprivate var openQuestions: [QuestionID] {
    guard case .requestPending(let question) = phase else { return backgroundQuestions }
    return [question.id] + backgroundQuestions
  }
}
