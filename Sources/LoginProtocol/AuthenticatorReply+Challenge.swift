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
    challenge.error = try message(document, "error", result)
    challenge.notice = try message(document, "notice", result)
    challenge.pollAfter = try pollTime(document, result)
    if challenge.pollAfter != nil, challenge.error != nil { throw "it has both an error and something to wait for" }
    challenge.expiresIn = try expiry(document, result)
    let (answers, others) = try itemMessages(document, result, shown.screen, &unknownKeys)
    challenge.items = answers
    if challenge.pollAfter != nil {
      challenge.notice = challenge.notice ?? others
    } else {
      challenge.error = challenge.error ?? others
    }
    return challenge
  }

  private static func message(
    _ document: borrowing JSONDocument, _ name: StaticString, _ result: JSONDocument.Node
  ) throws(Problem) -> Message? {
    guard let node = present(document, name, result) else { return nil }
    guard let message = message(document, node) else { throw "its error or notice is not a message" }
    return message
  }

  private static func pollTime(
    _ document: borrowing JSONDocument, _ result: JSONDocument.Node
  ) throws(Problem) -> UInt64? {
    guard let wait = present(document, "wait", result) else { return nil }
    guard let time = document.member("pollAfterMs", of: wait).flatMap({ document.wholeNumber($0) }),
      pollTimes.contains(time)
    else { throw "its wait has no pollAfterMs from 100 to 3600000" }
    return time
  }

  private static func expiry(
    _ document: borrowing JSONDocument, _ result: JSONDocument.Node
  ) throws(Problem) -> UInt64? {
    guard let node = present(document, "expiresInMs", result) else { return nil }
    guard let time = document.wholeNumber(node), time > 0 else {
      throw "its expiresInMs is not a whole number from 1 on"
    }
    return time
  }
}
