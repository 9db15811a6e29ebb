/// The health of an authenticator: its failures and timeouts. They determine when the engine may
/// start the authenticator again, and when the engine gives it up.
struct AuthenticatorHealth {
  /// How often the authenticator's process has failed since it last answered a question.
  private var faults = 0
  /// The earliest time at which the authenticator may be started again; `nil` if it may be started
  /// at once.
  private(set) var earliestStart: UInt64?
  /// The time at which the engine gives up this authenticator, because the authenticator accepts no
  /// more input although questions wait to be sent to it; `nil` while there is no such deadline.
  private(set) var unresponsiveDeadline: UInt64?
  /// How many questions in a row have timed out while the authenticator wrote nothing. A timeout
  /// counts only if its question was asked after the previous counted timeout.
  private(set) var silence = 0

  /// How long an authenticator that accepts no more questions may take to answer the questions that
  /// it was sent, in milliseconds.
  static var unresponsiveTimeout: UInt64 { 1000 }
  /// The number of timeouts in a row, without any output, after which an authenticator is
  /// considered hung.
  static var maximumSilence: Int { 2 }

  /// Records that the authenticator is being started.
  mutating func noteStart() { earliestStart = nil }

  /// Records an answer to a question.
  mutating func noteAnswer() { faults = 0 }

  /// Records a line of output.
  mutating func noteOutput() { silence = 0 }

  /// Records that a question was not answered in time. Returns whether the authenticator is hung:
  /// two questions timed out while it wrote nothing, and the second was asked after the first had
  /// timed out.
  mutating func noteTimeout(of question: OutgoingLines.SentQuestion) -> Bool {
    if question.silence >= silence { silence += 1 }
    return silence >= AuthenticatorHealth.maximumSilence
  }

  /// Starts the timeout for an authenticator that accepts no more questions although some wait to
  /// be sent. When it expires, the engine gives up the authenticator. Does nothing if the timeout
  /// is running already.
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
