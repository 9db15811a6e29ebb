package import LoginMachine

/// Checks concurrent requests: when one of them changes the screen or succeeds, the others must be
/// withdrawn, and late answers to them must change nothing.
extension Exploration {
  /// A request that should have ended but did not.
  public struct RemainingRequest: Equatable, Sendable {
    /// The event after which the request should have ended, and the state in which the event
    /// happened.
    public let event: Event
    public let state: Int
    public let reason: Reason

    public enum Reason: Equatable, Sendable {
      /// The request is still open although its screen was left or the request was answered.
      case goesOn
      /// The engine was not told to withdraw the question of the request.
      case notWithdrawn
      /// The machine would still accept an answer to the question of the request.
      case stillTaken
    }
  }

  /// Finds requests that a step should have ended.
  ///
  /// - Parameters:
  ///   - answered: the question that was answered in this step, if any.
  ///   - withdrawn: the questions that the engine was told to withdraw.
  package static func remainingRequests(
    _ before: SessionMachine, _ after: SessionMachine, answered: QuestionID?, withdrawn: [QuestionID]
  ) -> [RemainingRequest.Reason] {
    let open = after.openQuestions
    let leads =
      after.screenReference != before.screenReference
      || after.phase.name == .requestSucceeded && before.phase.name != .requestSucceeded
    var reasons: [RemainingRequest.Reason] = []
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
  /// The open questions: the question of the form, and the questions of background requests.
  fileprivate var openQuestions: [QuestionID] {
    guard case .requestPending(let question) = phase else { return backgroundQuestions }
    return [question.id] + backgroundQuestions
  }
}
