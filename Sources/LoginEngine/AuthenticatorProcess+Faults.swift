import EventLoop
import LoginForms

/// What is noticed of a process that does not work.
extension AuthenticatorProcess {
  /// Ends it if it takes no more questions, though it was not told to end. What it has taken it may answer, but not for long if others wait.
  func replaceIfDeaf() {
    guard let child, child.input == nil, !isEnding else { return }
    if asked.isEmpty {
      fail(.exited, "takes no more questions")
    } else if replacement == nil, outgoing.hasQuestions {
      replacement = owner.engineTime + AuthenticatorProcess.graceOfTheDeaf
    }
  }

  /// Ends it if it has exited, which its output does not tell while another process holds that open.
  func noticeExit() {
    guard let child else { return }
    if leftToRead == nil {
      guard child.hasEnded else { return }
      // What it left behind may hold its output, and fill it.
      child.killGroup()
      leftToRead = AuthenticatorProcess.mostBytesOfTheDead
    }
    let current = generation
    while generation == current, !hasStalledAnswers, owner.canTakeAnswers { readAnswers() }
  }

  /// A pipe holds no more than that.
  private static var mostBytesOfTheDead: Int { 1 << 20 }

  /// A question was not answered in time. One that has not said a word during two such questions, the second put after the first had timed out,
  /// is taken for hung and started again, unless there is still something to wait for.
  func noteSilence(_ question: OutgoingLines.Asking) {
    if question.silence >= silence { silence += 1 }
    guard silence >= AuthenticatorProcess.longestSilence, asked.isEmpty else { return }
    fail(.timeout, "has not said a word during \(silence) questions")
  }
}
