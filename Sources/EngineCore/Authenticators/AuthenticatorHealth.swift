/// How well an authenticator does its part, and what follows for when it is started and given up.
struct AuthenticatorHealth {
  /// Faults in a row without a good answer between them.
  private var faults = 0
  /// When it may be started again; `nil` for at once.
  private(set) var earliestStart: UInt64?
  /// When it is given up, because it takes no more questions although some wait.
  private(set) var unresponsiveDeadline: UInt64?
  /// How often in a row a question has timed out that was put when nothing had been heard since the one before.
  private(set) var silence = 0

  /// How long one that takes no more questions has time to answer those it took, in milliseconds.
  static var unresponsiveTimeout: UInt64 { 1000 }
  /// After how many timeouts in a row without a word one is taken for hung.
  static var longestSilence: Int { 2 }

  /// Notes that the authenticator is being started.
  mutating func noteStart() { earliestStart = nil }

  /// It answered a question.
  mutating func noteAnswer() { faults = 0 }

  /// It wrote a line.
  mutating func noteWord() { silence = 0 }

  /// A question was not answered in time. One that has not said a word during two such questions, the second put after the first had timed out,
  /// is taken for hung. Returns whether it is.
  mutating func noteTimeout(of question: OutgoingLines.SentQuestion) -> Bool {
    if question.silence >= silence { silence += 1 }
    return silence >= AuthenticatorHealth.longestSilence
  }

  /// It takes no more questions, and some wait.
  mutating func limitUnresponsiveness(from now: UInt64) {
    if unresponsiveDeadline == nil { unresponsiveDeadline = now + AuthenticatorHealth.unresponsiveTimeout }
  }

  /// Its process has failed: the next one waits the longer, the more have failed in a row.
  mutating func noteFault(at now: UInt64) {
    unresponsiveDeadline = nil
    silence = 0
    if faults > 0 { earliestStart = now + min(UInt64(100) << UInt64(min(faults - 1, 6)), 5000) }
    faults += 1
  }
}
