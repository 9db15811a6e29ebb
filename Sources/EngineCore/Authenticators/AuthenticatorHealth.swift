/// The health of an authenticator: its failures and timeouts, from which follow the earliest time
/// at which it may be started again and the time at which the engine gives it up.
struct AuthenticatorHealth {
  /// How often the authenticator's process has failed since its last answer.
  private var faults = 0
  /// The earliest time at which the authenticator may be started again; `nil`: at once.
  private(set) var earliestStart: UInt64?
  /// The time at which the engine gives up this authenticator, which accepts no more questions
  /// although some wait to be sent; `nil` while that time is unlimited.
  private(set) var unresponsiveDeadline: UInt64?
  /// How many questions in a row have timed out while the authenticator wrote nothing. A timeout
  /// counts only if its question was asked after the previous counted timeout.
  private(set) var silence = 0

  /// How long an authenticator that accepts no more questions may take for the answers that it
  /// still owes, in milliseconds.
  static var unresponsiveTimeout: UInt64 { 1000 }
  /// After how many timeouts in a row without any output an authenticator is considered hung.
  static var maximumSilence: Int { 2 }

  /// Records that the authenticator is being started.
  mutating func noteStart() { earliestStart = nil }

  /// Records an answer to a question.
  mutating func noteAnswer() { faults = 0 }

  /// Records a line of output.
  mutating func noteOutput() { silence = 0 }

  /// Records that a question was not answered in time. Returns whether the authenticator is hung:
  /// it wrote nothing during two such questions, of which the second was asked after the first had
  /// timed out.
  mutating func noteTimeout(of question: OutgoingLines.SentQuestion) -> Bool {
    if question.silence >= silence { silence += 1 }
    return silence >= AuthenticatorHealth.maximumSilence
  }

  /// Starts the timeout after which the engine gives up an authenticator that accepts no more
  /// questions although some wait to be sent. Does nothing if the timeout runs already.
  mutating func startUnresponsiveTimeout(from now: UInt64) {
    if unresponsiveDeadline == nil { unresponsiveDeadline = now + AuthenticatorHealth.unresponsiveTimeout }
  }

  /// Records a failure of the process. Each failure in a row delays the next start further.
  mutating func noteFault(at now: UInt64) {
    unresponsiveDeadline = nil
    silence = 0
    if faults > 0 { earliestStart = now + min(UInt64(100) << UInt64(min(faults - 1, 6)), 5000) }
    faults += 1
  }
}
