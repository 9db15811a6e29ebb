/// Another language in a session that has begun.
extension SessionMachine {
  /// Shows everything in another of the flow's languages. What was entered, what is asked, and what was said stay.
  ///
  /// - Parameters:
  ///   - language: the index of the language among the flow's.
  ///   - challenge: the challenge that is shown, made ready in that language: the same items, rules and actions. `nil` if none is shown.
  ///
  /// Refused if all is in that language already.
  public mutating func translate(into language: UInt16, challenge: ChallengeScreen?) -> Step {
    guard language != self.language else { return .refused }
    self.language = language
    if let challenge { translateConversation(to: challenge) }
    revision += 1
    return .shown()
  }
}
