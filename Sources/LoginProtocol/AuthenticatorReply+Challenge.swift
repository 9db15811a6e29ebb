import JSONCodec
import LoginForms
import LoginMachine

/// Answers that ask for more.
extension AuthenticatorReply {
  /// How long to wait between two questions of what has become of something, in milliseconds.
  private static var pollTimes: ClosedRange<UInt64> { 100...3_600_000 }

  /// Reads a challenge.
  static func challenge(
    _ document: borrowing JSONDocument, _ result: JSONDocument.Node, _ subject: Subject, _ unknownKeys: inout [String],
    _ readScreen: (_ node: JSONDocument.Node) -> ChallengeScreen?
  ) throws(Problem) -> Challenge {
    var challenge = Challenge(screen: nil)
    let shown: ChallengeScreen
    if let node = present(document, "screen", result) {
      guard let screen = readScreen(node) else { throw "its screen cannot be shown" }
      challenge.screen = screen
      shown = screen
    } else if let screen = subject.challenge {
      shown = screen
    } else {
      throw "it has no screen, and none is shown"
    }
    challenge.error = try optionalMessage(document, "error", of: result, or: "its error is not a message")
    challenge.notice = try optionalMessage(document, "notice", of: result, or: "its notice is not a message")
    challenge.pollAfter = try optional(
      document, "wait", of: result, or: "its wait has no pollAfterMs from 100 to 3600000"
    ) { wait in
      document.member("pollAfterMs", of: wait).flatMap { document.wholeNumber($0) }
        .flatMap { pollTimes.contains($0) ? $0 : nil }
    }
    if challenge.pollAfter != nil, challenge.error != nil { throw "it has both an error and something to wait for" }
    challenge.expiresIn = try optional(
      document, "expiresInMs", of: result, or: "its expiresInMs is not a whole number from 1 on"
    ) { node in
      document.wholeNumber(node).flatMap { $0 > 0 ? $0 : nil }
    }
    challenge.resume = try optional(
      document, "resume", of: result, or: "its resume is not a string of 1 to 4096 bytes"
    ) { node in
      guard document.kind(node) == .string else { return nil }
      let text = document.string(node)
      return (1...Challenge.maximumResumeBytes).contains(text.utf8.count) ? text : nil
    }
    let (remarks, others) = try remarksOnItems(document, result, shown.screen, &unknownKeys)
    challenge.items = remarks
    if challenge.pollAfter != nil {
      challenge.notice = challenge.notice ?? others
    } else {
      challenge.error = challenge.error ?? others
    }
    return challenge
  }
}
