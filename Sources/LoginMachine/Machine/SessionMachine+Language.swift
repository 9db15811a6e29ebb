/// A change of language during a session.
extension SessionMachine {
  /// Shows the session in another language of the flow. Entered values, open questions and messages
  /// are kept. Refused if the session already has this language.
  ///
  /// - Parameters:
  ///   - language: the index of the language in the flow.
  ///   - challenge: the translation of the challenge that is shown, with the same items, rules and
  ///     actions; `nil` if no challenge is shown.
  public mutating func translate(into language: UInt16, challenge: ChallengeScreen?) -> Step {
    guard language != self.language else { return .refused }
    self.language = language
    if let challenge { translateConversation(to: challenge) }
    revision += 1
    return .shown()
  }
}
